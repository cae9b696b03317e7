package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.MemoryDirectory;
import harness.workspace.Swapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * While a tool works in a directory, somebody swaps that directory for a link to one outside that
 * looks the same. {@code -Drounds} says how often each tool is called; without it, for two seconds,
 * or longer where the machine is so slow that nothing much came of it.
 */
@Timeout(300)
@EnabledOnOs(OS.LINUX)
class AttackedToolsTest {
  private static final Duration USUAL = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final int ROUNDS = Integer.getInteger("rounds", 0);
  private static final String INSIDE = "inside\n";
  private static final String OUTSIDE = "OUTSIDE\n";

  @TempDir(factory = MemoryDirectory.class)
  Path temporary;

  private Workplace place;
  private int done;
  private int refused;

  @BeforeEach
  void open() throws IOException {
    place = Workplace.in(temporary);
    for (Path top : List.of(place.cwd, place.outside)) {
      String content = top.equals(place.cwd) ? INSIDE : OUTSIDE;
      Files.createDirectories(top.resolve("d/e"));
      Files.createDirectories(top.resolve("d/t"));
      Files.writeString(top.resolve("d/f"), content);
      Files.writeString(top.resolve("d/e/f"), content);
      Files.writeString(top.resolve("d/t/x"), content);
    }
    // A name that only a listing of the outside shows.
    Files.writeString(place.outside.resolve("d/e/OUTSIDE"), OUTSIDE);
  }

  @AfterEach
  void removeLinks() throws IOException {
    Files.deleteIfExists(place.cwd.resolve("link"));
  }

  private interface Round {
    void run(int round) throws IOException;
  }

  private void attacked(Round round) throws Exception {
    Map<String, String> outside = snapshot(place.outside);
    round.run(0);
    done = 0;
    refused = 0;
    try (Swapper attacker =
        new Swapper(
            place.cwd.resolve("d"), place.cwd.resolve("link"), place.outside.resolve("d"))) {
      Instant begin = Instant.now();
      int rounds = 0;
      while (attacker.running() && goesOn(rounds, Duration.between(begin, Instant.now()))) {
        round.run(++rounds);
      }
      long swaps = attacker.end();
      System.out.println(
          rounds + " rounds, " + swaps + " swaps: " + done + " done, " + refused + " refused");
      assertTrue(swaps > 10 && fought(), "no fight");
    }
    assertEquals(outside, snapshot(place.outside));
  }

  private boolean fought() {
    return done > 10 && refused > 0;
  }

  private boolean goesOn(int rounds, Duration time) {
    if (ROUNDS > 0) {
      return rounds < ROUNDS;
    }
    return time.compareTo(USUAL) < 0 || !fought() && time.compareTo(LONGEST) < 0;
  }

  /** Calls a tool; whatever it answers, it has read nothing outside. */
  private boolean call(String tool, Map<String, ?> input) {
    ToolResult result = place.call(tool, Workplace.tree(input));
    assertFalse(result.text().contains("OUTSIDE"), result.text());
    assertFalse(result.text().contains("bug of the Harness"), result.text());
    if (result.error()) {
      refused++;
    } else {
      done++;
    }
    return !result.error();
  }

  private static Map<String, String> snapshot(Path top) throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (var paths = Files.walk(top)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        all.put(
            path.toString(),
            Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) ? Files.readString(path) : "");
      }
    }
    return all;
  }

  @Test
  void readAndListReadNothingOutside() throws Exception {
    attacked(
        round -> {
          if (round % 2 == 0) {
            call("read", Map.of("path", "d/e/f"));
          } else {
            call("list", Map.of("path", "d/e"));
          }
        });
  }

  @Test
  void grepAndGlobFindNothingOutside() throws Exception {
    attacked(
        round -> {
          // From the swapped directory itself, and from above it, where the walk comes by.
          String path = round % 4 < 2 ? "d/e" : ".";
          if (round % 2 == 0) {
            call("grep", Map.of("pattern", "SIDE|f", "path", path, "ignored", true));
          } else {
            call("glob", Map.of("pattern", "**/*", "path", path, "ignored", true));
          }
        });
  }

  @Test
  void writeWritesNothingOutside() throws Exception {
    attacked(
        round ->
            call(
                "write",
                Map.of("path", "d/new-" + round % 20 + "/x", "content", "by write " + round)));
  }

  @Test
  void editReadsAndWritesNothingOutside() throws Exception {
    attacked(
        round -> {
          call("read", Map.of("path", "d/f"));
          call(
              "edit",
              Map.of(
                  "path",
                  "d/f",
                  "edits",
                  List.of(Map.of("old", "inside", "new", "inside".repeat(1 + round % 2)))));
        });
  }

  @Test
  void moveMovesNothingOutOrIn() throws Exception {
    attacked(
        round -> {
          if (call("move", Map.of("from", "d/f", "to", "g"))) {
            assertEquals(INSIDE, place.content("g"));
          }
          call("move", Map.of("from", "g", "to", "d/made-" + round % 5 + "/f"));
          call("move", Map.of("from", "d/made-" + round % 5 + "/f", "to", "d/f"));
          call("move", Map.of("from", "d/t", "to", "u"));
          call("move", Map.of("from", "u", "to", "d/t"));
        });
  }

  @Test
  void deleteDeletesNothingOutside() throws Exception {
    attacked(
        round -> {
          call("write", Map.of("path", "d/t/x", "content", "x"));
          call("write", Map.of("path", "d/t/deep/x", "content", "x"));
          call("delete", Map.of("path", round % 2 == 0 ? "d/t" : "d/t/x"));
        });
  }

  @Test
  void makeDirectoryMakesNothingOutside() throws Exception {
    attacked(
        round -> {
          call("make_directory", Map.of("path", "d/n-" + round % 20 + "/deep"));
          call("delete", Map.of("path", "d/n-" + round % 20));
        });
  }

  @Test
  void applyPatchReadsAndWritesNothingOutside() throws Exception {
    String change = "--- a/d/e/f\n+++ b/d/e/f\n@@ -1 +1 @@\n-inside\n+inside\n";
    attacked(
        round -> {
          String made = "d/p-" + round % 20 + "/x";
          String create = "--- /dev/null\n+++ b/" + made + "\n@@ -0,0 +1 @@\n+x\n";
          String delete = "--- a/" + made + "\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
          String rename =
              round % 2 == 0
                  ? "diff --git a/d/f b/d/e/g\nrename from d/f\nrename to d/e/g\n"
                  : "diff --git a/d/e/g b/d/f\nrename from d/e/g\nrename to d/f\n";
          call("apply_patch", Map.of("patch", change + create));
          call("apply_patch", Map.of("patch", change + delete));
          call("apply_patch", Map.of("patch", rename));
        });
  }
}
