package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Bodies;
import harness.Reply;
import harness.StreamReader;
import harness.StreamReader.Frame;
import harness.TestHarness;
import harness.TestParts;
import harness.TestSettings;
import harness.model.scripted.Script;
import harness.store.InMemoryEventStore;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A reader that does not keep up is let go and slows nothing. */
@Timeout(120)
class SlowReaderTest {
  /** More pieces than any socket takes without a reader. */
  private static final int WORDS = 300_000;

  private static final String SCRIPT =
      "models:\n  plain:\n    - when: speak\n      steps: [ { text: \""
          + "word ".repeat(WORDS)
          + "\" } ]\n    - steps: [ { text: Done. } ]\n";

  @Test
  void aTurnGoesOnAndTheReaderResumesFromItsOffset(@TempDir Path directory) throws Exception {
    try (TestHarness harness =
        TestSettings.in(directory)
            .start(
                new TestParts(
                    new InMemoryEventStore(),
                    InstantSource.system(),
                    Patience.freeingAfter(Duration.ofMinutes(5))),
                Script.parse(SCRIPT, "of the test"))) {
      Reply first = harness.post("/turns", Bodies.continued("run", "Write it."));
      harness.awaitSettled(first);
      String last;
      try (StreamReader slow = harness.stream(first.conversation())) {
        List<Frame> before = slow.until(frame -> frame.is("submission-settled"));
        Reply speech = harness.post("/turns", Bodies.continued("run", "speak"));
        assertEquals("completed", harness.awaitSettled(speech).path("outcome").asText());

        List<Frame> read = new ArrayList<>();
        for (Optional<Frame> frame = next(slow); frame.isPresent(); frame = next(slow)) {
          read.add(frame.get());
        }
        assertTrue(read.size() < WORDS, "all " + read.size() + " frames came");
        assertFalse(read.stream().anyMatch(frame -> frame.is("submission-settled")));
        // It may be let go before anything durable of the second Turn came.
        last =
            Stream.concat(before.stream(), read.stream())
                .map(Frame::id)
                .filter(id -> !id.isEmpty())
                .reduce((_, later) -> later)
                .orElseThrow();
      }
      try (StreamReader resumed = harness.stream(first.conversation(), "Last-Event-ID", last)) {
        List<Frame> rest = resumed.until(frame -> frame.is("submission-settled"));
        List<String> types = rest.stream().map(Frame::type).toList();
        assertEquals(
            List.of("message-appended", "submission-settled"),
            types.subList(types.size() - 2, types.size()));
      }
    }
  }

  /** The next frame; empty where the connection was cut, as it is for one that is too slow. */
  private static Optional<Frame> next(StreamReader slow) {
    try {
      return slow.next();
    } catch (UncheckedIOException _) {
      return Optional.empty();
    }
  }
}
