package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Bodies;
import harness.RawConnection;
import harness.Reply;
import harness.TestHarness;
import harness.TestSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Without an accepted token nothing is told, read or made. */
@Timeout(120)
class GateTest {
  private static final String BODY = Bodies.submission("Write it.").toString();

  private static TestHarness harness;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    harness =
        TestSettings.in(directory)
            .tokens("the old token", "the-new-token")
            .freeAfter(Duration.ZERO)
            .start();
  }

  @AfterAll
  static void stop() {
    harness.close();
  }

  private static void assertRefused(Reply reply) {
    assertEquals(401, reply.status(), reply::toString);
    assertEquals("Bearer", reply.header("www-authenticate"));
    assertEquals(
        "{\"error\":\"send Authorization: Bearer TOKEN with a token that this Harness accepts\"}",
        reply.body());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST | /turns | {",
        "POST | /turns | {\"unknown\": 1}",
        "GET | /turns | ''",
        "POST | /agents/coder/mine | {}",
        "GET | /agents/coder/mine | ''",
        "GET | /agents/coder/%zz | ''",
        "GET | /agents/coder/mine?view=none | ''",
        "POST | /agents/coder/mine/abort | ''",
        "PUT | /agents | {\"live\":[]}",
        "GET | /nowhere | ''",
        "GET | / | ''",
        "DELETE | /turns | ''",
        "FROB | /a;b | ''",
        "GET | /healthy | ''",
        "GET | /health | ''",
        "GET | //health/live | ''",
        "GET | /turns/../health/live | ''",
        "GET | /Health/live | ''",
        "GET | /%68ealth/live | ''",
      })
  void withoutATokenEveryRouteAnswersTheSame(String method, String target, String body)
      throws Exception {
    try (RawConnection connection = harness.connect()) {
      assertRefused(connection.exchange(method, target, body));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bearer wrong",
        "Bearer ",
        "Bearer",
        "the-new-token",
        "Basic the-new-token",
        "Bearer the-new-token2",
        "Bearer the-new-toke",
        "Bearer THE-NEW-TOKEN",
        "Bearer the-new-token the-new-token",
        "Bearer,the-new-token",
      })
  void aWrongTokenIsNone(String authorization) {
    assertRefused(harness.post("/turns", Bodies.turn("run", "x"), "Authorization", authorization));
  }

  @Test
  void aRefusedRequestCreatesNothing() {
    assertRefused(harness.post("/agents/coder/never", Bodies.submission("x")));
    assertEquals(
        404, harness.get("/agents/coder/never", "Authorization", "Bearer the-new-token").status());
    assertEquals(
        "{\"freed\":0}",
        harness
            .send("PUT", "/agents", "{\"live\":[]}", "Authorization", "Bearer the-new-token")
            .ok()
            .body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bearer the old token", "Bearer the-new-token", "bearer the-new-token"})
  void eachAcceptedTokenIsLetIn(String authorization) {
    Reply reply = harness.get("/agents/coder/unknown", "Authorization", authorization);
    assertEquals(404, reply.status(), reply::toString);
    assertEquals(400, harness.send("POST", "/turns", "{", "Authorization", authorization).status());
  }

  @Test
  void theProbesAreOpenAndTellNothingElse() {
    for (String probe : new String[] {"started", "ready", "live"}) {
      assertEquals("{\"status\":\"UP\"}", harness.get("/health/" + probe).ok().body());
    }
    assertEquals(404, harness.get("/health/other").status());
    assertEquals(404, harness.get("/health/").status());
    assertEquals(404, harness.get("/health/../turns").status());
  }

  @Test
  void aBodyBehindARefusalIsNotReadAsARequest() throws Exception {
    try (RawConnection connection = harness.connect()) {
      String inner =
          connection.request("GET", "/health/live", "", "Authorization", "Bearer the-new-token");
      Reply refused = connection.exchange("POST", "/turns", inner);
      assertRefused(refused);
      assertRefused(connection.exchange("POST", "/turns", BODY));
    }
  }

  @Test
  void theTokenIsInNoAnswer() {
    Reply reply = harness.get("/nowhere", "Authorization", "Bearer the-new-token");
    assertTrue(!reply.toString().contains("the-new-token"), reply::toString);
  }
}
