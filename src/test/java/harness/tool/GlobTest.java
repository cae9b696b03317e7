package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Seed;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GlobTest {
  private static boolean matches(String pattern, String path) throws ToolException {
    return Glob.path(pattern).matches(path);
  }

  @Test
  void twoStarsStandForAnyNumberOfWholeNames() throws ToolException {
    assertTrue(matches("**/a", "a"));
    assertTrue(matches("**/a", "x/y/a"));
    assertFalse(matches("**/a", "x/ya"));
    assertTrue(matches("a/**/b", "a/b"));
    assertTrue(matches("a/**/b", "a/x/y/b"));
    assertFalse(matches("a/**/b", "a/xb"));
    assertTrue(matches("a/**", "a/x/y"));
    assertFalse(matches("a/**", "a"));
    assertFalse(matches("a**b", "a/b"));
    assertTrue(matches("a**b", "axxb"));
    assertTrue(matches("{**/a,b/**}/c", "x/a/c"));
    assertTrue(matches("{**/a,b/**}/c", "b/x/c"));
  }

  @Test
  void whatIsSpecialElsewhereIsTextHere() throws ToolException {
    assertTrue(matches("a.b+(c)^$|\u00E9", "a.b+(c)^$|\u00E9"));
    assertFalse(matches("a.b", "axb"));
    assertTrue(matches("\\*\\[", "*["));
    assertTrue(matches("[]]", "]"));
    assertTrue(matches("[!]x]", "a"));
    assertTrue(matches("[a\\]]", "]"));
    assertFalse(matches("[!a]", "/"));
    assertTrue(matches("a,b}", "a,b}"));
  }

  @Test
  void aDirectoryIsEnteredWhereSomethingBelowItMightMatch() throws ToolException {
    Glob deep = Glob.path("src/**/*.java");
    assertTrue(deep.reaches("src"));
    assertTrue(deep.reaches("src/a/b"));
    assertFalse(deep.reaches("test"));
    assertTrue(Glob.path("{src/a,test}/*.java").reaches("test"));
    assertFalse(Glob.path("*.java").reaches("src"));
    assertTrue(Glob.path("*/x").reaches("src"));
    assertFalse(Glob.path("*/x").reaches("src/a"));
    assertTrue(Glob.filter("*.java").reaches("src/a"));
    assertFalse(Glob.filter("/*.java").reaches("src"));
  }

  @Test
  void randomPatternsAgreeWithTheJdkWhereBothMeanTheSame() throws ToolException {
    long seed = Seed.get(GlobTest.class);
    Random random = new Random(seed);
    String[] parts = {"a", "b", "*", "?", "[ab]", "[!a]", "{a,b}", "{ab,b*}", "/", "."};
    String[] names = {"a", "b", "ab", "ba", ".", "/", "c"};
    for (int round = 0; round < 5_000; round++) {
      String pattern = joined(parts, random).replaceAll("\\*+", "*");
      String path = joined(names, random);
      PathMatcher jdk = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
      if (!Path.of(path).toString().equals(path) || path.startsWith("/") || pattern.endsWith("/")) {
        continue;
      }
      assertEquals(
          jdk.matches(Path.of(path)),
          matches(pattern, path),
          "seed " + seed + ": " + pattern + " on " + path);
    }
  }

  private static String joined(String[] parts, Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      text.append(parts[random.nextInt(parts.length)]);
    }
    return text.toString();
  }
}
