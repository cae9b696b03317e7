package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.Bodies;
import harness.Reply;
import harness.TestHarness;
import harness.TestSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where a Turn works is settled when it is admitted, or it is not admitted. */
@Timeout(120)
class FrameTest {
  private static Reply turn(TestHarness harness, String cwd) {
    return harness.post("/turns", Bodies.turn("run", "Write it.").put("cwd", cwd));
  }

  private static void assertRefused(Reply reply, String... words) {
    assertEquals(400, reply.status(), reply::toString);
    assertEquals("cwd", reply.field());
    for (String word : words) {
      assertTrue(reply.error().contains(word), reply.error());
    }
  }

  private static String cwd(TestHarness harness, Reply admission) {
    JsonNode started =
        harness.await(
            admission.conversation(),
            "turn-started",
            "submissionId",
            admission.text("submissionId"));
    return started.path("cwd").asText("(none)");
  }

  private static void assertNothingLeft(TestHarness harness) {
    assertEquals(
        0, harness.send("PUT", "/agents", "{\"live\":[]}").ok().json().path("freed").asInt());
  }

  @Test
  void aCwdThatIsNoDirectoryOfTheWorkspaceIsRefused(@TempDir Path directory) throws Exception {
    try (TestHarness harness = TestSettings.in(directory).freeAfter(Duration.ZERO).start()) {
      String root = harness.root().toString();
      Files.createDirectories(harness.root().resolve("a/b"));
      Files.writeString(harness.root().resolve("file"), "x");
      Path outside = Files.createDirectory(directory.resolve("outside"));
      Files.createSymbolicLink(harness.root().resolve("out"), outside);
      Files.createSymbolicLink(harness.root().resolve("up"), Path.of(".."));
      Files.createSymbolicLink(harness.root().resolve("dangling"), Path.of("nowhere"));
      Files.createSymbolicLink(harness.root().resolve("loop"), Path.of("loop"));

      for (String relative : new String[] {"a", "./a", "a/b", " ", "~", "C:\\a"}) {
        assertRefused(turn(harness, relative), "Frame", "absolute");
      }
      assertRefused(turn(harness, ""), "Frame", "empty");
      for (String crooked :
          new String[] {
            root + "/a/",
            root + "//a",
            root + "/./a",
            root + "/a/../a",
            root + "/..",
            "/..",
            root + "/a/."
          }) {
        assertRefused(turn(harness, crooked), "Frame", "normalised");
      }
      for (String outsider :
          new String[] {"/", "/etc", outside.toString(), root + "x", directory.toString()}) {
        assertRefused(turn(harness, outsider), "Frame", root);
      }
      for (String link : new String[] {"out", "up", "up/outside"}) {
        assertRefused(turn(harness, root + "/" + link), "Frame", root);
      }
      assertRefused(turn(harness, root + "/missing"), "Frame", "missing");
      assertRefused(turn(harness, root + "/a/missing/b"), "Frame", "missing");
      assertRefused(turn(harness, root + "/dangling"), "Frame");
      assertRefused(turn(harness, root + "/loop"), "Frame");
      assertRefused(turn(harness, root + "/file"), "Frame", "director");
      assertRefused(turn(harness, root + "/file/a"), "Frame");
      assertRefused(turn(harness, root + "/a\0b"), "Frame");
      assertRefused(turn(harness, "/" + "a".repeat(5000)), "Frame");
      assertRefused(turn(harness, root + "/" + "a".repeat(300)), "Frame");
      assertNothingLeft(harness);

      assertEquals(root + "/a/b", cwd(harness, turn(harness, root + "/a/b")));
      assertEquals(root, cwd(harness, turn(harness, root)));
    }
  }

  @Test
  void anAgentWithoutAWorkspaceHasNoCwd(@TempDir Path directory) throws Exception {
    try (TestHarness harness = TestSettings.in(directory).freeAfter(Duration.ZERO).start()) {
      ObjectNode body = Bodies.turn("run", "Write it.");
      ((ObjectNode) body.get("definition")).put("workspace", "none");
      assertRefused(
          harness.post("/turns", body.deepCopy().put("cwd", harness.root().toString())),
          "Frame",
          "none");
      assertNothingLeft(harness);
      assertEquals("(none)", cwd(harness, harness.post("/turns", body)));
    }
  }

  @Test
  void withoutASlotAnAbsentCwdIsTheWorkspaceRoot(@TempDir Path directory) throws Exception {
    try (TestHarness harness = TestHarness.start(directory)) {
      Reply reply = harness.post("/turns", Bodies.turn("run", "Write it."));
      assertEquals(harness.root().toString(), cwd(harness, reply));
    }
  }

  @Test
  void withOneSlotAnAbsentCwdIsItsWorktree(@TempDir Path directory) throws Exception {
    try (TestHarness harness =
        TestSettings.in(directory).slots(Map.of("target", "target/main")).start()) {
      Reply reply = harness.post("/turns", Bodies.turn("run", "Write it."));
      assertEquals(harness.root() + "/target/main", cwd(harness, reply));
    }
  }

  @Test
  void withTwoSlotsAnAbsentCwdIsRefusedNamingEachAndTheLineToAdd(@TempDir Path directory)
      throws Exception {
    try (TestHarness harness =
        TestSettings.in(directory)
            .slots(Map.of("target", "target/main", "library", "library/x"))
            .freeAfter(Duration.ZERO)
            .start()) {
      for (Reply refused :
          new Reply[] {
            harness.post("/turns", Bodies.turn("run", "Write it.")),
            harness.post("/agents/coder/mine", Bodies.submission("Write it.")),
          }) {
        assertRefused(
            refused,
            "Frame",
            "target",
            "\"cwd\": \"" + harness.root() + "/target/main\"",
            "library",
            "\"cwd\": \"" + harness.root() + "/library/x\"");
      }
      assertNothingLeft(harness);
      String library = harness.root() + "/library/x";
      assertEquals(library, cwd(harness, turn(harness, library)));
    }
  }

  @Test
  void aWorktreeThatIsGoneIsToldOfAtAdmission(@TempDir Path directory) throws Exception {
    try (TestHarness harness =
        TestSettings.in(directory).slots(Map.of("target", "target")).start()) {
      Files.delete(harness.root().resolve("target"));
      Reply refused = harness.post("/turns", Bodies.turn("run", "Write it."));
      assertRefused(refused, "Frame", harness.root() + "/target");
      assertFalse(refused.error().contains("Exception"), refused.error());
    }
  }
}
