package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Reply;
import harness.TestHarness;
import harness.workspace.attach.GitHttpServer;
import harness.workspace.attach.Remote;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Repositories are attached by a request, and Turns then find them. */
class AttachOverTheWireTest {
  @TempDir private Path directory;

  private static String slot(String name, String url) {
    return "{\"slot\": \"" + name + "\", \"url\": \"" + url + "\"}";
  }

  private static String body(String branch, String... slots) {
    return "{\"slots\": [" + String.join(", ", slots) + "], \"branch\": \"" + branch + "\"}";
  }

  @Test
  void aTurnWorksInWhatWasAttachedAlsoAfterARestart() throws Exception {
    Remote remote = Remote.with(directory.resolve("served/target"));
    try (GitHttpServer server = new GitHttpServer(directory.resolve("served"));
        TestHarness harness = TestHarness.start(directory)) {
      String request = body("feature-x", slot("target", server.url("target/.git")));
      Reply reply = harness.send("POST", "/attach", request).ok();
      String worktree = harness.root() + "/target/feature-x";
      assertEquals("{\"repos\":{\"target\":\"" + worktree + "\"}}", reply.body());
      assertEquals(reply.body(), harness.send("POST", "/attach", request).ok().body());
      String workspace =
          "{\"root\":\""
              + harness.root()
              + "\",\"slots\":[{\"slot\":\"target\",\"worktree\":\""
              + worktree
              + "\",\"branch\":\"feature-x\"}]}";
      assertEquals(workspace, harness.get("/workspace").ok().body());
      harness.restart();
      assertEquals(workspace, harness.get("/workspace").ok().body());
      Reply turn =
          harness
              .send(
                  "POST",
                  "/turns",
                  "{\"run\":\"r\",\"path\":\"p\",\"agent\":\"coder\",\"prompt\":\"hello\","
                      + "\"definition\":{\"model\":\"test/plain\",\"instructions\":\"x\"}}")
              .ok();
      assertEquals(
          worktree,
          harness
              .await(turn.conversation(), "turn-started", "submissionId", turn.text("submissionId"))
              .path("cwd")
              .asText());
      String sha = remote.head();
      Reply review =
          harness
              .send(
                  "POST",
                  "/attach",
                  request.replaceFirst("\\}$", ", \"reviewSha\": \"" + sha + "\"}"))
              .ok();
      assertEquals(
          harness.root() + "/target/review-" + sha, review.json().at("/review/target").asText());
    }
  }

  @Test
  void twoSlotsAreAttachedAtOnceAndTwiceAtOnce() throws Exception {
    Remote one = Remote.with(directory.resolve("served/one"));
    Remote two = Remote.with(directory.resolve("served/two"));
    try (GitHttpServer server = new GitHttpServer(directory.resolve("served"));
        TestHarness harness = TestHarness.start(directory)) {
      String request =
          body("x", slot("one", server.url("one/.git")), slot("two", server.url("two/.git")));
      CompletableFuture<Reply> first = harness.sendAsync("POST", "/attach", request);
      CompletableFuture<Reply> second = harness.sendAsync("POST", "/attach", request);
      assertEquals(first.join().ok().body(), second.join().ok().body());
      assertEquals(
          one.head(), Remote.git(harness.root().resolve("one/x"), "rev-parse", "HEAD").strip());
      assertEquals(
          two.head(), Remote.git(harness.root().resolve("two/x"), "rev-parse", "HEAD").strip());
    }
  }

  @Test
  void aStepThatFailsNamesItsSlot() throws Exception {
    Remote.with(directory.resolve("served/one"));
    try (GitHttpServer server = new GitHttpServer(directory.resolve("served"));
        TestHarness harness = TestHarness.start(directory)) {
      Reply reply =
          harness.send(
              "POST",
              "/attach",
              body("x", slot("one", server.url("one/.git")), slot("two", server.url("none"))));
      assertEquals(500, reply.status());
      assertEquals("two", reply.text("slot"));
      assertTrue(reply.error().contains(server.url("none")), reply.error());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"slots\": [], \"branch\": \"x\"}",
        "{\"slots\": [{\"slot\": \"a\", \"url\": \"URL\"}]}",
        "{\"slots\": [{\"slot\": \"a\", \"url\": \"URL\"}], \"branch\": \"x\", \"more\": 1}",
        "{\"slots\": [{\"slot\": \"a\", \"url\": \"URL\"}], \"branch\": \"../x\"}",
        "{\"slots\": [{\"slot\": \"a\", \"url\": \"URL\"}], \"branch\": \"default\"}",
        "{\"slots\": [{\"slot\": \"a\", \"url\": \"URL\"}], \"branch\": \"review-1\"}",
        "{\"slots\": [{\"slot\": \"..\", \"url\": \"URL\"}], \"branch\": \"x\"}",
        "{\"slots\": [{\"slot\": \"a/b\", \"url\": \"URL\"}], \"branch\": \"x\"}",
        "{\"slots\": [{\"slot\": \".harness-mirrors\", \"url\": \"URL\"}], \"branch\": \"x\"}",
        "{\"slots\": [{\"slot\": \"a\", \"url\": \"URL\"}, {\"slot\": \"a\", \"url\": \"URL\"}],"
            + " \"branch\": \"x\"}",
        "{\"slots\": [{\"slot\": \"a\", \"url\": \"ssh://git@host/a\"}], \"branch\": \"x\"}",
        "{\"slots\": [{\"slot\": \"a\", \"url\": \"git@host:a\"}], \"branch\": \"x\"}",
        "{\"slots\": [{\"slot\": \"a\", \"url\": \"ext::sh -c id\"}], \"branch\": \"x\"}",
        "{\"slots\": [{\"slot\": \"a\", \"url\": \"https://a:b@host/a\"}], \"branch\": \"x\"}",
        "{\"slots\": [{\"slot\": \"a\", \"url\": \"/etc\"}], \"branch\": \"x\"}",
        "{\"slots\": [{\"slot\": \"a\", \"url\": \"URL\", \"ref\": \"-x\"}], \"branch\": \"x\"}",
        "{\"slots\": [{\"slot\": \"a\", \"url\": \"URL\"}], \"branch\": \"x\", \"reviewSha\":"
            + " \"abc\"}"
      })
  void aBodyThatIsNoAttachAsksNobody(String body) throws Exception {
    Remote.with(directory.resolve("served/target"));
    try (GitHttpServer server = new GitHttpServer(directory.resolve("served"));
        TestHarness harness = TestHarness.start(directory)) {
      Reply reply = harness.send("POST", "/attach", body.replace("URL", server.url("target/.git")));
      assertEquals(400, reply.status(), reply.body());
      assertEquals(List.of(), server.asked());
      assertTrue(Files.notExists(harness.root().resolve(".harness-mirrors")));
    }
  }
}
