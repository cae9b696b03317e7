package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.Seed;
import harness.workspace.Descriptors;
import harness.workspace.Handles;
import harness.workspace.command.Sandboxes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArgumentsFuzzTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final int ROUNDS = Integer.getInteger("rounds", 1_000);

  private static final String[] TEXTS = {
    "",
    ".",
    "..",
    "/",
    "a.txt",
    "d/b.txt",
    "d",
    "../..",
    "../../..",
    "\0",
    "a\nb",
    "\uD83D",
    "\u00E9",
    "\\x00",
    "\\x2F..\\x2F",
    "**",
    "*",
    "[",
    "{",
    "{a,{b",
    "(",
    "(?i)ONE",
    "\\",
    "\\Q",
    "\\p{",
    "x{3",
    "a{2,1}",
    "(((x{9}){9}){9}){9}",
    "one",
    "two\nthree",
    "\r\n",
    "-",
    "content",
    "count",
    "true",
    "5",
    "-1",
    "1e999",
    "NaN",
    "[]",
    "{}",
    "[{\"old\":1}]",
    "a".repeat(5_000),
    "/".repeat(300),
    "link",
    "loop",
    "~",
    "$HOME",
    ".git/config",
    "fifo",
    "new/deep",
    "link/new",
    "target",
    "HEAD",
    "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\r\n-two\n+2\n three\n\\ No newline\n",
    "--- /dev/null\n+++ b/d/new.txt\n@@ -0,0 +1 @@\n+x\n",
    "--- a/d/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-\u00FFone\n\\ No newline\n",
    "diff --git a/a.txt b/../../out\nrename from a.txt\nrename to ../../../outside/x\n",
    "--- a.txt\n+++ link/secret\n@@ -1 +1 @@\n-secret\n+x\n",
    "diff --git \"a/\\303\" b/x\nnew file mode 100755\n",
    "@@ -99999999999,2 +1 @@\n",
    "@@ -1 +1 @@\n-one\n",
    "echo \u00E9; exit 3",
    "while read line; do echo $line; done < a.txt; printf '\\0\\377\\r'",
    "(while :; do read -t 1 _; done < fifo) & kill -9 $$"
  };

  private static final Pattern HANDLE = Pattern.compile("\\[(\\S+) is its handle");

  /** Of the command that was last begun in the background. */
  private String handle = "";

  private int ran;

  private final long seed = Seed.get(ArgumentsFuzzTest.class);
  private final Random random = new Random(seed);

  @Test
  void noArgumentsMakeACallThrowMeetABugOrLeaveTheWorkingDirectory(@TempDir Path base)
      throws IOException {
    Path real = base.toRealPath();
    Workplace place =
        Workplace.over(
            real,
            () ->
                WorkingTools.inProcess(
                    Handles.system(random),
                    real.resolve("work").toString(),
                    InstantSource.system(),
                    // No programs but what the shell has itself: what is run here is random.
                    Commands.of(Sandboxes.none(Map.of("PATH", "/nonexistent")))));
    Files.writeString(place.outside.resolve("secret"), "hidden word");
    List<String> names = WorkingTools.specs().stream().map(ToolSpec::name).toList();
    for (int round = 0; round < ROUNDS; round++) {
      reset(place);
      ToolSpec spec = WorkingTools.specs().get(random.nextInt(names.size()));
      JsonNode input = input(spec.inputSchema());
      String what = "seed " + seed + ", round " + round + ": " + spec.name() + " " + input;
      ToolResult result;
      Instant begin = Instant.now();
      try {
        result = place.call(spec.name(), input);
      } catch (Throwable e) {
        throw new AssertionError(what, e);
      }
      Duration took = Duration.between(begin, Instant.now());
      assertTrue(took.compareTo(LONGEST) < 0, () -> what + " took " + took);
      assertFalse(result.text().contains("bug of the Harness"), what + "\n" + result.text());
      assertFalse(result.text().contains("hidden word"), what);
      assertTrue(
          result.text().getBytes(StandardCharsets.UTF_8).length <= ToolBox.MAX_RESULT_BYTES, what);
      Matcher begun = HANDLE.matcher(result.text());
      if (begun.find()) {
        handle = begun.group(1);
      }
      ran += result.text().contains("[exit code ") ? 1 : 0;
    }
    int commands = ran;
    assertTrue(commands > ROUNDS / 100, () -> "only " + commands + " commands ended by themselves");
    assertFalse(handle.isEmpty(), "no command was left in the background");
    assertEquals(List.of(), Descriptors.under(real), "seed " + seed);
    try (Stream<Path> left = Files.list(place.work)) {
      assertTrue(left.allMatch(path -> path.equals(place.cwd.getParent())), "seed " + seed);
    }
    try (Stream<Path> left = Files.list(place.outside)) {
      assertTrue(left.allMatch(path -> path.endsWith("secret")), "seed " + seed);
    }
  }

  /** As it was at first, but for what is there besides; most of it read. */
  private void reset(Workplace place) throws IOException {
    for (int attempt = 0; ; attempt++) {
      try {
        place.file("a.txt", "one\r\ntwo\nthree");
        place.file("d/b.txt", "\u00FFone".getBytes(StandardCharsets.ISO_8859_1));
        for (String name : List.of("link", "loop")) {
          Path leads = name.equals("link") ? place.outside : Path.of("loop");
          if (!Files.isSymbolicLink(place.cwd.resolve(name))) {
            Files.createSymbolicLink(place.cwd.resolve(name), leads);
          }
        }
        break;
      } catch (FileSystemException e) {
        // A call put something else there.
        assertTrue(attempt < 3, () -> "seed " + seed + ": " + e);
        wipe(place.cwd);
      }
    }
    if (random.nextBoolean()) {
      place.ok("read", "{path:'a.txt'}");
      place.ok("read", "{path:'d/b.txt'}");
    }
  }

  private static void wipe(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        if (!path.equals(directory)) {
          Files.delete(path);
        }
      }
    }
  }

  /** Mostly of the fields that the schema has, now and then of any. */
  private JsonNode input(JsonNode schema) {
    if (random.nextInt(20) == 0) {
      return any(3);
    }
    ObjectNode input = JSON.objectNode();
    for (var property : schema.path("properties").properties()) {
      if (random.nextInt(3) > 0) {
        input.set(property.getKey(), fitting(property.getValue()));
      }
    }
    if (random.nextInt(10) == 0) {
      input.set(text(), any(2));
    }
    return input;
  }

  private JsonNode fitting(JsonNode type) {
    if (random.nextInt(8) == 0) {
      return any(3);
    }
    return switch (type.path("type").asText()) {
      case "integer" ->
          JSON.numberNode(random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(9));
      case "boolean" -> JSON.booleanNode(random.nextBoolean());
      case "array" -> {
        var array = JSON.arrayNode();
        for (int i = random.nextInt(4); i > 0; i--) {
          array.add(
              type.path("items").has("properties")
                  ? input(type.path("items"))
                  : fitting(type.path("items")));
        }
        yield array;
      }
      default -> JSON.textNode(text());
    };
  }

  private JsonNode any(int depth) {
    return switch (random.nextInt(depth == 0 ? 6 : 8)) {
      case 0 -> JSON.nullNode();
      case 1 -> JSON.booleanNode(random.nextBoolean());
      case 2 -> JSON.numberNode(random.nextInt());
      case 3 -> JSON.numberNode(random.nextDouble() * Double.MAX_VALUE);
      case 4, 5 -> JSON.textNode(text());
      case 6 -> JSON.arrayNode().add(any(depth - 1)).add(any(depth - 1));
      default -> JSON.objectNode().set(text(), any(depth - 1));
    };
  }

  private String text() {
    if (random.nextInt(10) == 0) {
      return handle;
    }
    String text = TEXTS[random.nextInt(TEXTS.length)];
    return random.nextInt(5) == 0 ? text + TEXTS[random.nextInt(TEXTS.length)] : text;
  }
}
