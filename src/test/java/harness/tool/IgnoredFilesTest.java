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
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a search leaves out is what git ignores. */
class IgnoredFilesTest {
  private Workplace place;

  @BeforeEach
  void open(@TempDir Path base) throws IOException {
    place = Workplace.in(base);
  }

  private void gitIsThere() {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/git")), "there is no git program to ask");
  }

  private String found() {
    String found = place.ok("glob", "{pattern:'**'}");
    return found.startsWith("[no file") ? "" : found;
  }

  /** What git would add, but for other repositories inside. */
  private String expected() throws Exception {
    return Arrays.stream(
            git(place.cwd, "ls-files", "--others", "--exclude-standard", "-z").split("\0"))
        .sorted()
        .collect(Collectors.joining("\n"));
  }

  @Test
  void rulesOfDirectoriesInEachOtherAndOfTheRepositoryHold() throws Exception {
    gitIsThere();
    git(place.cwd, "init", "-q");
    for (String name :
        new String[] {
          "a.log", "keep.log", "src/a.log", "src/b.tmp", "src/deep/b.tmp", "mine", "x"
        }) {
      place.file(name, "");
    }
    place.file(".gitignore", "*.log\n!keep.log\n");
    place.file("src/.gitignore", "!a.log\n/*.tmp\n");
    place.file(".git/info/exclude", "mine\nkeep.log\n");
    assertEquals(".gitignore\nkeep.log\nsrc/.gitignore\nsrc/a.log\nsrc/deep/b.tmp\nx", found());
    assertEquals(expected(), found());
    assertEquals("src/a.log\nsrc/deep/b.tmp", place.ok("glob", "{pattern:'*/{a.log,*/*.tmp}'}"));
    assertEquals("deep/b.tmp", place.at("src").ok("glob", "{pattern:'**/*.tmp', path:'deep/..'}"));
  }

  @Test
  void aLinkedWorktreeHasTheExclusionsOfItsRepository() throws Exception {
    gitIsThere();
    Path main = Files.createDirectories(place.work.resolve("main"));
    git(main, "init", "-q");
    git(
        main,
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@t",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "x");
    git(main, "worktree", "add", "-q", "-f", place.cwd.toString(), "-b", "feature");
    Files.writeString(main.resolve(".git/info/exclude"), "mine\n");
    place.file("mine", "");
    place.file("src/mine", "");
    place.file("src/yours", "");
    assertEquals("src/yours", found());
    assertEquals(expected(), found());
  }

  @Test
  void exclusionsOutsideTheWorkspaceAreNotRead() throws Exception {
    Path elsewhere = Files.createDirectories(place.outside.resolve("repository/info"));
    Files.writeString(elsewhere.resolve("exclude"), "mine\n");
    place.file(".git", "gitdir: " + elsewhere.getParent() + "\n");
    place.file("mine", "");
    assertEquals("mine", found());
    Files.delete(place.cwd.resolve(".git"));
    Files.createSymbolicLink(place.cwd.resolve(".git"), elsewhere.getParent());
    assertEquals("mine", found());
  }

  @Test
  void anotherRepositoryInsideHasItsOwnRulesAndExclusionsAlone() throws IOException {
    place.file(".gitignore", "*.txt\n");
    place.file("inner/.git/info/exclude", "*.log\n");
    place.file("inner/.git/HEAD", "ref: refs/heads/main\n");
    place.file("inner/a.txt", "");
    place.file("inner/a.log", "");
    place.file("inner/src/a.log", "");
    assertEquals(".gitignore\ninner/a.txt", found());
    assertEquals("inner/a.txt", place.ok("glob", "{pattern:'**', path:'inner'}"));
  }

  @Test
  void whatALinkInThePlaceOfAnIgnoreFileSaysDoesNotHold() throws IOException {
    place.file("rules", "*.txt\n");
    Files.createSymbolicLink(place.cwd.resolve(".gitignore"), Path.of("rules"));
    place.file("a.txt", "");
    assertEquals(".gitignore\na.txt\nrules", found());
  }

  @Test
  void anyBytesInIgnoreFilesAreBorne() throws IOException {
    long seed = Seed.get(IgnoredFilesTest.class);
    Random random = new Random(seed);
    for (String name : new String[] {"a", "ab", "a.txt", "caf\u00E9"}) {
      place.file("d/" + name, "");
    }
    String letters = "ab/*?[]!\\#.^-:\r\u00EF\u00BB\u00BF \0\u00E9{}()+$";
    for (int round = 0; round < 300; round++) {
      StringBuilder rules = new StringBuilder();
      for (int i = 0; i < 60; i++) {
        rules.append(
            random.nextInt(8) == 0 ? '\n' : letters.charAt(random.nextInt(letters.length())));
      }
      place.file(".gitignore", rules.toString().getBytes(StandardCharsets.ISO_8859_1));
      ToolResult result = place.call("glob", Workplace.json("{pattern:'**'}"));
      assertFalse(result.error(), "seed " + seed + ": " + rules + "\n" + result.text());
    }
  }

  @Test
  void rulesThatMakeABacktrackingEngineHangCostLittle() throws IOException {
    place.file("a".repeat(200), "");
    StringBuilder rules = new StringBuilder();
    for (int i = 0; i < 800; i++) {
      rules.append("*a".repeat(60)).append("b").append(i).append("\n**/");
      rules.append("*a*?".repeat(40)).append("/**/b\n");
    }
    place.file(".gitignore", rules.append("*.class\n").toString());
    place.file("x.class", "");
    assertEquals(".gitignore\n" + "a".repeat(200), found());
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
    String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, git.waitFor());
    return output;
  }
}
