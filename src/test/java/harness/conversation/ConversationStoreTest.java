package harness.conversation;

import static harness.conversation.Stage.CODER;
import static harness.conversation.Stage.COMPLETES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.fault.FaultClass;
import harness.store.CorruptEventException;
import harness.store.StoreUnableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A store that fails, and what a start finds in it. */
class ConversationStoreTest extends ConversationFixture {
  private final Stage.Gate again = new Stage.Gate();

  @Test
  void aBurnedConversationThatIsFreedWhileItIsReadStaysBurned() throws Exception {
    stage.next(_ -> fault(FaultClass.INFRA));
    stage.admit(CODER, "s1");
    stage.settled(CODER, "s1");
    for (Thread turn : stage.threads) {
      turn.join();
    }
    assertEquals(0, stage.conversations.awake());
    store.beforeNextRead(
        () -> store.free(java.util.Set.of(), java.time.Instant.MAX, java.time.Instant.EPOCH));
    assertInstanceOf(Admitted.Burned.class, stage.offer(CODER, "s2"));
  }

  @Test
  void whatCouldNotBeReadAtTheStartIsCountedAndRunsOnceItCanBe() throws Exception {
    stage.next(this::waits);
    stage.admit(CODER, "s1");
    started.await();
    stage.admit(CODER, "s2");
    stage.conversations.stop();
    Stage after = new Stage(store, new Limits(16, 64, 4096));
    store.beforeNextRead(
        () -> {
          throw new UncheckedIOException(new IOException("it could not be read just now"));
        });
    after.conversations.recover();
    assertEquals(new Conversations.Load(0, 0), after.conversations.load());

    Stage.Gate begun = new Stage.Gate();
    Stage.Gate end = new Stage.Gate();
    after.next(
        attempt -> {
          begun.open();
          end.await();
          return COMPLETES.run(attempt);
        });
    after.admit(CODER, "s3");
    begun.await();
    assertEquals(new Conversations.Load(1, 1), after.conversations.load());
    end.open();
    for (String id : List.of("s2", "s3")) {
      assertInstanceOf(Settlement.Completed.class, after.settled(CODER, id));
    }
    assertTrue(after.conversations.drain(Stage.DEADLINE));
    assertEquals(0, after.conversations.load().queued());
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
  void noTurnStartsBetweenTheFailedStartOfOneAndItsRepair() throws Exception {
    stage.pausing = again::awaitDeaf;
    stage.atNextBriefing.set(
        () -> {
          store.failNextAppends(1);
          stage.atNextUnlock.set(() -> Stage.inAnotherThread(() -> stage.admit(CODER, "s2")));
        });
    Stage.Gate end = new Stage.Gate();
    stage.next(
        attempt -> {
          end.await();
          return COMPLETES.run(attempt);
        });
    stage.admit(CODER, "s1");
    endsRepairWhileTurnsAreParked();
    end.open();
    assertInstanceOf(Settlement.Completed.class, stage.settled(CODER, "s1"));
  }

  @Test
  void aTurnThatWasAbortedWhenItsStoreFailedNeedsNoRepair() throws Exception {
    Stage.Gate end = new Stage.Gate();
    stage.next(
        attempt -> {
          store.failNextAppends(1);
          stage.atNextUnlock.set(
              () ->
                  Stage.inAnotherThread(
                      () -> {
                        stage.conversations.abort(CODER);
                        stage.admit(CODER, "s2");
                        started.awaitDeaf();
                      }));
          attempt.append(List.of(called(attempt, "c1")));
          return COMPLETES.run(attempt);
        },
        attempt -> {
          started.open();
          end.await();
          return COMPLETES.run(attempt);
        });
    try (Subscription ear = stage.conversations.subscribe(CODER, false)) {
      stage.admit(CODER, "s1");
      stage.threads.peek().join();
      for (Thread thread : stage.threads) {
        if (thread.getName().startsWith("repair")) {
          thread.join();
        }
      }
      end.open();
      assertInstanceOf(Settlement.Completed.class, stage.settled(CODER, "s2"));
      assertFalse(ear.await(Stage.DEADLINE) instanceof Subscription.Signal.Closing);
    }
  }

  private void endsRepairWhileTurnsAreParked() throws InterruptedException {
    Thread repair = stage.thread("repair " + CODER);
    stage.threads.forEach(Stage::awaitParked);
    again.open();
    repair.join();
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
  void aStartKeepsNothingInMemoryOfAConversationWhoseOnlyTurnWasLost() throws Exception {
    stage.next(this::waits);
    stage.admit(CODER, "s1");
    started.await();
    stage.conversations.stop();

    Stage after = new Stage(store, new Limits(16, 64, 4096));
    after.conversations.recover();
    assertEquals(0, after.conversations.awake());
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
  void aConversationThatAStartCouldNotReadIsReadBeforeItIsUsed() throws Exception {
    Stage after = startedOnWhatItCantRead();
    assertTrue(after.conversations.abort(CODER), "there is something to end");
    Settlement.Failed lost = (Settlement.Failed) after.settled(CODER, "s1");
    assertEquals(FaultClass.TURN_LOST, lost.fault().faultClass());
    assertInstanceOf(Settlement.Aborted.class, after.settled(CODER, "s2"));
    again.open();
  }

  @Test
  void aStartThatTriesAgainSettlesNoTurnThatRunsMeanwhile() throws Exception {
    Stage after = startedOnWhatItCantRead();
    Stage.Gate end = new Stage.Gate();
    after.next(
        attempt -> {
          end.await();
          return COMPLETES.run(attempt);
        });
    after.admit(CODER, "s3");
    for (Thread turn : List.copyOf(after.threads).subList(1, after.threads.size())) {
      Stage.awaitParked(turn);
    }
    again.open();
    after.threads.peek().join();
    end.open();
    assertInstanceOf(Settlement.Completed.class, after.settled(CODER, "s2"));
    assertInstanceOf(Settlement.Completed.class, after.settled(CODER, "s3"));
  }

  private Stage startedOnWhatItCantRead() throws Exception {
    stage.next(this::waits);
    stage.admit(CODER, "s1");
    started.await();
    stage.admit(CODER, "s2");
    stage.conversations.stop();

    Stage after = new Stage(store, new Limits(16, 64, 4096));
    after.pausing = again::awaitDeaf;
    store.failNextOpenings(1);
    after.conversations.recover();
    return after;
  }

  @Test
  void whatWaitsOnAConversationThatCantBeReadAnyMoreIsSettledAndSentToTheNext() throws Exception {
    stage.next(this::waits);
    stage.admit(CODER, "s1");
    started.await();
    stage.admit(CODER, "s2");
    stage.admit(CODER, "s3");
    store.corrupt(CODER);
    // What is at hand in memory is forgotten when somebody finds that what is stored is damaged.
    assertThrows(CorruptEventException.class, () -> stage.conversations.read(CODER, 0, 1));
    go.open();
    assertTrue(stage.conversations.drain(Stage.DEADLINE), "nobody waits for what will not run");
    assertEquals(0, stage.conversations.find(CODER).orElseThrow().unsettled());
    List<FaultFeed.Placed> faults = stage.conversations.faults().read(0, 10);
    assertEquals(1, faults.size());
    FaultReport fault = faults.getFirst().report().orElseThrow();
    assertEquals("s2", fault.submissionId());
    assertTrue(fault.settlement().fault().reason().contains("checksum"), fault::toString);
    assertEquals(new Settlement.Bump(0, 1), fault.settlement().bump().orElseThrow());
    assertInstanceOf(Admitted.Burned.class, stage.offer(CODER, "s4"));
  }
}
