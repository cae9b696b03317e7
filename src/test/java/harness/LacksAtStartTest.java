package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.cli.ConfigurationReader;
import harness.cli.Server;
import harness.cli.Surroundings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a Harness will lack for its first Turn is said at its start, which goes on. */
@Timeout(120)
class LacksAtStartTest {
  private final BlockingQueue<String> warned = new LinkedBlockingQueue<>();

  private final Handler ear =
      new Handler() {
        @Override
        public void publish(LogRecord said) {
          if (said.getLevel().equals(Level.WARNING)) {
            warned.add(new SimpleFormatter().formatMessage(said));
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @Test
  void eachKeyThatCantBeReadAndAWorkspaceThatIsNotThereAreWarnedOf(@TempDir Path directory)
      throws Exception {
    Path base = directory.toRealPath();
    Files.writeString(base.resolve("key"), "secret");
    String provider =
        "{ id: %s, api: openai-chat, base-url: 'http://127.0.0.1:1/v1', %s, models: { m: {} } }";
    String configuration =
        """
        harness:
          listen: 127.0.0.1:0
          auth: none
          state: %1$s/state
          sandbox: off
          workspace: { root: %1$s/work }
          providers:
            - %2$s
            - %3$s
            - %4$s
        """
            .formatted(
                base,
                provider.formatted("lab", "api-key-file: " + base + "/none"),
                provider.formatted("good", "api-key-file: " + base + "/key"),
                provider.formatted("env", "api-key-env: NO_SUCH_KEY"));
    Logger logger = Logger.getLogger(RunningHarness.class.getName());
    logger.addHandler(ear);
    try (Server server =
        RunningHarness.start(
            new ConfigurationReader(new Surroundings(Map.of(), base))
                .parse(configuration, "test", Map.of()))) {
      assertTrue(server.uri().getPort() > 0);
      String tail =
          "; until it can, a Turn on a model of '%s' is an infra fault, which burns its"
              + " conversation. ";
      assertEquals(
          "provider 'lab': the key can't be used: the file "
              + base
              + "/none is not there"
              + tail.formatted("lab")
              + "Put the key there; a restart is not needed",
          next());
      assertEquals(
          "provider 'env': the key can't be used: the environment variable NO_SUCH_KEY is not set"
              + tail.formatted("env")
              + "Set it and start again",
          next());
      assertEquals(
          "workspace.root: "
              + base
              + "/work is no directory, so a Turn that needs a workspace can't run; make it, or"
              + " name another",
          next());
    } finally {
      logger.removeHandler(ear);
    }
  }

  private String next() throws InterruptedException {
    return Optional.ofNullable(warned.poll(TestHarness.PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .orElseThrow();
  }
}
