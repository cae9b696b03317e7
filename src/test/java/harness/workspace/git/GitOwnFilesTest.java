package harness.workspace.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import harness.workspace.Handles;
import harness.workspace.PathException;
import harness.workspace.Root;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A git directory is written under names that lead down in it, whatever they were made of. */
class GitOwnFilesTest {
  @TempDir private Path temporary;

  @ParameterizedTest
  @ValueSource(strings = {"..", "../kept", "refs/../../kept", "refs/./kept", "refs//kept", ""})
  void aNameThatDoesNotLeadDownIsRefused(String path) throws Exception {
    Path root = temporary.toRealPath();
    Path directory = root.resolve("git");
    Files.createDirectories(directory.resolve("refs"));
    Path kept = Files.writeString(root.resolve("kept"), "kept\n");
    try (Root opened =
        Root.open(Handles.system(new Random(3)), root.toString(), directory.toString())) {
      GitOwnFiles files = new GitOwnFiles(opened.way());
      assertEquals(
          PathException.Kind.OUTSIDE,
          assertThrows(PathException.class, () -> files.lock(path)).kind());
      assertThrows(PathException.class, () -> files.append(path, "line\n"));
      assertThrows(PathException.class, () -> files.remove(path));
    }
    assertEquals("kept\n", Files.readString(kept));
  }
}
