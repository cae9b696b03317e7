package harness.conversation;

import static harness.conversation.Stage.CODER;
import static harness.conversation.Stage.COMPLETES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.conversation.Stage.Gate;
import harness.conversation.Turns.Ending;
import harness.model.Usage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Order, memory and fencing: what a conversation does when nothing fails. */
class ConversationTest extends ConversationFixture {
  @Test
  void submissionsRunOneAfterTheOtherInTheOrderOfTheirAdmission() throws Exception {
    stage.next(this::waits);
    assertEquals(0, stage.admit(CODER, "s1").ahead());
    started.await();
    assertEquals(1, stage.admit(CODER, "s2").ahead());
    assertEquals(2, stage.admit(CODER, "s3").ahead());
    go.open();
    assertInstanceOf(Settlement.Completed.class, stage.settled(CODER, "s3"));
    assertEquals(
        List.of(
            "SubmissionAdmitted s1",
            "TurnStarted s1",
            "PromptAppended s1",
            "SubmissionAdmitted s2",
            "SubmissionAdmitted s3",
            "SubmissionSettled s1",
            "TurnStarted s2",
            "PromptAppended s2",
            "SubmissionSettled s2",
            "TurnStarted s3",
            "PromptAppended s3",
            "SubmissionSettled s3"),
        stage.story(CODER));
  }

  @Test
  void theFirstAdmissionMakesTheConversationAndItsOffsetComesBeforeItsEvents() throws Exception {
    Place first = stage.admit(CODER, "s1");
    stage.settled(CODER, "s1");
    Place second = stage.admit(CODER, "s2");
    assertTrue(first.isNew());
    assertFalse(second.isNew());
    assertEquals(first.offset().life(), second.offset().life());
    Event at = stage.events(CODER).get((int) second.offset().sequence());
    assertEquals("s2", at.submissionId());
    assertInstanceOf(Event.SubmissionAdmitted.class, at);
  }

  @Test
  void anAttemptThatWasEndedAppendsNothingAndStartsNoTool() throws Exception {
    AtomicReference<Optional<Throwable>> append = new AtomicReference<>(Optional.empty());
    AtomicReference<Optional<Throwable>> tool = new AtomicReference<>(Optional.empty());
    AtomicInteger toolsRun = new AtomicInteger();
    Gate over = new Gate();
    stage.next(
        attempt -> {
          started.open();
          go.awaitDeaf();
          attempt.sink().text("too late");
          append.set(
              Optional.of(
                  assertThrows(
                      EndedException.class, () -> attempt.append(List.of(called(attempt, "c1"))))));
          tool.set(
              Optional.of(
                  assertThrows(
                      EndedException.class, () -> attempt.runTool(toolsRun::incrementAndGet))));
          assertThrows(EndedException.class, attempt::nextReply);
          over.open();
          return new Ending(new Settlement.Completed(), Usage.NONE);
        });
    stage.admit(CODER, "s1");
    started.await();
    stage.conversations.abort(CODER);
    int settledAt = stage.events(CODER).size();
    go.open();
    over.await();
    assertTrue(append.get().isPresent() && tool.get().isPresent());
    assertEquals(0, toolsRun.get());
    assertEquals(settledAt, stage.events(CODER).size());
  }

  @Test
  void aToolThatWasToStartWhenItsTurnWasEndedDoesNotStart() throws Exception {
    AtomicInteger toolsRun = new AtomicInteger();
    Gate over = new Gate();
    stage.next(
        attempt -> {
          stage.atNextUnlock.set(
              () -> Stage.inAnotherThread(() -> stage.conversations.abort(CODER)));
          assertThrows(EndedException.class, () -> attempt.runTool(toolsRun::incrementAndGet));
          over.open();
          return COMPLETES.run(attempt);
        });
    stage.admit(CODER, "s1");
    over.await();
    assertEquals(0, toolsRun.get());
  }

  @Test
  void theNextTurnStartsWhenTheToolsOfTheEndedOneHaveEndedAndNotBefore() throws Exception {
    Gate toolEnds = new Gate();
    AtomicInteger order = new AtomicInteger();
    AtomicInteger toolEnded = new AtomicInteger();
    AtomicInteger nextStarted = new AtomicInteger();
    stage.next(
        attempt -> {
          attempt.runTool(
              () -> {
                started.open();
                toolEnds.awaitDeaf();
                toolEnded.set(order.incrementAndGet());
                return "";
              });
          return new Ending(new Settlement.Completed(), Usage.NONE);
        },
        attempt -> {
          nextStarted.set(order.incrementAndGet());
          return COMPLETES.run(attempt);
        });
    stage.admit(CODER, "s1");
    started.await();
    stage.conversations.abort(CODER);
    stage.admit(CODER, "s2");
    assertEquals("SubmissionAdmitted s2", stage.story(CODER).getLast());
    toolEnds.open();
    stage.settled(CODER, "s2");
    assertTrue(toolEnded.get() < nextStarted.get());
  }

  @Test
  void aModelCallThatNoInterruptEndsHoldsUpNobody() throws Exception {
    stage.next(
        attempt -> {
          started.open();
          go.awaitDeaf();
          return new Ending(new Settlement.Completed(), Usage.NONE);
        });
    stage.admit(CODER, "s1");
    started.await();
    stage.conversations.abort(CODER);
    stage.admit(CODER, "s2");
    assertInstanceOf(Settlement.Completed.class, stage.settled(CODER, "s2"));
    go.open();
  }

  @Test
  void aTurnWhoseModelIsInTroubleStaysInItsQueueAndHoldsUpNoOther() throws Exception {
    Stage narrow = new Stage(store, new Limits(1, 64, 4096));
    Instance other = new Instance("reviewer", InstanceId.parse("run-1/task/reviewer"));
    narrow.ready = submission -> !submission.submissionId().equals("waits");
    narrow.admit(CODER, "waits");
    narrow.admit(other, "runs");

    assertInstanceOf(Settlement.Completed.class, narrow.settled(other, "runs"));
    assertEquals(List.of("SubmissionAdmitted waits"), narrow.story(CODER));
    narrow.ready = _ -> true;
    assertInstanceOf(Settlement.Completed.class, narrow.settled(CODER, "waits"));
  }

  @Test
  void anAbortEndsATurnThatWaitsForItsModel() throws Exception {
    stage.ready = _ -> false;
    stage.admit(CODER, "waits");

    assertTrue(stage.conversations.abort(CODER));
    stage.ready = _ -> true;
    stage.admit(CODER, "next");

    assertInstanceOf(Settlement.Aborted.class, stage.settled(CODER, "waits"));
    assertInstanceOf(Settlement.Completed.class, stage.settled(CODER, "next"));
  }

  @Test
  void whatAnAbortedTurnHadUsedIsInItsSettlement() throws Exception {
    Usage used = new Usage(100, 20, 3);
    stage.next(
        attempt -> {
          attempt.used(used);
          return waits(attempt);
        });
    stage.admit(CODER, "runs");
    started.await();
    stage.admit(CODER, "waits");

    assertTrue(stage.conversations.abort(CODER));

    assertEquals(
        List.of(used, Usage.NONE),
        stage.events(CODER).stream()
            .filter(Event.SubmissionSettled.class::isInstance)
            .map(event -> ((Event.SubmissionSettled) event).usage())
            .toList());
  }
}
