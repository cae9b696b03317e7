package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Bodies;
import harness.Reply;
import harness.StreamReader;
import harness.StreamReader.Frame;
import harness.TestClock;
import harness.TestHarness;
import harness.TestParts;
import harness.TestSettings;
import harness.store.InMemoryEventStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A conversation as it happens. */
@Timeout(120)
class EventStreamTest {
  private static final Duration KEEP_ALIVE = Duration.ofMillis(100);

  private final TestClock clock = new TestClock();
  private TestHarness harness;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    harness =
        TestSettings.in(directory)
            .start(
                new TestParts(
                    new InMemoryEventStore(),
                    clock,
                    new Patience(Duration.ofSeconds(25), KEEP_ALIVE, Duration.ofMinutes(5))));
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  private Reply go(String prompt) {
    return harness.post("/turns", Bodies.continued("run", prompt));
  }

  private static String deltas(List<Frame> frames) {
    return frames.stream()
        .filter(frame -> frame.event().equals("delta"))
        .map(frame -> frame.json().path("text").asText())
        .collect(Collectors.joining());
  }

  private static List<Frame> durable(List<Frame> frames) {
    return frames.stream().filter(frame -> !frame.id().isEmpty()).toList();
  }

  @Test
  void durableEventsHaveTheNextOffsetAsIdAndAreThoseOfTheUpdates() throws Exception {
    Reply admission = go("list it");
    harness.awaitSettled(admission);
    try (StreamReader stream = harness.stream(admission.conversation())) {
      assertEquals(200, stream.status());
      assertEquals("text/event-stream", stream.header("content-type"));
      assertEquals("no-store", stream.header("cache-control"));
      List<Frame> frames = durable(stream.until(frame -> frame.is("submission-settled")));
      Reply updates = harness.get(admission.conversation());
      assertEquals(updates.elements(), frames.stream().map(Frame::json).toList());
      assertEquals(updates.header("stream-next-offset"), frames.getLast().id());
      assertTrue(frames.stream().allMatch(frame -> frame.event().isEmpty()), frames::toString);
    }
  }

  @Test
  void itResumesBehindTheLastEventThatWasSeen() throws Exception {
    Reply admission = go("list it");
    harness.awaitSettled(admission);
    List<Frame> all;
    try (StreamReader stream = harness.stream(admission.conversation())) {
      all = durable(stream.until(frame -> frame.is("submission-settled")));
    }
    for (int seen = 0; seen < all.size() - 1; seen++) {
      String id = all.get(seen).id();
      try (StreamReader byHeader = harness.stream(admission.conversation(), "Last-Event-ID", id);
          StreamReader byQuery = harness.stream(admission.conversation() + "?offset=" + id);
          StreamReader byBoth =
              harness.stream(
                  admission.conversation() + "?offset=" + all.getFirst().id(),
                  "Last-Event-ID",
                  id)) {
        for (StreamReader resumed : List.of(byHeader, byQuery, byBoth)) {
          assertEquals(
              all.subList(seen + 1, all.size()),
              durable(resumed.until(frame -> frame.is("submission-settled"))));
        }
      }
    }
  }

  @Test
  void aReplyIsHeardAsItStreamsInWithoutId() throws Exception {
    Reply first = go("Write it.");
    harness.awaitSettled(first);
    try (StreamReader stream = harness.stream(first.conversation())) {
      stream.until(frame -> frame.is("submission-settled"));
      Reply second = go("list it");
      List<Frame> frames =
          stream.until(
              frame ->
                  frame.is("submission-settled")
                      && frame
                          .json()
                          .path("submissionId")
                          .asText()
                          .equals(second.text("submissionId")));
      assertEquals("I look.I looked.", deltas(frames));
      frames.stream()
          .filter(frame -> frame.event().equals("delta"))
          .forEach(
              frame -> {
                assertEquals("", frame.id());
                assertEquals(
                    second.text("submissionId"), frame.json().path("submissionId").asText());
                assertEquals("text", frame.json().path("kind").asText());
              });
    }
  }

  @Test
  void piecesComeBeforeTheMessageThatTheyMakeAndNoneIsLeftOut() throws Exception {
    Reply first = go("Write it.");
    harness.awaitSettled(first);
    for (int round = 0; round < 20; round++) {
      try (StreamReader stream =
          harness.stream(
              first.conversation(),
              "Last-Event-ID",
              harness.get(first.conversation()).header("stream-next-offset"))) {
        Reply song = go("sing");
        List<Frame> frames =
            stream.until(
                frame ->
                    frame.is("message-appended")
                        && frame.json().path("message").path("role").asText().equals("assistant"));
        assertEquals("la la la la", deltas(frames));
        harness.awaitSettled(song);
      }
    }
  }

  @Test
  void whileNothingHappensACommentShowsThatItIsAlive() throws Exception {
    Reply admission = go("Write it.");
    harness.awaitSettled(admission);
    try (StreamReader stream = harness.stream(admission.conversation())) {
      stream.until(frame -> frame.is("submission-settled"));
      for (int i = 0; i < 3; i++) {
        assertTrue(stream.next().orElseThrow().comment());
      }
    }
  }

  @Test
  void aReaderThatGoesAwayChangesNothing() throws Exception {
    Reply live = go("Wait for gate-1.");
    StreamReader stream = harness.stream(live.conversation());
    stream.until(frame -> frame.is("tool-returned"));
    stream.close();
    harness.open("gate-1");
    assertEquals("completed", harness.awaitSettled(live).path("outcome").asText());
  }

  @Test
  void manyReadersHearTheSame() throws Exception {
    Reply live = go("Wait for gate-1.");
    try (StreamReader one = harness.stream(live.conversation());
        StreamReader two = harness.stream(live.conversation())) {
      one.until(frame -> frame.is("tool-returned"));
      harness.open("gate-1");
      List<Frame> heard = durable(one.until(frame -> frame.is("submission-settled")));
      List<Frame> all = durable(two.until(frame -> frame.is("submission-settled")));
      assertEquals(heard, all.subList(all.size() - heard.size(), all.size()));
    }
  }

  @Test
  void aStreamOfAConversationThatIsFreedEnds() throws Exception {
    Reply admission = go("Write it.");
    harness.awaitSettled(admission);
    try (StreamReader stream = harness.stream(admission.conversation())) {
      stream.until(frame -> frame.is("submission-settled"));
      clock.goOn(Duration.ofMinutes(6));
      assertEquals("1", harness.send("PUT", "/agents", "{\"live\":[]}").ok().text("freed"));
      while (stream.next().isPresent()) {
        Thread.onSpinWait();
      }
    }
  }
}
