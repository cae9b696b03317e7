package harness.tool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import harness.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What git's diff shows of two random trees makes the one of the other. */
class PatchAgreementTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 12);
  private static final String[] LINES = {
    "", "a", "a", "b", "}", "\tx", " - y", "- z", "+ z", "@@ -1 +1 @@", "h\u00E9", "c\r", "\\ No"
  };

  private final long seed = Seed.get(PatchAgreementTest.class);
  private final Random random = new Random(seed);

  @Test
  void aPatchOfGitMakesTheNewTreeOfTheOld(@TempDir Path base) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      String told = "seed " + seed + ", round " + round;
      Workplace place = Workplace.in(Files.createDirectory(base.resolve("r" + round)));
      Path trees = Files.createDirectory(base.resolve("t" + round));
      Map<String, byte[]> before = tree();
      Map<String, byte[]> after = changed(before);
      write(trees, before);
      write(place.cwd, before);
      String patch = diff(trees, after);
      if (patch.isEmpty()) {
        continue;
      }
      ToolResult result =
          place.call("apply_patch", JsonNodeFactory.instance.objectNode().put("patch", patch));
      assertFalse(result.error(), () -> told + "\n" + result.text() + "\n" + patch);
      Set<String> names = new TreeSet<>(after.keySet());
      assertEquals(names, new TreeSet<>(read(place.cwd).keySet()), told);
      for (Map.Entry<String, byte[]> file : read(place.cwd).entrySet()) {
        assertArrayEquals(after.get(file.getKey()), file.getValue(), told + ": " + file.getKey());
      }
    }
  }

  private Map<String, byte[]> tree() {
    Map<String, byte[]> tree = new TreeMap<>();
    for (int i = 0; i < 6; i++) {
      tree.put((i % 2 == 0 ? "" : "d" + i + "/") + "f " + i, content(lines(random.nextInt(60))));
    }
    return tree;
  }

  private List<String> lines(int count) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lines.add(line());
    }
    return lines;
  }

  private String line() {
    String line = LINES[random.nextInt(LINES.length)];
    return random.nextInt(3) == 0 ? line : line + random.nextInt(100);
  }

  private byte[] content(List<String> lines) {
    String text = String.join("\n", lines);
    return (text.isEmpty() || random.nextInt(3) == 0 ? text : text + "\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  private Map<String, byte[]> changed(Map<String, byte[]> before) {
    Map<String, byte[]> after = new TreeMap<>();
    before.forEach(
        (name, content) -> {
          switch (random.nextInt(6)) {
            case 0 -> {}
            case 1 -> after.put("moved/" + name, edited(content));
            case 2 -> after.put(name, content);
            default -> after.put(name, edited(content));
          }
        });
    after.put("new", content(lines(random.nextInt(5))));
    return after;
  }

  private byte[] edited(byte[] content) {
    List<String> lines =
        new ArrayList<>(List.of(new String(content, StandardCharsets.UTF_8).split("\n", -1)));
    for (int i = random.nextInt(4); i > 0 && !lines.isEmpty(); i--) {
      int at = random.nextInt(lines.size());
      switch (random.nextInt(3)) {
        case 0 -> lines.remove(at);
        case 1 -> lines.add(at, line());
        default -> lines.set(at, line());
      }
    }
    return content(lines);
  }

  private static void write(Path top, Map<String, byte[]> tree) throws IOException {
    Files.createDirectories(top);
    for (Map.Entry<String, byte[]> file : tree.entrySet()) {
      Path path = top.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
  }

  private static Map<String, byte[]> read(Path top) throws IOException {
    Map<String, byte[]> tree = new TreeMap<>();
    try (var paths = Files.walk(top)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        tree.put(top.relativize(path).toString(), Files.readAllBytes(path));
      }
    }
    return tree;
  }

  /** What is there is put into the index and replaced by the other. */
  private String diff(Path tree, Map<String, byte[]> after)
      throws IOException, InterruptedException {
    git(tree, "init", "-q");
    git(tree, "add", "-A");
    String old = git(tree, "write-tree").strip();
    git(tree, "rm", "-rqf", ".");
    write(tree, after);
    git(tree, "add", "-A");
    return git(tree, "diff", "--cached", "--text", "-M30%", "-U" + random.nextInt(4), old);
  }

  private static String git(Path directory, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git", "-c", "core.autocrlf=false"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("HOME", "/nonexistent");
    builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
    Process git = builder.start();
    git.getOutputStream().close();
    String out = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, git.waitFor(), command::toString);
    return out;
  }
}
