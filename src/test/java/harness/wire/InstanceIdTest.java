package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import harness.Bodies;
import harness.RawConnection;
import harness.Reply;
import harness.TestHarness;
import harness.TestSettings;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An Instance ID in a path is one segment, decoded once, and names a conversation or nothing. */
@Timeout(120)
class InstanceIdTest {
  private static final String BODY = Bodies.submission("Write it.").toString();

  private TestHarness harness;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    harness = TestSettings.in(directory).freeAfter(Duration.ZERO).start();
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  /** Sends a path as it is, which an HTTP client might not. */
  private Reply raw(String method, String target, String body) throws Exception {
    try (RawConnection connection = harness.connect()) {
      return connection.exchange(method, target, body);
    }
  }

  private void assertHeld(int conversations) {
    JsonNode freed = harness.send("PUT", "/agents", "{\"live\":[]}").ok().json().path("freed");
    assertEquals(conversations, freed.asInt());
  }

  @Test
  void anEncodedSlashIsPartOfTheNameAndNeverAnAction() throws Exception {
    Reply named = raw("POST", "/agents/coder/a%2Fabort", BODY);
    assertEquals("a/abort", named.ok().text("instanceId"));
    assertTrue(named.text("streamUrl").endsWith("/agents/coder/a%2Fabort"), named::toString);
    assertEquals("completed", harness.awaitSettled(named).path("outcome").asText());
    assertEquals(
        "a/abort",
        raw("GET", "/agents/coder/a%2fabort?view=history", "").ok().text("conversationId"));
    assertEquals(200, raw("HEAD", "/agents/coder/a%2Fabort", "").status());
    assertEquals(404, raw("HEAD", "/agents/coder/a", "").status());
    assertEquals(404, raw("POST", "/agents/coder/a/abort", "").status());

    Reply live = raw("POST", "/agents/coder/a", Bodies.submission("Wait for gate-1.").toString());
    harness.awaitStarted(live);
    assertEquals("true", raw("POST", "/agents/coder/a/abort", "").ok().text("aborted"));
    assertEquals("aborted", harness.awaitSettled(live).path("outcome").asText());
    assertEquals("false", raw("POST", "/agents/coder/a%2Fabort/abort", "").ok().text("aborted"));
  }

  @ParameterizedTest
  @CsvSource({
    "run-42%2Ftask%2Fcoder, run-42/task/coder",
    "a.b..c, a.b..c",
    "...%2F....., .../.....",
    "a%20b, a b",
    "a%252Fb, a%2Fb",
    "%25%32%46, %2F",
    "a%3Bx, a;x",
    "%C3%BCber, über",
    "%E6%97%A5%E6%9C%AC, 日本",
    "a+b, a+b",
    "a%3Fb%23c, a?b#c",
    "mine-_~!$&'()*+, mine-_~!$&'()*+",
  })
  void aNameIsDecodedOnce(String encoded, String name) throws Exception {
    Reply reply = raw("POST", "/agents/coder/" + encoded, BODY);
    assertEquals(name, reply.ok().text("instanceId"));
    assertEquals("completed", harness.awaitSettled(reply).path("outcome").asText());
    assertEquals(200, harness.get(reply.conversation()).status());
    assertHeld(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/agents/coder/",
        "/agents/coder//",
        "/agents//mine",
        "/agents/coder/.",
        "/agents/coder/..",
        "/agents/coder/%2E%2E",
        "/agents/coder/a%2F..%2Fb",
        "/agents/coder/a%2F%2Fb",
        "/agents/coder/%2Fa",
        "/agents/coder/a%2F",
        "/agents/coder/a/b",
        "/agents/coder/../coder/a/b",
        "/agents/coder/a;x",
        "/agents/coder/a;x=y/abort",
        "/agents/coder;x/a/b/c",
        "/agents;x/coder/a",
        "/agents/coder/a%00b",
        "/agents/coder/%0A",
        "/agents/coder/%7F",
        "/agents/coder/%C2%85",
        "/agents/coder/%E2%80%AE",
        "/agents/coder/%EF%BB%BFa",
        "/agents/coder/%F0%9F%98%80",
        "/agents/coder/%C0%AF",
        "/agents/coder/%C0%AE%C0%AE",
        "/agents/coder/%ED%A0%80",
        "/agents/coder/%FF",
        "/agents/coder/%E2%80",
        "/agents/coder/%",
        "/agents/coder/%2",
        "/agents/coder/%zz",
        "/agents/coder/%u0041",
        "/agents/co%2Fder/a",
        "/agents/1coder/a",
        "/agents/f-x/a",
        "/agents/co.der/a",
        "/agents/c%C3%B6der/a",
        "/agents/-/a",
      })
  void aNameThatIsNoneIsRefusedAndLeavesNothing(String target) throws Exception {
    for (String method : new String[] {"POST", "GET", "HEAD"}) {
      Reply reply = raw(method, target, method.equals("POST") ? BODY : "");
      assertTrue(reply.status() == 400 || reply.status() == 404, method + " " + reply);
      if (!method.equals("HEAD")) {
        reply.error();
      }
    }
    assertHeld(0);
  }

