package harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoWorkspaceTest {
  @TempDir Path base;

  private DemoWorkspace worked() throws IOException {
    DemoWorkspace workspace = DemoWorkspace.create(base.toRealPath());
    Path worktree = workspace.worktree();
    Files.createDirectory(worktree.resolve("greetings"));
    Files.writeString(worktree.resolve("greetings/ada.txt"), "Hello, Ada!\n");
    Files.writeString(worktree.resolve("README.md"), "# Greetings\n\nSigned by: the coder\n");
    return workspace;
  }

  @Test
  void filesWhereTheyBelongAreNoFault() throws IOException {
    assertEquals(Set.of(), worked().faults());
  }

  @Test
  void aFileAnywhereElseIsAFault() throws IOException {
    DemoWorkspace workspace = worked();
    Files.writeString(workspace.root().resolve("target/default/ada.txt"), "Hello, Ada!\n");
    assertEquals(Set.of("target/default/ada.txt"), workspace.faults());
  }

  @Test
  void aFileThatIsMissingOrHoldsSomethingElseIsAFault() throws IOException {
    DemoWorkspace workspace = worked();
    Files.delete(workspace.worktree().resolve("greetings/ada.txt"));
    Files.writeString(workspace.worktree().resolve("README.md"), "else");
    assertEquals(
        Set.of("target/feature-x/greetings/ada.txt is as it was", "README.md holds something else"),
        workspace.faults());
  }
}
