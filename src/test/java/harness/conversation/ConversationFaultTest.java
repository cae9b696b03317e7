package harness.conversation;

import static harness.conversation.Stage.CODER;
import static harness.conversation.Stage.COMPLETES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.agent.Address;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.fault.FaultClass;
import harness.fault.Refusal;
import harness.fault.RefusedException;
import harness.store.InMemoryEventStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Faults and bounds. */
class ConversationFaultTest extends ConversationFixture {
  /** What the next try of a repair waits for. */
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
    assertEquals(
        CODER,
        stage.released.poll(Stage.DEADLINE.toSeconds(), TimeUnit.SECONDS),
        "nobody will ask for what its calls left running");
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
                new harness.store.Claim.Epoch(Address.generation(CODER).address(), 1, "a caller")),
        Optional.empty());
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
  void memoryThatRunsOutInATurnCostsItAndBurnsNothing() throws Exception {
    stage.next(
        _ -> {
          throw new OutOfMemoryError("of the test");
        });
    stage.admit(CODER, "s1");
    Settlement.Failed failed = (Settlement.Failed) stage.settled(CODER, "s1");
    assertEquals(FaultClass.TURN_LOST, failed.fault().faultClass());
    assertEquals(Optional.empty(), failed.bump());
    stage.admit(CODER, "s2");
    assertInstanceOf(Settlement.Completed.class, stage.settled(CODER, "s2"));
  }

  @Test
  void memoryThatRunsOutBeforeATurnBeginsDelaysIt() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    stage.ready =
        _ -> {
          if (looks.incrementAndGet() == 1) {
            throw new OutOfMemoryError("of the test");
          }
          return true;
        };
    stage.admit(CODER, "s1");
    assertInstanceOf(Settlement.Completed.class, stage.settled(CODER, "s1"));
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
    CyclicBarrier pairs = new CyclicBarrier(2);
    Stage.Play counted =
        attempt -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          meet(pairs);
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
    assertEquals(2, most.get(), "two run at once, and never a third");
  }

  /** Waits for another Turn, so that two surely run at once. */
  private static void meet(CyclicBarrier pairs) throws InterruptedException {
    try {
      pairs.await(Stage.DEADLINE.toSeconds(), TimeUnit.SECONDS);
    } catch (BrokenBarrierException | TimeoutException e) {
      throw new AssertionError("no other Turn came to run beside this one", e);
    }
  }

  /** Lets what a Turn that met its store's failure left be repaired, while others are parked. */

  /** One Turn was cut off and one waits; the next try to read them waits for the gate. */
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