  @Test
  void bytesThatAreNoAsciiAreRefused() throws Exception {
    for (String name : new String[] {"\ud83d\ude00", "\u00fc", "\u0001", "\u0080"}) {
      ByteArrayOutputStream request = new ByteArrayOutputStream();
      request.writeBytes("POST /agents/coder/".getBytes(StandardCharsets.UTF_8));
      request.writeBytes(name.getBytes(StandardCharsets.UTF_8));
      request.writeBytes(
          (" HTTP/1.1\r\nHost: x\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY)
              .getBytes(StandardCharsets.UTF_8));
      try (RawConnection connection = harness.connect()) {
        connection.send(request.toByteArray());
        Reply reply = connection.read("POST");
        assertEquals(400, reply.status(), reply::toString);
        reply.error();
      }
    }
    assertHeld(0);
  }

  @Test
  void aNameHasAtMost1024Bytes() throws Exception {
    Reply longest = raw("POST", "/agents/coder/" + "a".repeat(1024), BODY);
    assertEquals(1024, longest.ok().text("instanceId").length());
    harness.awaitSettled(longest);
    Reply encoded = raw("POST", "/agents/coder/" + "%C3%BC".repeat(512), BODY);
    harness.awaitSettled(encoded);
    assertHeld(2);

    for (String tooLong : new String[] {"a".repeat(1025), "%C3%BC".repeat(512) + "a"}) {
      Reply refused = raw("POST", "/agents/coder/" + tooLong, BODY);
      assertEquals(400, refused.status(), refused::toString);
      assertTrue(refused.error().contains("1024 bytes"), refused.error());
    }
    assertHeld(0);
  }

  @Test
  void theLongestNameCanBeBurned() throws Exception {
    String target = "/agents/coder/" + "a".repeat(1024);
    Reply burning = raw("POST", target, Bodies.submission("Meet a fault.").toString());
    assertEquals("failed", harness.awaitSettled(burning).path("outcome").asText());
    assertEquals(200, harness.get(target + "?view=history").status());
    assertEquals(409, raw("POST", target, BODY).status());
  }

  @ParameterizedTest
  @ValueSource(ints = {4 * 1024, 7 * 1024, 9 * 1024, 100 * 1024})
  void aLongerNameIsRefusedInJson(int bytes) throws Exception {
    Reply refused = raw("POST", "/agents/coder/" + "a".repeat(bytes), BODY);
    assertTrue(refused.status() == 400 || refused.status() == 414, refused::toString);
    assertEquals("application/json", refused.header("content-type"));
    refused.error();
    assertHeld(0);
  }

  @Test
  void theAgentIsPartOfTheName() throws Exception {
    raw("POST", "/agents/coder/mine", BODY).ok();
    assertEquals(404, raw("GET", "/agents/tester/mine", "").status());
    Reply other = raw("POST", "/agents/tester/mine", BODY);
    assertEquals("true", other.ok().text("new"));
  }
}
