package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.cli.Program;
import harness.cli.StartException;
import harness.cli.Surroundings;
import harness.client.Timing;
import harness.model.http.ProviderServer;
import harness.model.http.Tongue;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DemoTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private Program program() {
    return new Program(
        new Surroundings(Map.of(), Path.of("").toAbsolutePath()),
        RunningHarness::start,
        _ -> {
          throw new StartException("there is no runner here");
        },
        Main::self,
        new Timing(InstantSource.system(), Thread::sleep, new Random(1)),
        new PrintWriter(out),
        new PrintWriter(err));
  }

  @ParameterizedTest
  @EnumSource(Tongue.class)
  void showsTheTurnOfAModelBehindAnyServer(Tongue tongue) throws Exception {
    try (ProviderServer server = new ProviderServer()) {
      server.when(
          "any",
          "qwen3",
          exchange -> {
            exchange.stream();
            exchange.raw(
                tongue.opens()
                    + tongue.calls(0, "call-1", "write")
                    + tongue.with(0, "{\"path\":\"ada.txt\",\"content\":\"Hello\"}")
                    + tongue.finishes(Tongue.Finish.CALLED)
                    + tongue.ends());
          },
          exchange -> {
            exchange.stream();
            exchange.raw(
                tongue.opens()
                    + tongue.says("Ada is greeted.")
                    + tongue.finishes(Tongue.Finish.SAID)
                    + tongue.ends());
          });

      int code =
          program()
              .run(
                  "demo",
                  "--provider",
                  server.baseUrl("any").toString(),
                  "--model",
                  "qwen3",
                  "--api",
                  tongue.api().wireName());

      assertEquals(0, code, () -> out + "\n" + err);
      assertEquals(2, server.received("any", "qwen3").size());
      for (String line :
          new String[] {
            "(?s).*\ncoder +write +ada\\.txt +ok.*",
            "(?s).*\ncoder +says +Ada is greeted\\..*",
            "(?s).*\n  \\?\\? ada\\.txt\n.*"
          }) {
        assertTrue(out.toString().matches(line), () -> line + " is not in:\n" + out);
      }
    }
  }

  @Test
  void aDemoWithAModelNeedsItsProvider() {
    assertNotEquals(0, program().run("demo", "--model", "qwen3"));
    assertTrue(err.toString().contains("--provider"), err::toString);
  }

  @Test
  void showsOneWholeTurnAndEndsWithZero() {
    assertEquals(0, program().run("demo"), () -> out + "\n" + err);
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
