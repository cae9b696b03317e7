package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GlobToolTest {
  private Workplace place;

  @BeforeEach
  void open(@TempDir Path base) throws IOException {
    place = Workplace.in(base);
    for (String name :
        new String[] {"a.java", "b.txt", "src/A.java", "src/main/B.java", "src/main/c.txt"}) {
      place.file(name, "");
    }
  }

  private String glob(String pattern) {
    return place.ok("glob", Map.of("pattern", pattern));
  }

  @Test
  void patternsMatchPathsInOrder() {
    assertEquals("a.java\nsrc/A.java\nsrc/main/B.java", glob("**/*.java"));
    assertEquals("a.java", glob("*.java"));
    assertEquals("src/A.java", glob("src/?.java"));
    assertEquals("src/A.java\nsrc/main/B.java", glob("src/**/[A-Z].java"));
    assertEquals("b.txt\nsrc/main/c.txt", glob("{b,**/c}.txt"));
    assertEquals("src/A.java\nsrc/main/B.java\nsrc/main/c.txt", glob("src/**"));
    assertEquals("a.java\nb.txt", glob("[!s]*"));
  }

  @Test
  void aPatternThatEndsInASlashFindsDirectories() {
    assertEquals("src/\nsrc/main/", glob("**/"));
  }

  @Test
  void aPathMovesWhereThePatternBeginsAndIsShownFromTheWorkingDirectory() throws IOException {
    assertEquals("src/main/B.java", place.ok("glob", "{pattern:'*.java', path:'src/main'}"));
    Files.writeString(place.work.resolve("target/t.java"), "");
    assertEquals(place.work + "/target/t.java", place.ok("glob", "{pattern:'*.java', path:'..'}"));
  }

  @Test
  void anAbsolutePatternAndOneThatGoesUpAreTaken() throws IOException {
    assertEquals("src/main/B.java", glob(place.cwd + "/src/**/B*"));
    Files.writeString(place.work.resolve("shared"), "");
    assertEquals(place.work + "/shared", glob("../../sh*"));
    assertTrue(place.error("glob", "{pattern:'../../../*'}").contains(place.work.toString()));
    assertTrue(place.error("glob", "{pattern:'/etc/*'}").contains(place.work.toString()));
  }

  @Test
  void nothingFoundSaysHowToLookFurther() {
    assertEquals("[no file matches c.txt in .; **/c.txt looks deeper]", glob("c.txt"));
  }

  @Test
  void upperAndLowerCaseDifferAndThatIsSaidWhereNothingElseDoes() {
    assertEquals(
        "[no file matches **/a.JAVA in .; in other case there is a.java]", glob("**/a.JAVA"));
    assertEquals(
        "[no file matches SRC/*.java in .; in other case there is src/A.java]", glob("SRC/*.java"));
  }

  @Test
  void whatGitIgnoresIsLeftOutUnlessAskedFor() throws IOException {
    place.file(".gitignore", "*.txt\n!keep.txt\n/build/\n");
    place.file("keep.txt", "");
    place.file("build/x.java", "");
    place.file("src/build/y.java", "");
    place.file("src/.gitignore", "/main\n");
    place.file(".git/HEAD.java", "");
    assertEquals("a.java\nsrc/A.java\nsrc/build/y.java", glob("**/*.java"));
    assertEquals("keep.txt", glob("**/*.txt"));
    assertEquals(
        "a.java\nbuild/x.java\nsrc/A.java\nsrc/build/y.java\nsrc/main/B.java",
        place.ok("glob", "{pattern:'**/*.java', ignored:true}"));
  }

  @Test
  void rulesOfTheDirectoriesAboveHoldBelowToo() throws IOException {
    place.file(".gitignore", "*.txt\n/src/main/B.java\n");
    assertEquals(
        "[no file matches ** in src/main; ignored: true looks at what .gitignore excludes, too]",
        place.ok("glob", "{pattern:'**', path:'src/main'}"));
  }

  @Test
  void anotherRepositoryInsideHasItsOwnRulesAlone() throws IOException {
    place.file(".gitignore", "*.txt\n");
    place.file("inner/.git", "gitdir: elsewhere\n");
    place.file("inner/d.txt", "");
    assertEquals("inner/d.txt", glob("**/*.txt"));
  }

  @Test
  void linksAreNotFollowed() throws IOException {
    Files.createSymbolicLink(place.cwd.resolve("loop"), place.cwd);
    Files.createSymbolicLink(place.cwd.resolve("out"), place.outside);
    Files.writeString(place.outside.resolve("secret.java"), "");
    assertEquals("a.java\nsrc/A.java\nsrc/main/B.java", glob("**/*.java"));
    assertEquals("loop\nout", glob("*o*"));
  }

  @Test
  void aPatternThatMakesABacktrackingEngineHangAnswersInTime() throws IOException {
    place.file("a".repeat(200), "");
    place.file(".gitignore", "*a*a*a*a*a*a*a*a*a*a*b\n*.class\n");
    place.file("x.class", "");
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> {
          assertTrue(glob("*a".repeat(60) + "*b").startsWith("[no file"));
          assertTrue(glob("**/".repeat(60) + "b").startsWith("[no file"));
          assertTrue(glob("x.class").startsWith("[no file"));
        });
  }

  @Test
  void brokenPatternsAreTextOrAnError() throws IOException {
    place.file("[x", "");
    place.file("{y", "");
    assertEquals("[x", glob("[x"));
    assertEquals("{y", glob("{y"));
    assertEquals(
        "[no file matches [z-a] in .; [ab] stands for one of its characters, \\[ for the bracket"
            + " itself]",
        glob("[z-a]"));
    assertTrue(
        place.error("glob", "{pattern:'[[:x:]]'}").contains("names a class of characters that"));
    assertTrue(place.error("glob", "{pattern:''}").contains("the pattern is empty"));
  }

  @Test
  void aThousandPathsAreShownAndThatThereAreMore() throws IOException {
    for (int i = 0; i < 1_001; i++) {
      place.file("many/f%04d".formatted(i), "");
    }
    ToolResult result = place.call("glob", Workplace.json("{pattern:'many/*'}"));
    assertTrue(result.truncated());
    assertTrue(
        result
            .text()
            .endsWith(
                "many/f0999\n[the first 1000 paths are shown; there are more: give a narrower pattern or path]"),
        result.text());
  }
}
