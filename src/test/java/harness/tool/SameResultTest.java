package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import harness.Seed;
import harness.workspace.Handles;
import harness.workspace.Root;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many threads search, and which is faster, shows nowhere in a result. */
class SameResultTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 40);
  private static final int[] WORKERS = {1, 2, 8};
  private static final String[] WORDS = {"needle", "hay", "caf\u00E9", "x", "\0", "a.b", "  "};

  private final long seed = Seed.get(SameResultTest.class);
  private final Random random = new Random(seed);

  private void tree(Workplace place) throws IOException {
    for (int file = 0; file < 400; file++) {
      StringBuilder path = new StringBuilder();
      for (int depth = random.nextInt(5); depth > 0; depth--) {
        path.append("d").append(random.nextInt(4)).append('/');
      }
      StringBuilder text = new StringBuilder();
      int lines = random.nextInt(40) == 0 ? 5_000 : random.nextInt(30);
      for (int line = 0; line < lines; line++) {
        for (int word = random.nextInt(8); word >= 0; word--) {
          int which = random.nextInt(random.nextInt(20) == 0 ? WORDS.length : 4);
          text.append(WORDS[which]);
        }
        text.append('\n');
      }
      place.file(path + "f" + file + (file % 3 == 0 ? ".java" : ".txt"), text.toString());
    }
    place.file("d1/.gitignore", "*1.txt\nd2/\n");
  }

  private String argument() {
    String[] arguments = {
      "{pattern:'needle'}",
      "{pattern:'needle', limit:2000}",
      "{pattern:'needle', limit:7, context:2}",
      "{pattern:'needlehay|x{3}', mode:'count', limit:2000}",
      "{pattern:'caf.needle', mode:'files', limit:20}",
      "{pattern:'nothing'}",
      "{pattern:'needle', glob:'*.java', context:1}",
      "{pattern:'x$', ignored:true, mode:'count', limit:3}"
    };
    return arguments[random.nextInt(arguments.length)];
  }

  @Test
  void allNumbersOfThreadsGiveTheSameBytes(@TempDir Path base) throws Exception {
    Workplace place = Workplace.in(base);
    tree(place);
    try (Root root =
        Root.open(Handles.system(new Random(7)), place.work.toString(), place.cwd.toString())) {
      Seat seat = Workplace.reading(root);
      for (int round = 0; round < ROUNDS; round++) {
        String argument = argument();
        JsonNode input = Workplace.json(argument);
        Optional<ToolResult> first = Optional.empty();
        for (int workers : WORKERS) {
          ToolResult result = new GrepTool(workers, GrepTool.MAX_TIME).call(input, seat);
          assertFalse(result.error(), result.text());
          assertEquals(
              first.orElse(result), result, "seed " + seed + ", " + workers + ": " + argument);
          first = Optional.of(result);
        }
      }
      for (String pattern : new String[] {"**/*.java", "**/", "d*/**", "**/f1*"}) {
        JsonNode input = Workplace.json("{pattern:'" + pattern + "'}");
        ToolResult one = new GlobTool(1).call(input, seat);
        for (int round = 0; round < 10; round++) {
          assertEquals(one, new GlobTool(8).call(input, seat), pattern);
        }
      }
    }
  }
}
