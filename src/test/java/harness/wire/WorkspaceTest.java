package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.TestHarness;
import harness.TestSettings;
import harness.workspace.attach.Remote;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Callers can ask where Turns may work. */
@Timeout(60)
class WorkspaceTest {
  @Test
  void theWorkspaceIsShownWithItsSlotsInTheOrderOfTheirNames(@TempDir Path directory)
      throws Exception {
    try (TestHarness harness =
        TestSettings.in(directory).slots(Map.of("target", "target/x", "docs", "docs/x")).start()) {
      String root = harness.root().toString();
      assertEquals(
          "{\"root\":\"%1$s\",\"slots\":[{\"slot\":\"docs\",\"worktree\":\"%1$s/docs/x\",\"branch\":null},{\"slot\":\"target\",\"worktree\":\"%1$s/target/x\",\"branch\":null}]}"
              .formatted(root),
          harness.get("/workspace").ok().body());
      Remote target = Remote.with(harness.root().resolve("target/x"));
      assertEquals("main", harness.get("/workspace").ok().json().at("/slots/1/branch").asText());
      Remote.git(target.directory(), "checkout", "-q", "-b", "team/feature");
      assertEquals(
          "team/feature", harness.get("/workspace").ok().json().at("/slots/1/branch").asText());
      Remote.git(target.directory(), "checkout", "-q", "--detach");
      assertTrue(harness.get("/workspace").ok().json().at("/slots/1/branch").isNull());
      assertEquals(405, harness.send("POST", "/workspace", "{}").status());
    }
  }
}
