package harness.conversation;

import static harness.conversation.Stage.CODER;
import static harness.conversation.Stage.COMPLETES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import harness.agent.Address;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.conversation.Stage.Gate;
import harness.conversation.Turns.Ending;
import harness.fault.Fault;
import harness.fault.FaultClass;
import harness.fault.Refusal;
import harness.fault.RefusedException;
import harness.model.Part;
import harness.model.Usage;
import harness.store.InMemoryEventStore;
import harness.store.StoreUnableException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConversationTest {
  private final InMemoryEventStore store = new InMemoryEventStore();
  private final Stage stage = new Stage(store, new Limits(16, 64, 4096));
  private final Gate started = new Gate();
  private final Gate go = new Gate();

  private static Ending fault(FaultClass faultClass) {
    return new Ending(Settlement.failed(new Fault(faultClass, "because")), Usage.NONE);
  }

  private Ending waits(Attempt attempt) throws InterruptedException {
    started.open();
    go.await();
    return new Ending(new Settlement.Completed(), Usage.NONE);
  }

  private static Event called(Attempt attempt, String callId) {
    return new Event.ToolCalled(
        attempt.submission().submissionId(),
        callId,
        "write",
        JsonNodeFactory.instance.objectNode(),
        attempt.actor());
  }

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
                      attempt.actor())));
          return waits(attempt);
        });
    stage.admit(CODER, "s1");
    started.await();
    stage.conversations.abort(CODER);
    assertEquals(
        1, stage.events(CODER).stream().filter(Event.ReplyAppended.class::isInstance).count());
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
  void aFaultThatBurnsSettlesWhatIsQueuedBehindItAndBumpsTheEpochOnce() throws Exception {
    stage.next(
        attempt -> {
          waits(attempt);
          return fault(FaultClass.INFRA);
        });
    stage.admit(CODER, "s1");
    started.await();
    stage.admit(CODER, "s2");
    go.open();
    Settlement.Failed own = (Settlement.Failed) stage.settled(CODER, "s1");
    Settlement.Failed behind = (Settlement.Failed) stage.settled(CODER, "s2");
    assertEquals(Optional.of(new Settlement.Bump(0, 1)), own.bump());
    assertEquals(Optional.empty(), own.causedBy());
    assertEquals(Optional.of("s1"), behind.causedBy());
    assertEquals(own.fault(), behind.fault());
    assertEquals(1, store.epoch(Address.generation(CODER).address()).orElseThrow().epoch());
    assertEquals(1, store.faults(0, 10).size());
    assertEquals(own, assertInstanceOf(Admitted.Burned.class, stage.offer(CODER, "s3")).by());
  }

  @Test
  void aFaultOfAFreshConversationBurnsItAndBumpsNothing() throws Exception {
    Instance fresh = new Instance("coder", InstanceId.parse("run-1/task/coder/f-abc"));
    stage.next(_ -> fault(FaultClass.RUNAWAY));
    stage.admit(fresh, "s1");
    assertEquals(Optional.empty(), ((Settlement.Failed) stage.settled(fresh, "s1")).bump());
    assertInstanceOf(Admitted.Burned.class, stage.offer(fresh, "s2"));
    assertEquals(Optional.empty(), store.epoch(Address.generation(fresh).address()));
  }

  @Test
  void anEpochThatACallerOpenedBeforeIsBumpedPast() throws Exception {
    stage.next(
        attempt -> {
          waits(attempt);
          return fault(FaultClass.INFRA);
        });
    stage.admit(CODER, "s1");
    started.await();
    Instance later = new Instance("coder", InstanceId.parse("run-1/task/coder/1"));
    Conversation conversation = stage.conversations.open(later);
    conversation.admit(
        _ -> Stage.submission("s9", Stage.ALICE),
        _ ->
            List.of(
                new harness.store.Claim.Epoch(Address.generation(CODER).address(), 1, "a caller")));
    go.open();
    Settlement.Failed own = (Settlement.Failed) stage.settled(CODER, "s1");
    assertEquals(Optional.of(new Settlement.Bump(0, 1)), own.bump());
  }

  @Test
  void aBugOfTheLoopIsAFaultOfItsTurn() throws Exception {
    stage.next(
        _ -> {
          throw new IllegalStateException("broken");
        });
    stage.admit(CODER, "s1");
    Settlement.Failed failed = (Settlement.Failed) stage.settled(CODER, "s1");
    assertEquals(FaultClass.INFRA, failed.fault().faultClass());
    assertTrue(failed.fault().reason().contains("broken"), failed.fault().reason());
  }

  @Test
  void anErrorOfTheJvmInATurnIsAFaultOfItAndTheConversationGoesOn() throws Exception {
    Instance fresh = new Instance("coder", InstanceId.parse("run-1/task/coder/f-err"));
    stage.next(
        _ -> {
          throw new StackOverflowError("deep");
        });
    stage.admit(fresh, "s1");
    Settlement.Failed failed = (Settlement.Failed) stage.settled(fresh, "s1");
    assertEquals(FaultClass.INFRA, failed.fault().faultClass());
  }

  @Test
  void aLifeThatBeganWhileAnEarlierOneWasFreedGoesOn() throws Exception {
    stage.admit(CODER, "s1");
    stage.settled(CODER, "s1");
    store.free(java.util.Set.of(), java.time.Instant.MAX, java.time.Instant.EPOCH);
    stage.next(this::waits);
    stage.admit(CODER, "s2");
    started.await();
    stage.conversations.open(CODER).freed();
    stage.admit(CODER, "s3");
    assertEquals(1, stage.conversations.awake());
    go.open();
    assertInstanceOf(Settlement.Completed.class, stage.settled(CODER, "s2"));
    assertInstanceOf(Settlement.Completed.class, stage.settled(CODER, "s3"));
  }

  @Test
  void aReaderThatTakesNothingIsLetGo() throws Exception {
    stage.next(this::waits);
    stage.admit(CODER, "s1");
    started.await();
    try (Subscription ear = stage.conversations.subscribe(CODER, true)) {
      for (int i = 0; i <= Subscription.MAX_SIGNALS; i++) {
        stage.conversations.open(CODER).tellDelta("s1", "text", "piece " + i);
      }
      assertTrue(Thread.interrupted(), "whoever is stuck in a write is woken");
      assertInstanceOf(Subscription.Signal.Overrun.class, ear.await(java.time.Duration.ZERO));
    }
    go.open();
  }

  @Test
  void aFullQueueRefusesAndTakesAgainWhenThereIsRoom() throws Exception {
    Stage small = new Stage(store, new Limits(16, 2, 3));
    small.next(this::waits);
    small.admit(CODER, "s1");
    started.await();
    small.admit(CODER, "s2");
    small.admit(CODER, "s3");
    RefusedException refused = assertThrows(RefusedException.class, () -> small.offer(CODER, "s4"));
    assertInstanceOf(Refusal.Full.class, refused.refusal());
    Instance other = new Instance("coder", InstanceId.parse("run-2/coder"));
    refused = assertThrows(RefusedException.class, () -> small.offer(other, "s5"));
    assertTrue(refused.refusal().message().contains("this Harness"), refused.refusal().message());
    assertEquals(Optional.empty(), small.conversations.find(other));
    go.open();
    small.settled(CODER, "s3");
    small.admit(other, "s6");
    assertInstanceOf(Settlement.Completed.class, small.settled(other, "s6"));
  }

  @Test
  void noMoreTurnsRunAtOnceThanThereArePermits() throws Exception {
    Stage two = new Stage(store, new Limits(2, 64, 4096));
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Stage.Play counted =
        attempt -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          Thread.yield();
          running.decrementAndGet();
          return COMPLETES.run(attempt);
        };
    List<Instance> many =
        IntStream.range(0, 40)
            .mapToObj(i -> new Instance("coder", InstanceId.parse("run-" + i + "/coder")))
            .toList();
    many.forEach(_ -> two.next(counted));
    many.forEach(instance -> two.admit(instance, "s-" + instance.id()));
    for (Instance instance : many) {
      two.settled(instance, "s-" + instance.id());
    }
    assertTrue(most.get() <= 2, "at most two at once, not " + most.get());
  }

  @Test
  void anAdmissionThatTheStoreCantTakeLeavesNothingBehind() throws Exception {
    store.failNextAppends(1);
    assertThrows(StoreUnableException.class, () -> stage.offer(CODER, "s1"));
    assertEquals(Optional.empty(), stage.conversations.find(CODER));
    stage.admit(CODER, "s2");
    assertInstanceOf(Settlement.Completed.class, stage.settled(CODER, "s2"));
  }

  @Test
  void aTurnWhoseStoreFailedIsFencedAndLostWhenThereIsRoomAgain() throws Exception {
    AtomicInteger afterwards = new AtomicInteger();
    stage.next(
        attempt -> {
          waits(attempt);
          store.failNextAppends(3);
          attempt.append(List.of(called(attempt, "c1")));
          afterwards.incrementAndGet();
          return COMPLETES.run(attempt);
        });
    stage.admit(CODER, "s1");
    started.await();
    stage.admit(CODER, "s2");
    go.open();
    Settlement.Failed lost = (Settlement.Failed) stage.settled(CODER, "s1");
    assertEquals(FaultClass.TURN_LOST, lost.fault().faultClass());
    assertEquals(Optional.empty(), lost.bump());
    assertInstanceOf(Settlement.Completed.class, stage.settled(CODER, "s2"));
    assertEquals(0, afterwards.get());
  }

  @Test
  void aTurnThatThisProcessDoesNotRunIsLostAtBootAndTheQueueRuns() throws Exception {
    stage.next(
        attempt -> {
          attempt.append(List.of(called(attempt, "c1")));
          return waits(attempt);
        });
    stage.admit(CODER, "s1");
    started.await();
    stage.admit(CODER, "s2");
    stage.conversations.stop();
    List<Event> before = stage.events(CODER);

    Stage after = new Stage(store, new Limits(16, 64, 4096));
    after.conversations.recover();
    Settlement.Failed lost = (Settlement.Failed) after.settled(CODER, "s1");
    assertEquals(FaultClass.TURN_LOST, lost.fault().faultClass());
    assertEquals(Settlement.ErrorType.HARNESS_RESTARTED, lost.error());
    assertInstanceOf(Settlement.Completed.class, after.settled(CODER, "s2"));
    assertEquals(before, after.events(CODER).subList(0, before.size()));
    Event.ToolReturned closed =
        assertInstanceOf(Event.ToolReturned.class, after.events(CODER).get(before.size()));
    assertEquals(Event.Outcome.UNKNOWN, closed.outcome());
    assertEquals(1, store.faults(0, 10).size());
  }

  @Test
  void aStartWhoseStoreCantWriteYetSettlesWhatWasCutOffWhenItCan() throws Exception {
    stage.next(this::waits);
    stage.admit(CODER, "s1");
    started.await();
    stage.conversations.stop();

    store.failNextAppends(2);
    Stage after = new Stage(store, new Limits(16, 64, 4096));
    after.conversations.recover();
    Settlement.Failed lost = (Settlement.Failed) after.settled(CODER, "s1");
    assertEquals(FaultClass.TURN_LOST, lost.fault().faultClass());
    assertTrue(after.conversations.drain(Stage.DEADLINE));
  }

  @Test
  void whatHasNothingToDoAndNoReaderIsNotInMemory() throws Exception {
    stage.next(this::waits);
    stage.admit(CODER, "s1");
    started.await();
    assertEquals(1, stage.conversations.awake());
    go.open();
    stage.settled(CODER, "s1");
    assertTrue(stage.conversations.drain(Stage.DEADLINE));
    try (Subscription ear = stage.conversations.subscribe(CODER, false)) {
      assertEquals(1, stage.conversations.awake());
    }
    assertEquals(0, stage.conversations.awake());
  }

  @Test
  void aDrainWaitsForWhatIsUnsettled() throws Exception {
    stage.next(this::waits);
    stage.admit(CODER, "s1");
    started.await();
    stage.admit(CODER, "s2");
    assertFalse(stage.conversations.drain(java.time.Duration.ZERO));

    Stage again = new Stage(new InMemoryEventStore(), new Limits(16, 64, 4096));
    again.next(this::waits);
    again.admit(CODER, "s1");
    started.await();
    again.admit(CODER, "s2");
    go.open();
    go.open();
    assertTrue(again.conversations.drain(Stage.DEADLINE));
    assertInstanceOf(Settlement.Completed.class, again.settled(CODER, "s2"));
  }
}
