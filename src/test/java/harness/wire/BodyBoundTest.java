package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.Bodies;
import harness.RawConnection;
import harness.Reply;
import harness.TestHarness;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A body has at most 4 MiB, however it is sent. */
@Timeout(120)
class BodyBoundTest {
  private static final int MIB = 1024 * 1024;

  private static TestHarness harness;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    harness = TestHarness.start(directory);
  }

  @AfterAll
  static void stop() {
    harness.close();
  }

  /** A body of exactly so many bytes. */
  private static String ofBytes(int bytes) {
    ObjectNode body = Bodies.turn("run", "");
    int others = body.toString().length();
    return body.put("prompt", "x".repeat(bytes - others)).toString();
  }

  private static HttpResponse<String> chunked(String body) throws Exception {
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      return client.send(
          HttpRequest.newBuilder(URI.create(harness.uri() + "/turns"))
              .POST(
                  BodyPublishers.ofInputStream(
                      () -> new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8))))
              .build(),
          BodyHandlers.ofString());
    }
  }

  @Test
  void aBodyOfFourMebibytesIsAdmitted() throws Exception {
    harness.send("POST", "/turns", ofBytes(4 * MIB)).ok();
    assertEquals(200, chunked(ofBytes(4 * MIB)).statusCode());
  }

  @ParameterizedTest
  @ValueSource(ints = {4 * MIB + 1, 5 * MIB, 15 * MIB})
  void aLargerBodyIsRefusedAndTheServerGoesOn(int bytes) throws Exception {
    Reply reply = harness.send("POST", "/turns", ofBytes(bytes));
    assertEquals(413, reply.status());
    assertTrue(reply.error().contains("4194304 bytes"), reply.error());

    HttpResponse<String> inChunks = chunked(ofBytes(bytes));
    assertEquals(413, inChunks.statusCode());
    assertTrue(inChunks.body().contains("4194304 bytes"), inChunks::body);

    harness.post("/turns", Bodies.turn("run", "Write it.")).ok();
  }

  @Test
  void aLargerBodyIsRefusedOnEveryRouteThatTakesOne() {
    String body = ofBytes(5 * MIB);
    assertEquals(413, harness.send("POST", "/agents/coder/mine", body).status());
    assertEquals(413, harness.send("PUT", "/agents", body).status());
  }

  @Test
  void whatFollowsALargeBodyOnItsConnectionIsNeverReadAsItsRest() throws Exception {
    try (RawConnection connection = harness.connect()) {
      String tooLarge = ofBytes(5 * MIB);
      connection.send(connection.request("POST", "/turns", tooLarge));
      Reply refused = connection.read("POST");
      assertEquals(413, refused.status(), refused::toString);
      assertEquals("close", refused.header("connection"));
      assertTrue(connection.awaitClosed());
    }
  }

  @Test
  void aLengthThatIsAnnouncedAndTooLargeIsRefusedWithoutWaitingForTheBody() throws Exception {
    try (RawConnection connection = harness.connect()) {
      connection.send("POST /turns HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n");
      Reply refused = connection.read("POST");
      assertEquals(413, refused.status(), refused::toString);
      refused.error();
    }
  }

  @Test
  void aChunkThatIsAnnouncedAndTooLargeIsRefusedWithoutWaitingForIt() throws Exception {
    try (RawConnection connection = harness.connect()) {
      connection.send(
          "POST /turns HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff\r\n");
      Reply refused = connection.read("POST");
      assertEquals(413, refused.status(), refused::toString);
      assertTrue(refused.error().contains("4194304 bytes"), refused.error());
    }
  }

  @Test
  void whoeverWaitsForLeaveToSendABodyGetsTheAnswerInstead() throws Exception {
    try (RawConnection connection = harness.connect()) {
      connection.send(
          "POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n");
      Reply refused = connection.read("POST");
      assertEquals(404, refused.status(), refused::toString);
      assertEquals("close", refused.header("connection"));
      assertTrue(connection.awaitClosed());
    }
    try (RawConnection connection = harness.connect()) {
      String body = Bodies.turn("a", "x").toString();
      String request = connection.request("POST", "/turns", body, "Expect", "100-continue");
      connection.send(request);
      assertEquals(200, connection.read("POST").status());
    }
  }

  @Test
  void aBodyThatEndsEarlyIsNoFaultOfTheServer() throws Exception {
    try (RawConnection connection = harness.connect()) {
      connection.send("POST /turns HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{\"run\"");
      connection.finish();
      Reply refused = connection.read("POST");
      assertEquals(400, refused.status(), refused::toString);
      assertTrue(refused.error().contains("did not come whole"), refused.error());
    }
    try (RawConnection connection = harness.connect()) {
      connection.send(
          "POST /turns HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n");
      Reply refused = connection.read("POST");
      assertEquals(400, refused.status(), refused::toString);
      assertTrue(refused.error().contains("did not come whole"), refused.error());
    }
    harness.post("/turns", Bodies.turn("run", "Write it.")).ok();
  }

  @Test
  void twoRequestsSentInOneGoAreBothAnswered() throws Exception {
    try (RawConnection connection = harness.connect()) {
      String one = connection.request("POST", "/turns", Bodies.turn("a", "x").toString());
      String two = connection.request("GET", "/agents/coder/none", "");
      connection.send(one + two + one);
      assertEquals(200, connection.read("POST").status());
      assertEquals(404, connection.read("GET").status());
      assertEquals(200, connection.read("POST").status());
    }
  }

  @Test
  void aRefusedBodyLeavesItsConnectionUsable() throws Exception {
    try (RawConnection connection = harness.connect()) {
      assertEquals(400, connection.exchange("POST", "/turns", "{").status());
      assertEquals(404, connection.exchange("POST", "/nowhere", "some body").status());
      assertEquals(405, connection.exchange("DELETE", "/turns", "some body").status());
      assertEquals(404, connection.exchange("POST", "/nowhere", "x".repeat(MIB)).status());
      Reply good = connection.exchange("POST", "/turns", Bodies.turn("a", "x").toString());
      assertEquals(200, good.status(), good::toString);
    }
  }
}
