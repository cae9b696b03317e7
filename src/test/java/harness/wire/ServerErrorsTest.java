package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Bodies;
import harness.RawConnection;
import harness.Reply;
import harness.TestHarness;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What no route takes is refused in JSON, with a sentence. */
@Timeout(120)
class ServerErrorsTest {
  private static TestHarness harness;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    harness = TestHarness.start(directory);
  }

  @AfterAll
  static void stop() {
    harness.close();
  }

  private static void assertJsonError(int status, Reply reply) {
    assertEquals(status, reply.status(), reply::toString);
    assertEquals("application/json", reply.header("content-type"));
    reply.error();
  }

  private static Reply bytes(String request) throws Exception {
    try (RawConnection connection = harness.connect()) {
      connection.send(request);
      return connection.read("GET");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/nowhere",
        "/turn",
        "/turns/",
        "/turns/x",
        "/Turns",
        "/agents/",
        "/agents/coder",
        "/agents/coder/a/stop",
        "/agents/coder/a/abort/now",
        "/agents/coder/a/",
        "//turns",
        "/%74urns/x",
      })
  void anUnknownPathIsNotFound(String target) throws Exception {
    for (String method : new String[] {"GET", "POST", "PUT", "DELETE"}) {
      try (RawConnection connection = harness.connect()) {
        Reply reply = connection.exchange(method, target, "");
        assertJsonError(404, reply);
        assertTrue(reply.error().contains(target), reply.error());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /turns, POST",
    "PUT, /turns, POST",
    "HEAD, /turns, POST",
    "OPTIONS, /turns, POST",
    "FROB, /turns, POST",
    "GET, /agents, PUT",
    "POST, /agents, PUT",
    "DELETE, /agents/coder/a, 'GET, HEAD, POST'",
    "PUT, /agents/coder/a, 'GET, HEAD, POST'",
    "PATCH, /agents/coder/a, 'GET, HEAD, POST'",
    "GET, /agents/coder/a/abort, POST",
    "DELETE, /agents/coder/a/abort, POST",
  })
  void aMethodThatIsNotTakenIsAnsweredWithThoseThatAre(String method, String target, String allowed)
      throws Exception {
    try (RawConnection connection = harness.connect()) {
      Reply reply = connection.exchange(method, target, "");
      assertEquals(405, reply.status(), reply::toString);
      assertEquals(allowed, reply.header("allow"));
      if (!method.equals("HEAD")) {
        assertJsonError(405, reply);
        assertTrue(reply.error().contains(allowed), reply.error());
      }
      assertEquals(200, connection.exchange("GET", "/health/live", "").status());
    }
  }

  @Test
  void aRequestLineThatIsTooLongIsRefused() throws Exception {
    assertJsonError(414, bytes("GET /" + "a".repeat(10_000) + " HTTP/1.1\r\nHost: x\r\n\r\n"));
    assertJsonError(
        414, bytes("GET /turns?a=" + "a".repeat(10_000) + " HTTP/1.1\r\nHost: x\r\n\r\n"));
    assertJsonError(414, bytes("G".repeat(20_000)));
  }

  @Test
  void headersThatAreTooLongAreRefused() throws Exception {
    Reply reply = bytes("GET /turns HTTP/1.1\r\nHost: x\r\nX: " + "a".repeat(20_000) + "\r\n\r\n");
    assertTrue(reply.status() == 431 || reply.status() == 400, reply::toString);
    assertJsonError(reply.status(), reply);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /turns HTTP/1.1\r\n\r\n",
        "GET /turns HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET /turns HTTP/1.1\r\nHost: a:b\r\n\r\n",
        "GET  /turns HTTP/1.1\r\nHost: x\r\n\r\n",
        "PA;CH /turns HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /tu rns HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET turns HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /turns?a=%zz HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /turns?a=\u0001 HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /a\\b HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /turns HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",
        "GET /turns HTTP/1.1\r\nHost: x\r\n : empty\r\n\r\n",
        "POST /turns HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        "POST /turns HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n",
        "POST /turns HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
        "POST /turns HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
        "POST /turns HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n{}",
        "POST /turns HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
      })
  void aRequestThatIsNoneIsRefused(String request) throws Exception {
    Reply reply = bytes(request);
    assertTrue(reply.status() >= 400 && reply.status() < 500, reply::toString);
    assertJsonError(reply.status(), reply);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"GET /turns HTTP/1.2\r\nHost: x\r\n\r\n", "GET /turns\r\n\r\n", "GET\r\n\r\n"})
  void whatIsNoHttpIsRefusedOrHungUpOn(String request) throws Exception {
    try (RawConnection connection = harness.connect()) {
      connection.send(request);
      assertTrue(connection.awaitClosed());
    }
    try (RawConnection connection = harness.connect()) {
      connection.send("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n" + request);
      assertEquals(200, connection.read("GET").status());
      Reply reply = connection.read("GET");
      assertJsonError(400, reply);
    }
  }

  @Test
  void anOldProtocolIsRefusedInJson() throws Exception {
    try (RawConnection connection = harness.connect()) {
      connection.send("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\nGET /turns HTTP/1.0\r\n\r\n");
      assertEquals(200, connection.read("GET").status());
      assertJsonError(505, connection.read("GET"));
    }
  }

  @ParameterizedTest
  @CsvSource({"GET, /health/live, ''", "GET, /nowhere, ''", "POST, /turns, x", "POST, /nowhere, x"})
  void aConnectionIsClosedWhereItsCallerAsksForIt(String method, String target, String body)
      throws Exception {
    try (RawConnection connection = harness.connect()) {
      connection.send(connection.request(method, target, body, "Connection", "close"));
      assertEquals("close", connection.read(method).header("connection"));
      assertTrue(connection.awaitClosed());
    }
  }

  @Test
  void queriesThatMeanNothingAreNoFault() {
    Reply held = harness.post("/agents/coder/mine", Bodies.submission("x"));
    for (String query :
        new String[] {
          "?", "?x", "?x=", "?=x", "?&&", "?view", "?offset", "?live", "?view=history&view=updates"
        }) {
      Reply reply = harness.get(held.conversation() + query);
      assertTrue(reply.status() == 200 || reply.status() == 400, reply::toString);
    }
  }
}
