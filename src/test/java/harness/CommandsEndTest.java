package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a Turn left running in the background ends with its conversation. */
@Timeout(120)
class CommandsEndTest {
  @TempDir Path directory;

  private TestHarness harness;

  @AfterEach
  void stop() {
    harness.close();
  }

  @BeforeEach
  void start() throws Exception {
    harness = TestSettings.in(directory).freeAfter(Duration.ZERO).start();
  }

  /** A Turn that leaves something running. */
  private Reply leave() throws Exception {
    Reply admitted = harness.post("/turns", Bodies.continued("run", "leave something running"));
    harness.awaitSettled(admitted);
    assertEquals(1, running().size(), "it runs on after the Turn");
    return admitted;
  }

  /** The shells that run the command, by its words. */
  private List<String> running() throws IOException {
    String line = "-c\0--\0" + TestScript.left(directory) + "\0";
    try (Stream<Path> entries = Files.list(Path.of("/proc"))) {
      return entries
          .map(CommandsEndTest::commandLine)
          .filter(words -> words.endsWith(line))
          .toList();
    }
  }

  private static String commandLine(Path process) {
    try {
      return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
    } catch (IOException none) {
      return "";
    }
  }

  @Test
  void withItsAbort() throws Exception {
    Reply admitted = leave();
    harness.send("POST", admitted.conversation() + "/abort", "").ok();
    assertEquals(List.of(), running());
  }

  @Test
  void withItsFreeing() throws Exception {
    leave();
    String freed = harness.send("PUT", "/agents", "{\"live\":[]}").ok().body();
    assertEquals("{\"freed\":1}", freed);
    assertEquals(List.of(), running());
  }

  @Test
  void withTheHarness() throws Exception {
    leave();
    harness.restart();
    assertEquals(List.of(), running());
  }
}
