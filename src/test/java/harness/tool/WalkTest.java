package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.Descriptors;
import harness.workspace.Directory;
import harness.workspace.FaultyHandles;
import harness.workspace.Handles;
import harness.workspace.Root;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A walk leaves no directory open, whatever ends it. */
class WalkTest {
  private final FaultyHandles handles = new FaultyHandles(Handles.system(new Random(9)));
  private Path base;

  @BeforeEach
  void makeDirectories(@TempDir Path directory) throws IOException {
    base = directory.toRealPath();
    Files.createDirectory(base.resolve(".git"));
    for (String name : List.of("a", "a/b", "c", "c/d/e")) {
      Path made = Files.createDirectories(base.resolve(name));
      Files.writeString(made.resolve("one.txt"), "text\n");
      Files.writeString(made.resolve(".gitignore"), "*.o\n");
    }
  }

  private Root root() throws IOException {
    return Root.open(handles, base.toString(), base.resolve("a").toString());
  }

  private static void call(WorkingTool tool, Root root) throws IOException, InterruptedException {
    String pattern = tool instanceof GlobTool ? "**/*.txt" : "text";
    try {
      ToolResult unused =
          tool.call(
              Workplace.tree(Map.of("pattern", pattern, "path", "..")), Workplace.reading(root));
    } catch (ToolException e) {
      throw new AssertionError(e);
    }
  }

  private boolean cutOff(WorkingTool tool, int step, FaultyHandles.Before by) throws IOException {
    AtomicInteger steps = new AtomicInteger();
    try (Root root = root()) {
      handles.before(
          () -> {
            if (steps.incrementAndGet() == step) {
              by.run();
            }
          });
      call(tool, root);
    } catch (IOException | InterruptedException e) {
      assertTrue(steps.get() >= step, () -> "not cut off and failed: " + e);
    } finally {
      handles.before(() -> {});
      Thread.interrupted();
    }
    assertEquals(List.of(), Descriptors.under(base), tool + " cut off at step " + step);
    return steps.get() >= step;
  }

  private void cutOffEverywhere(FaultyHandles.Before by) throws IOException {
    for (WorkingTool tool : List.of(new GlobTool(1), new GrepTool(1, GlobTool.MAX_TIME))) {
      int step = 1;
      while (cutOff(tool, step, by)) {
        step++;
      }
      assertTrue(step > 10, "the walk takes more steps than " + step);
    }
  }

  @Test
  void anInterruptOfAThreadAtAnyStep() throws IOException {
    cutOffEverywhere(() -> Thread.currentThread().interrupt());
  }

  @Test
  void aFailureOfTheSystemAtAnyStep() throws IOException {
    cutOffEverywhere(
        () -> {
          throw new FileSystemException("x", null, "input/output error");
        });
  }

  @Test
  void aVisitorThatIsInterruptedBesideDirectoriesThatWait()
      throws IOException, InterruptedException {
    for (int i = 0; i < 40; i++) {
      Files.createDirectory(base.resolve("a/d" + i));
    }
    for (int at = 1; at <= 40; at++) {
      int last = at;
      AtomicInteger entered = new AtomicInteger();
      try (Root root = root()) {
        Walk.Visitor<Boolean> visitor =
            new Walk.Visitor<>() {
              @Override
              public boolean enters(String path) {
                if (entered.incrementAndGet() == last) {
                  Thread.currentThread().interrupt();
                }
                return true;
              }

              @Override
              public boolean wants(Directory.Entry entry, String path) {
                return true;
              }

              @Override
              public Boolean visit(Directory directory, Directory.Entry entry, String path) {
                return true;
              }
            };
        Walk.Taker<Boolean> taker =
            new Walk.Taker<>() {
              @Override
              public boolean take(String path, Boolean found) {
                return true;
              }

              @Override
              public int weight(Boolean found) {
                return 0;
              }
            };
        Crew crew = new Crew(2, GlobTool.MAX_TIME);
        boolean unused =
            new Walk<>(root, false, crew, () -> visitor, taker).through(root.directory("."));
      }
      assertEquals(List.of(), Descriptors.under(base), "interrupted at directory " + at);
    }
  }
}
