package harness.workspace.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.Handles;
import harness.workspace.Root;
import harness.workspace.git.GitDirectories;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sandbox that shows another directory than was meant lets nothing run. */
class BubblewrapTest {
  private Path work;
  private Path meant;
  private Path other;

  @BeforeEach
  void make(@TempDir Path directory) throws Exception {
    Sandboxes.bubblewrap(Map.of(), List.of());
    work = directory.toRealPath();
    meant = Files.createDirectory(work.resolve("meant"));
    other = Files.createDirectory(work.resolve("other"));
  }

  private Mount mount(Path path, Path identified) throws IOException {
    try (Root root =
        Root.open(Handles.system(new Random(7)), work.toString(), identified.toString())) {
      return root.enter(
          entry ->
              new Mount(
                  path.toString().getBytes(StandardCharsets.UTF_8),
                  Mount.identity(entry.device(), entry.inode())));
    }
  }

  private String run(Mount cwd) throws IOException {
    Path program = CommandRunner.find("bwrap", System.getenv("PATH")).orElseThrow();
    Bubblewrap sandbox = new Bubblewrap(program, List.of(), false);
    List<byte[]> words = sandbox.words("/bin/sh", "", work, cwd, List.of(cwd), GitDirectories.NONE);
    ProcessBuilder builder =
        new ProcessBuilder(
                words.stream().map(word -> new String(word, StandardCharsets.UTF_8)).toList())
            .redirectErrorStream(true);
    builder.environment().putAll(sandbox.environment("echo ran > written; echo ran"));
    return new String(builder.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void whatWasMeantIsAnnounced() throws IOException {
    assertEquals("\006ran\n", run(mount(meant, meant)));
    assertTrue(Files.exists(meant.resolve("written")));
  }

  @Test
  void whatWasNotMeantIsRefused() throws IOException {
    assertEquals(
        "the working directory was exchanged meanwhile; try again\n", run(mount(other, meant)));
    assertFalse(Files.exists(other.resolve("written")));
  }
}
