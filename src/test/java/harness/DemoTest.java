package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.cli.Program;
import harness.cli.StartException;
import harness.cli.Surroundings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DemoTest {
  @Test
  void showsOneWholeTurnAndEndsWithZero() {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Program program =
        new Program(
            new Surroundings(Map.of(), Path.of("").toAbsolutePath()),
            RunningHarness::start,
            (_, _) -> {
              throw new StartException("there is no runner here");
            },
            Main.self(),
            new Random(1),
            InstantSource.system(),
            new PrintWriter(out),
            new PrintWriter(err));

    assertEquals(0, program.run("demo"), () -> out + "\n" + err);
    for (String line :
        new String[] {
          "(?s).*\ncoder +write +\\.\\./default/greetings/ada\\.txt +refused.*",
          "(?s).*\ncoder +write +greetings/ada\\.txt +ok.*",
          "(?s).*\n  \\?\\? greetings/\n.*",
          "(?s).*\n  \\+Signed by: the coder\n.*",
          "(?s).*curl -s .*/turns.*"
        }) {
      assertTrue(out.toString().matches(line), () -> line + " is not in:\n" + out);
    }
  }
}
