package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Bodies;
import harness.RawConnection;
import harness.Reply;
import harness.Seed;
import harness.TestHarness;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests made from right ones by mutation. {@code -Dseed=N} replays a run; without it each run
 * has a seed of its own, which is printed.
 */
@Timeout(300)
class RandomRequestsTest {
  private static final int REQUESTS = 1000;
  private static final List<String> METHODS =
      List.of("GET", "POST", "PUT", "HEAD", "DELETE", "OPTIONS", "PATCH", "get", "FROB");
  private static final List<String> PATHS =
      List.of(
          "/turns",
          "/agents",
          "/agents/coder/mine",
          "/agents/coder/run%2Ftask%2Fcoder",
          "/agents/coder/mine/abort",
          "/agents/coder/a%2Fabort",
          "/agents/coder/mine?view=history",
          "/agents/coder/mine?view=updates&offset=aaaa-1",
          "/health/live",
          "/faults");
  private static final List<String> SCRAPS =
      List.of(
          "%2F",
          "%",
          "%zz",
          "%00",
          "/",
          "//",
          "..",
          ";",
          "?",
          "#",
          "&",
          "=",
          "\"",
          "{",
          "}",
          "[",
          "]",
          ",",
          ":",
          "null",
          "true",
          "-1",
          "1e999",
          "\\u0000",
          "\\ud800",
          "\u0000",
          "\u00e9",
          "\ud83d\ude00",
          "f-",
          "abort",
          "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
          " ");
  private static final List<String> HEADERS =
      List.of(
          "Idempotency-Key: key",
          "Idempotency-Key: ",
          "Accept: */*",
          "Last-Event-ID: aaaa-1",
          "Harness-Author: user:alice",
          "Content-Type: text/plain",
          "Authorization: Bearer x",
          "Connection: close",
          "Expect: 100-continue",
          "Content-Length: 3",
          "Transfer-Encoding: chunked",
          "Content-Encoding: gzip",
          "Upgrade: h2c",
          "X-\u00e9: \u00e9");

  private final long seed = Seed.get(RandomRequestsTest.class);
  private final Random random = new Random(seed);

  @Test
  void noRequestIsAFaultOfTheServer(@TempDir Path directory) throws Exception {
    try (TestHarness harness = TestHarness.start(directory)) {
      for (int i = 0; i < REQUESTS; i++) {
        byte[] request = request();
        assertNoFault(harness, i, request);
      }
      Reply after = harness.post("/turns", Bodies.continued("after", "Write it."));
      assertEquals("completed", harness.awaitSettled(after).path("outcome").asText());
      harness.restart();
      assertEquals(200, harness.get(after.conversation() + "?view=history").status());
    }
  }

  private void assertNoFault(TestHarness harness, int number, byte[] request) throws IOException {
    String shown = new String(request, StandardCharsets.UTF_8);
    try (RawConnection connection = harness.connect()) {
      connection.send(request);
      connection.finish();
      Reply reply = connection.read(shown.startsWith("HEAD ") ? "HEAD" : "GET");
      assertTrue(
          reply.status() < 500,
          () -> "seed " + seed + ", request " + number + ":\n" + shown + "\n-> " + reply);
      if (reply.status() >= 400 && !shown.startsWith("HEAD ")) {
        String told = reply.error();
        assertTrue(
            List.of("com.fasterxml", "harness.", "java.", "[Source:").stream()
                .noneMatch(told::contains),
            () -> "seed " + seed + ", request " + number + ":\n" + shown + "\n-> " + told);
      }
    } catch (EOFException | SocketException e) {
      // What is no HTTP at all may be hung up on.
      assertTrue(
          harness.get("/health/live").status() == 200,
          () -> "seed " + seed + ", request " + number + ":\n" + shown + "\n-> " + e);
    }
  }

  private byte[] request() {
    String method = any(METHODS);
    String target = any(PATHS);
    String body = body();
    for (int left = random.nextInt(3); left > 0; left--) {
      target = mutated(target);
    }
    for (int left = random.nextInt(4); left > 0; left--) {
      body = mutated(body);
    }
    if (random.nextInt(50) == 0) {
      method = mutated(method);
    }
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    StringBuilder head =
        new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n");
    for (int left = random.nextInt(3); left > 0; left--) {
      head.append(any(HEADERS)).append("\r\n");
    }
    if (!head.toString().toLowerCase(Locale.ROOT).contains("content-length")
        && random.nextInt(20) > 0) {
      head.append("Content-Length: ").append(bytes.length).append("\r\n");
    }
    return (head + "\r\n" + body).getBytes(StandardCharsets.UTF_8);
  }

  private String body() {
    return switch (random.nextInt(6)) {
      case 0 -> Bodies.turn("run", "Write it.").toString();
      case 1 -> Bodies.continued("run", "list it").toString();
      case 2 -> Bodies.submission("Meet a fault.").toString();
      case 3 ->
          Bodies.continued("run", "Write it.")
              .put("epoch", random.nextInt())
              .put("cwd", "/work")
              .put("model", "test/plain")
              .put("thinkingLevel", "low")
              .put("expectHeld", true)
              .set("author", Bodies.turn("x", "y").put("kind", "user"))
              .toString();
      case 4 -> "{\"live\":[{\"agent\":\"coder\",\"instanceId\":\"mine\"}]}";
      default -> "";
    };
  }

  private String mutated(String text) {
    int at = random.nextInt(text.length() + 1);
    int to = Math.min(text.length(), at + random.nextInt(8));
    return switch (random.nextInt(5)) {
      case 0 -> text.substring(0, at) + any(SCRAPS) + text.substring(at);
      case 1 -> text.substring(0, at) + any(SCRAPS) + text.substring(to);
      case 2 -> text.substring(0, at) + text.substring(to);
      case 3 -> text.substring(0, at) + text.substring(at, to).repeat(2) + text.substring(to);
      default -> text.substring(0, at) + (char) random.nextInt(256) + text.substring(at);
    };
  }

  private <T> T any(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
