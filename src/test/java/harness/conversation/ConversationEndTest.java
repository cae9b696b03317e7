package harness.conversation;

import static harness.conversation.Stage.CODER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.conversation.Stage.Gate;
import harness.conversation.Turns.Ending;
import harness.model.Part;
import harness.model.Usage;
import harness.store.StoreUnableException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Aborts and freeing: what is ended, what is kept, and what comes after. */
class ConversationEndTest extends ConversationFixture {
  @Test
  void anAbortSettlesWhatRunsAndWhatWaitsInOrderBeforeItReturns() throws Exception {
    stage.next(this::waits);
    stage.admit(CODER, "s1");
    started.await();
    stage.admit(CODER, "s2");
    stage.admit(CODER, "s3");
    assertTrue(stage.conversations.abort(CODER));
    List<String> story = stage.story(CODER);
    assertEquals(
        List.of("SubmissionSettled s1", "SubmissionSettled s2", "SubmissionSettled s3"),
        story.subList(story.size() - 3, story.size()));
    assertInstanceOf(Settlement.Aborted.class, stage.settled(CODER, "s2"));
    assertFalse(stage.conversations.abort(CODER), "there is nothing left to end");
  }

  @Test
  void whatItsCallsLeftRunningIsReleasedWhenItIsAbortedOrFreed() throws Exception {
    stage.next(this::waits);
    stage.admit(CODER, "s1");
    started.await();
    assertTrue(stage.released.isEmpty());
    stage.conversations.abort(CODER);
    assertEquals(CODER, stage.released.remove());
    assertEquals(1, stage.conversations.free(Set.of(), Duration.ofSeconds(-1)));
    assertEquals(CODER, stage.released.remove());
  }

  @Test
  void whatIsAdmittedWhileAnAbortEndsWhatWasLeftRunningStartsWhenThatHasEnded() throws Exception {
    stage.next(this::waits);
    stage.admit(CODER, "s1");
    started.await();
    stage.threads.clear();
    stage.whileReleasing =
        () -> {
          stage.admit(CODER, "s2");
          assertEquals(List.of(), List.copyOf(stage.threads), "its own calls would be ended too");
        };
    assertTrue(stage.conversations.abort(CODER));
    assertInstanceOf(Settlement.Completed.class, stage.settled(CODER, "s2"));
  }

  @Test
  void whatIsFreedWhileAnAbortEndsWhatWasLeftRunningBeginsAnewWhenThatHasEnded() throws Exception {
    stage.admit(CODER, "s1");
    stage.settled(CODER, "s1");
    stage.threads.clear();
    AtomicInteger releases = new AtomicInteger();
    stage.whileReleasing =
        () -> {
          if (releases.getAndIncrement() == 0) {
            store.free(Set.of(), Instant.MAX, Instant.EPOCH);
            assertTrue(stage.conversations.open(CODER).freed());
            stage.admit(CODER, "s2");
            assertEquals(List.of(), List.copyOf(stage.threads), "its own calls would be ended");
          }
        };
    assertFalse(stage.conversations.abort(CODER));
    assertInstanceOf(Settlement.Completed.class, stage.settled(CODER, "s2"));
    assertEquals("SubmissionAdmitted s2", stage.story(CODER).getFirst());
  }

  @Test
  void whoeverBeginsAFreedConversationAnewWaitsForTheEndOfWhatItLeftRunning() throws Exception {
    stage.admit(CODER, "s1");
    stage.settled(CODER, "s1");
    stage.threads.clear();
    stage.whileReleasing =
        () -> {
          Thread other = Thread.ofVirtual().start(() -> stage.admit(CODER, "s2"));
          Stage.awaitParked(other);
          assertEquals(List.of(), List.copyOf(stage.threads), "its own calls would be ended too");
        };
    assertEquals(1, stage.conversations.free(Set.of(), Duration.ofSeconds(-1)));
    assertInstanceOf(Settlement.Completed.class, stage.settled(CODER, "s2"));
  }

  @Test
  void aConversationWhoseToolStillRunsIsNotFreed() throws Exception {
    Gate toolEnds = new Gate();
    Gate toolEnded = new Gate();
    stage.next(
        attempt -> {
          attempt.runTool(
              () -> {
                started.open();
                toolEnds.awaitDeaf();
                return "";
              });
          toolEnded.open();
          return new Ending(new Settlement.Completed(), Usage.NONE);
        });
    stage.admit(CODER, "s1");
    started.await();
    stage.conversations.abort(CODER);
    assertEquals(0, stage.conversations.free(Set.of(), Duration.ofSeconds(-1)));
    toolEnds.open();
    toolEnded.await();
    assertEquals(1, stage.conversations.free(Set.of(), Duration.ofSeconds(-1)));
  }

  @Test
  void anAbortKeepsWhatWasSaidMarkedAsCutAndClosesOpenCalls() throws Exception {
    stage.next(
        attempt -> {
          attempt.append(List.of(called(attempt, "c1")));
          attempt.sink().text("half a ");
          attempt.sink().text("sentence");
          return waits(attempt);
        });
    stage.admit(CODER, "s1");
    started.await();
    stage.conversations.abort(CODER);
    List<Event> events = stage.events(CODER);
    Event.ReplyAppended reply =
        assertInstanceOf(Event.ReplyAppended.class, events.get(events.size() - 3));
    assertTrue(reply.cut());
    assertEquals(List.of(new Part.Text("half a sentence")), reply.parts());
    Event.ToolReturned returned =
        assertInstanceOf(Event.ToolReturned.class, events.get(events.size() - 2));
    assertEquals("c1", returned.callId());
    assertEquals(Event.Outcome.UNKNOWN, returned.outcome());
  }

  @Test
  void aReplyThatIsCutHasNoHoleWhereAnAbortFailed() throws Exception {
    stage.next(
        attempt -> {
          attempt.sink().text("one ");
          store.beforeNextAppend(() -> attempt.sink().text("two "));
          store.failNextAppends(1);
          assertThrows(StoreUnableException.class, () -> stage.conversations.abort(CODER));
          attempt.sink().text("three");
          return waits(attempt);
        });
    stage.admit(CODER, "s1");
    started.await();
    stage.conversations.abort(CODER);
    assertEquals(
        List.of(List.of(new Part.Text("one "))),
        stage.events(CODER).stream()
            .filter(Event.ReplyAppended.class::isInstance)
            .map(event -> ((Event.ReplyAppended) event).parts())
            .toList());
  }

  @Test
  void whatWasAppendedIsNoPartialReplyAnyMore() throws Exception {
    stage.next(
        attempt -> {
          attempt.sink().text("whole");
          attempt.append(
              List.of(
                  new Event.ReplyAppended(
                      "s1",
                      "m",
                      List.of(new Part.Text("whole")),
                      false,
                      Usage.NONE,
                      attempt.actor(),
                      attempt.provenance())));
          return waits(attempt);
        });
    stage.admit(CODER, "s1");
    started.await();
    stage.conversations.abort(CODER);
    assertEquals(
        1, stage.events(CODER).stream().filter(Event.ReplyAppended.class::isInstance).count());
  }
}
