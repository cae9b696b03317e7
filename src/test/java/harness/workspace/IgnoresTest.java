package harness.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import harness.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IgnoresTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 40);
  private static final String[] PIECES = {
    "a",
    "b",
    "ab",
    "build",
    ".txt",
    ".log",
    "*",
    "*",
    "**",
    "**",
    "/",
    "/",
    "/",
    "?",
    "[ab]",
    "[!a]",
    "[^b]",
    "[a-c]",
    "[]a]",
    "[a",
    "]",
    "\\",
    "\\*",
    "!",
    "#",
    " ",
    "\t",
    "\r",
    "[[:alpha:]]",
    "[[:x:]]",
    "[[:alpha]",
    "[a-]",
    "[-b]",
    "[\\]a]",
    "[b-a]",
    "\u00C3",
    "\u00A9",
    "-",
    "***"
  };
  private static final String[] NAMES = {
    "a",
    "b",
    "ab",
    "aab",
    "build",
    "a.txt",
    "b.log",
    "*",
    "\u00C3\u00A9",
    "]",
    "#a",
    "!a",
    "a ",
    "-"
  };

  private final long seed = Seed.get(IgnoresTest.class);
  private final Random random = new Random(seed);

  private static Ignores rules(String text) {
    return Ignores.NONE.with("", IgnoreRules.parse(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void rulesMeanWhatTheyMeanToTheGitProgram(@TempDir Path base) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/git")), "there is no git program to ask");
    Path top = base.toRealPath();
    git(top, "init", "-q");
    for (int round = 0; round < ROUNDS; round++) {
      clear(top);
      for (int i = 0; i < 60; i++) {
        file(top);
      }
      String outer = text(random.nextInt(6));
      String inner = text(random.nextInt(4));
      String excluded = text(random.nextInt(3));
      write(top.resolve(".gitignore"), outer);
      if (Files.isDirectory(top.resolve("a"))) {
        write(top.resolve("a/.gitignore"), inner);
      }
      write(top.resolve(".git/info/exclude"), excluded);
      String listed = git(top, "ls-files", "--others", "--exclude-standard", "-z");
      List<String> kept = new ArrayList<>();
      Ignores ignores =
          Ignores.NONE
              .with("", IgnoreRules.parse(excluded.getBytes(StandardCharsets.ISO_8859_1)))
              .with("", IgnoreRules.parse(outer.getBytes(StandardCharsets.ISO_8859_1)));
      walk(top, "", ignores, kept);
      assertEquals(
          new TreeSet<>(Arrays.asList(listed.isEmpty() ? new String[0] : listed.split("\0"))),
          new TreeSet<>(kept),
          "seed " + seed + ", round " + round + "\n" + outer + "--\n" + inner + "--\n" + excluded);
    }
  }

  private void walk(Path top, String directory, Ignores outer, List<String> kept)
      throws IOException {
    String text =
        new String(directory.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    Path rules = top.resolve(text + ".gitignore");
    Ignores ignores =
        !directory.isEmpty() && Files.isRegularFile(rules)
            ? outer.with(directory, IgnoreRules.parse(Files.readAllBytes(rules)))
            : outer;
    try (Stream<Path> entries = Files.list(top.resolve(text))) {
      for (Path entry : entries.toList()) {
        String name = Ignores.bytes(entry.getFileName().toString());
        boolean isDirectory = Files.isDirectory(entry);
        if (name.equals(".git") || ignores.ignores(directory, name, isDirectory)) {
          continue;
        }
        if (isDirectory) {
          walk(top, directory + name + "/", ignores, kept);
        } else {
          kept.add(directory + name);
        }
      }
    }
  }

  @Test
  void namesAndRulesThatAreNoUtf8AreComparedByteByByte() {
    Ignores ignores =
        Ignores.NONE.with(
            "", IgnoreRules.parse("caf\u00E9\n?.x\n".getBytes(StandardCharsets.ISO_8859_1)));
    assertTrue(ignores.ignores("", Ignores.bytes("caf\\xE9"), false));
    assertFalse(ignores.ignores("", Ignores.bytes("caf\u00E9"), false));
    assertTrue(ignores.ignores("", Ignores.bytes("\\xE9.x"), false));
    assertFalse(ignores.ignores("", Ignores.bytes("\u00E9.x"), false));
  }

  @Test
  void noRuleTakesLong() {
    String name = "a".repeat(255);
    String deep = (name + "/").repeat(150);
    StringBuilder hostile = new StringBuilder();
    while (hostile.length() < IgnoreRules.MAX_FILE_BYTES) {
      hostile.append("*a".repeat(200)).append("b\n").append("**/*a*a*a*".repeat(30)).append("b\n");
      hostile.append("**/").append("a*?".repeat(200)).append("/**/b\n");
    }
    Ignores ignores = rules(hostile.toString());
    assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () -> {
          for (int i = 0; i < 5; i++) {
            assertFalse(ignores.ignores(deep, name, true));
          }
        });
  }

  @Test
  void rulesBeyondTheBoundAreLeftOutAndThatIsKnown() {
    Ignores many = rules("a\n".repeat(Ignores.MAX_RULES));
    assertFalse(many.partial());
    Ignores more = many.with("b/", IgnoreRules.parse(new byte[] {'c'}));
    assertTrue(more.partial());
    assertTrue(more.ignores("b/", "a", false));
    assertFalse(more.ignores("b/", "c", false));
  }

  private String text(int lines) {
    StringBuilder text = new StringBuilder(random.nextInt(20) == 0 ? "\u00EF\u00BB\u00BF" : "");
    for (int i = 0; i < lines; i++) {
      for (int piece = random.nextInt(6); piece >= 0; piece--) {
        text.append(PIECES[random.nextInt(PIECES.length)]);
      }
      text.append(random.nextInt(8) == 0 ? "\r\n" : "\n");
    }
    return text.toString();
  }

  private void file(Path top) throws IOException {
    Path at = top;
    for (int depth = random.nextInt(4); depth > 0; depth--) {
      at = at.resolve(name());
      if (Files.isRegularFile(at)) {
        return;
      }
    }
    Path file = at.resolve(name());
    if (!Files.exists(file)) {
      Files.createDirectories(at);
      Files.write(file, new byte[0]);
    }
  }

  private String name() {
    byte[] raw = NAMES[random.nextInt(NAMES.length)].getBytes(StandardCharsets.ISO_8859_1);
    return new String(raw, StandardCharsets.UTF_8);
  }

  private static void write(Path file, String bytes) throws IOException {
    Files.write(file, bytes.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static void clear(Path top) throws IOException {
    try (Stream<Path> all = Files.walk(top)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        if (!path.equals(top) && !path.startsWith(top.resolve(".git"))) {
          Files.delete(path);
        }
      }
    }
  }

  private static String git(Path directory, String... arguments) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                Stream.concat(Stream.of("/usr/bin/git"), Arrays.stream(arguments)).toList())
            .directory(directory.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
    builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
    Process git = builder.start();
    String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    assertEquals(0, git.waitFor());
    return output;
  }
}
