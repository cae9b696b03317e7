package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.Seed;
import harness.workspace.git.Signature;
import harness.workspace.git.Worktrees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever the git tools are given, they answer soon, and change nothing but their worktree. */
class GitArgumentsFuzzTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 400);
  private static final Duration LONGEST = Duration.ofSeconds(12);
  private static final List<String> TEXTS =
      List.of(
          "",
          ".",
          "..",
          "/",
          "a.txt",
          "src",
          "src/b.txt",
          "src/../a.txt",
          "../../..",
          "\0",
          "a\nb",
          "é",
          "\\xEF",
          "\\x2F",
          "HEAD",
          "HEAD~1",
          "HEAD^{",
          "HEAD^^^",
          "@",
          "@{0}",
          "@{-1}",
          "main",
          "main:",
          "HEAD:a.txt",
          "HEAD:./b.txt",
          ":a.txt",
          ":/x",
          "^{tree}",
          "~",
          "-",
          "--all",
          "--output=x",
          "refs/heads/main",
          "x..y",
          "new",
          "new/branch",
          "a b",
          "*",
          "[",
          ".git",
          ".git/HEAD",
          "link",
          "link/x",
          "fifo",
          "nope",
          "deadbeef",
          "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
          "a".repeat(3_000),
          "/".repeat(300),
          "Subject",
          "Subject\n\nBody\n\nCo-authored-by: x <y>",
          "\u0007bell",
          "💥");

  private final long seed = Seed.get(GitArgumentsFuzzTest.class);
  private final Random random = new Random(seed);

  @Test
  void noArgumentsMakeAGitToolThrowHangOrLeaveItsWorktree(@TempDir Path base) throws Exception {
    Workplace place = Workplace.in(base);
    Signature ada = new Signature("Ada", "ada@example.org", Instant.EPOCH);
    Path main = place.work.resolve("target/default");
    Worktrees.create(main, "main", Map.of("a.txt", "one\n", "src/b.txt", "b\n"), ada);
    Worktrees.add(main, "feature-x", place.cwd);
    Files.writeString(place.outside.resolve("secret"), "hidden word");
    Files.createSymbolicLink(place.cwd.resolve("link"), place.outside);
    Process pipe = new ProcessBuilder("mkfifo", place.cwd.resolve("fifo").toString()).start();
    assertEquals(0, pipe.waitFor());
    List<ToolSpec> specs =
        WorkingTools.specs().stream().filter(spec -> spec.name().startsWith("git_")).toList();
    for (int round = 0; round < ROUNDS; round++) {
      Files.writeString(place.cwd.resolve("a.txt"), "round " + round + "\n");
      ToolSpec spec = specs.get(random.nextInt(specs.size()));
      ObjectNode input = input(spec);
      String what = "seed " + seed + ", round " + round + ": " + spec.name() + " " + input;
      Instant begin = Instant.now();
      ToolResult result = place.call(spec.name(), input);
      assertTrue(Duration.between(begin, Instant.now()).compareTo(LONGEST) < 0, what);
      assertFalse(result.text().contains("bug of the Harness"), what + " " + result.text());
      assertFalse(result.text().contains("hidden word"), what + " " + result.text());
      assertTrue(result.text().length() <= ToolBox.MAX_RESULT_BYTES, what);
    }
    assertEquals("hidden word", Files.readString(place.outside.resolve("secret")));
    assertEquals("one\n", Files.readString(main.resolve("a.txt")));
    try (Stream<Path> left = Files.walk(main.resolve(".git"))) {
      assertFalse(left.anyMatch(path -> path.toString().endsWith(".lock")));
    }
    place.ok("git_status", "{}");
  }

  private ObjectNode input(ToolSpec spec) {
    ObjectNode input = JsonNodeFactory.instance.objectNode();
    spec.inputSchema()
        .path("properties")
        .properties()
        .forEach(
            field -> {
              if (random.nextInt(4) > 0) {
                switch (field.getValue().path("type").asText()) {
                  case "array" -> {
                    var items = input.putArray(field.getKey());
                    for (int i = random.nextInt(3); i >= 0; i--) {
                      items.add(text());
                    }
                  }
                  case "integer" -> input.put(field.getKey(), random.nextInt(-1, 9));
                  case "boolean" -> input.put(field.getKey(), random.nextBoolean());
                  default -> input.put(field.getKey(), text());
                }
              }
            });
    return input;
  }

  private String text() {
    return TEXTS.get(random.nextInt(TEXTS.size()));
  }
}
