package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import harness.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jgit.ignore.FastIgnoreRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IgnoresTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 25);
  private static final String[] NAMES = {"a", "b", "ab", "build", "a.txt", "b.log"};
  private static final String[] RULES = {
    "a", "/a", "a/", "*.txt", "!a.txt", "build/", "/build/*", "!/build/ab", "**/b", "a/**",
        "a/**/b",
    "# a", "\\#a", "?", "[ab]", "[!a]", "*b*", "b.log ", "!b", "a/b", "/a/*.txt", "**/build/a.txt",
    "", "/", "!", "[", "\\", "***", "a\\", "[[:alpha:]]b"
  };

  private final long seed = Seed.get(IgnoresTest.class);
  private final Random random = new Random(seed);

  @Test
  void whatIsLeftOutIsWhatTheGitProgramIgnores(@TempDir Path base) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/git")), "there is no git program to ask");
    Workplace place = Workplace.in(base);
    git(place.cwd, "init", "-q");
    for (int round = 0; round < ROUNDS; round++) {
      clear(place.cwd);
      for (String first : NAMES) {
        for (String second : NAMES) {
          place.file((first.indexOf('.') < 0 ? first + "/" : first + "-") + second, "");
        }
      }
      place.file("ab/a2/b/a.txt", "");
      String outer = rules();
      String inner = rules();
      place.file(".gitignore", outer);
      place.file("a/.gitignore", inner);
      String what = "seed " + seed + ", round " + round + "\n" + outer + "--\n" + inner;
      String expected =
          Arrays.stream(
                  git(place.cwd, "ls-files", "--others", "--exclude-standard", "-z").split("\0"))
              .sorted()
              .collect(Collectors.joining("\n"));
      String found =
          place.ok("glob", "{pattern:'**'}").lines().sorted().collect(Collectors.joining("\n"));
      assertEquals(expected, found.startsWith("[no file") ? "" : found, what);
    }
  }

  @Test
  void noRulesMakeAWalkFailOrFillTheLog(@TempDir Path base) throws IOException {
    Workplace place = Workplace.in(base);
    Logger logger = Logger.getLogger(FastIgnoreRule.class.getName());
    AtomicInteger logged = new AtomicInteger();
    logger.setFilter(
        message -> {
          logged.incrementAndGet();
          return false;
        });
    for (String name : NAMES) {
      place.file("d/" + name, "");
    }
    String letters = "ab/*?[]!\\#.^-:\r\uFEFF \0\u00E9{}()+$";
    for (int round = 0; round < 300; round++) {
      StringBuilder rules = new StringBuilder();
      for (int i = 0; i < 60; i++) {
        rules.append(
            random.nextInt(8) == 0 ? '\n' : letters.charAt(random.nextInt(letters.length())));
      }
      place.file(".gitignore", rules.toString());
      ToolResult result = place.call("glob", Workplace.json("{pattern:'**'}"));
      assertFalse(result.error(), "seed " + seed + ": " + rules + "\n" + result.text());
      assertEquals(0, logged.get(), "seed " + seed + ": " + rules);
    }
    logger.setFilter(null);
  }

  private String rules() {
    StringBuilder rules = new StringBuilder();
    for (int i = random.nextInt(4); i >= 0; i--) {
      rules.append(RULES[random.nextInt(RULES.length)]).append('\n');
    }
    return rules.toString();
  }

  private static void clear(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        if (!path.equals(directory) && !path.startsWith(directory.resolve(".git"))) {
          Files.delete(path);
        }
      }
    }
  }

  private static String git(Path directory, String... arguments) throws Exception {
    Process git =
        new ProcessBuilder(
                Stream.concat(Stream.of("/usr/bin/git"), Arrays.stream(arguments)).toList())
            .directory(directory.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, git.waitFor());
    return output;
  }
}
