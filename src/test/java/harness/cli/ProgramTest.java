package harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.jimfs.Jimfs;
import harness.client.Timing;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ProgramTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final List<Configuration> started = new ArrayList<>();
  private final List<String> runners = new ArrayList<>();
  private final List<RunnerFactory.Setting> settings = new ArrayList<>();

  private int run(ServerFactory servers, Map<String, String> environment, String... arguments) {
    Surroundings surroundings =
        new Surroundings(
            environment,
            Jimfs.newFileSystem(com.google.common.jimfs.Configuration.unix()).getPath("/work"));
    return new Program(
            surroundings,
            servers,
            this::startRunner,
            List::of,
            new Timing(InstantSource.system(), Thread::sleep, new Random(1)),
            new PrintWriter(out),
            new PrintWriter(err))
        .run(arguments);
  }

  private Server ending(Configuration configuration) {
    started.add(configuration);
    return new Server() {
      @Override
      public URI uri() {
        return URI.create("http://127.0.0.1:4711");
      }

      @Override
      public void awaitEnd() {}

      @Override
      public void close() {}
    };
  }

  private RunnerFactory.Running startRunner(RunnerFactory.Setting setting) throws StartException {
    if (setting.socket().toString().equals("/run/taken.sock")) {
      throw new StartException("another runner listens at /run/taken.sock");
    }
    runners.add(setting.socket() + " for " + setting.workspace());
    settings.add(setting);
    return new RunnerFactory.Running() {
      @Override
      public void awaitEnd() {}

      @Override
      public void close() {}
    };
  }

  @Test
  void aRunnerIsToldOfItsBoundsByFlagsAndByTheEnvironment() {
    Map<String, String> environment =
        Map.of("HARNESS_LIMITS_COMMAND_MEMORY", "64Mi", "HARNESS_SANDBOX_NETWORK", "true");
    assertEquals(
        0, run(this::ending, environment, "runner", "--socket", "/a.sock", "--linger", "11m"));
    RunnerFactory.Setting told = settings.getLast();
    assertEquals(Duration.ofMinutes(11), told.linger());
    assertEquals(64L << 20, told.commandMemory().orElseThrow());
    assertTrue(told.network());
    String[] words = {"runner", "--socket", "/a.sock", "--sandbox-network", "false"};
    assertEquals(0, run(this::ending, environment, words));
    assertFalse(settings.getLast().network());
    assertEquals(2, run(this::ending, Map.of(), "runner", "--socket", "/a", "--linger", "soon"));
    assertTrue(err.toString().contains("--linger must be a time like 11m"), err::toString);
  }

  @Test
  void runnerListensAtItsSocketForAWorkspaceThatItIsTold() {
    assertEquals(0, run(this::ending, Map.of(), "runner", "--socket", "/run/a.sock"));
    assertEquals("harness runner listens on unix:/run/a.sock\n", out.toString());
    Map<String, String> root = Map.of("HARNESS_WORKSPACE_ROOT", "/srv/trees");
    assertEquals(0, run(this::ending, root, "runner", "--socket", "../b.sock"));
    assertEquals(
        0, run(this::ending, root, "runner", "--socket", "/c.sock", "--workspace", "/trees"));
    assertEquals(
        List.of("/run/a.sock for /work", "/b.sock for /srv/trees", "/c.sock for /trees"), runners);
  }

  @Test
  void aRunnerThatCantBeSaysWhy() {
    assertEquals(2, run(this::ending, Map.of(), "runner"));
    assertEquals(2, run(this::ending, Map.of(), "runner", "--socket", "a.sock"));
    assertTrue(err.toString().contains("/work/a.sock must lie outside"), err::toString);
    assertEquals(1, run(this::ending, Map.of(), "runner", "--socket", "/run/taken.sock"));
    assertTrue(err.toString().endsWith("another runner listens at /run/taken.sock\n"));
    assertEquals(List.of(), runners);
  }

  @Test
  void serveStartsWhatTheConfigurationSaysAndTellsWhere() {
    int code =
        run(
            this::ending,
            Map.of("HARNESS_AUTH", "none"),
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--state",
            "/state");
    assertEquals(0, code, err::toString);
    assertEquals("/state", started.getFirst().state().toString());
    assertEquals("harness listens on http://127.0.0.1:4711\n", out.toString());
  }

  @Test
  void faultsOfTheConfigurationArePrintedOneALineAndEndWithTwo() {
    int code =
        run(this::ending, Map.of("HARNESS_LIMITS_STEPS", "x"), "serve", "--listen", "nowhere");
    assertEquals(2, code);
    assertEquals(3, err.toString().lines().count(), err::toString);
    assertTrue(err.toString().contains("listen (--listen) must be HOST:PORT"), err::toString);
    assertEquals(List.of(), started);
  }

  @Test
  void aConfigurationThatIsNotThereIsAWrongCommandLine() {
    assertEquals(2, run(this::ending, Map.of(), "serve", "--config", "/nope"));
    assertEquals("--config: /nope is not there; name a file that is\n", err.toString());
    err.getBuffer().setLength(0);
    assertEquals(2, run(this::ending, Map.of("HARNESS_CONFIG", "nope.yaml"), "serve"));
    assertEquals(
        "HARNESS_CONFIG: /work/nope.yaml is not there; name a file that is\n", err.toString());
  }

  @Test
  void aServerThatCannotStartEndsWithOneAndItsSentence() {
    ServerFactory busy =
        configuration -> {
          throw new StartException("port 80 is taken; choose another with --listen");
        };
    assertEquals(1, run(busy, Map.of("HARNESS_AUTH", "none"), "serve"));
    assertEquals("port 80 is taken; choose another with --listen\n", err.toString());
  }

  @Test
  void anUnknownFlagAndNoCommandEndWithTwo() {
    assertEquals(2, run(this::ending, Map.of(), "serve", "--lisen", "x"));
    assertEquals(2, run(this::ending, Map.of()));
    assertTrue(err.toString().contains("name a command"), err::toString);
  }
}
