package harness.model.http;

import static harness.model.Says.assertSays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.model.ModelException.Kind;
import harness.model.ModelWatch;
import harness.model.ModelWatch.Breaker;
import harness.model.ModelWatch.Wait;
import harness.model.Reply;
import harness.model.Sleeper;
import harness.model.Surroundings;
import harness.model.Usage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GuardsTest {
  private static final Reply HI = new Reply.Text(List.of(), Usage.NONE);
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration HOUR = Duration.ofHours(1);

  private final Queue<Breaker> states = new ConcurrentLinkedQueue<>();
  private final Queue<Wait> waits = new ConcurrentLinkedQueue<>();

  private Guards guards(GuardPolicy policy) {
    return guards(policy, Sleeper.real());
  }

  private Guards guards(GuardPolicy policy, Sleeper sleeper) {
    return new Guards(
        "lab",
        policy,
        new Surroundings(
            InstantSource.system(), sleeper, new Random(1), _ -> Optional.empty(), watch()));
  }

  private ModelWatch watch() {
    return new ModelWatch() {
      @Override
      public void answered(String provider, Duration took, Usage usage) {}

      @Override
      public void failed(String provider, Kind kind, Duration took) {}

      @Override
      public void interrupted(String provider, Duration took) {}

      @Override
      public void retried(String provider, Kind kind) {}

      @Override
      public void waited(String provider, Wait on, Duration time) {
        waits.add(on);
      }

      @Override
      public void breaker(String provider, Breaker state) {
        states.add(state);
      }
    };
  }

  private static GuardPolicy breaker(Duration open, Duration longestWait) {
    return new GuardPolicy(8, 2, 100, open, Optional.empty(), longestWait);
  }

  private static Retries.Attempt failing(Kind kind) {
    return () -> {
      throw AttemptException.passing(kind, "no");
    };
  }

  private static AttemptException fail(Guards guards, Kind kind) {
    return assertThrows(AttemptException.class, () -> guards.run(failing(kind)));
  }

  @Test
  void anAttemptWaitsOnAnOpenBreakerUntilASingleOneFoundOutThatTheProviderIsBack()
      throws Exception {
    Guards guards = guards(breaker(SHORT, HOUR));
    fail(guards, Kind.SERVER);
    fail(guards, Kind.NETWORK);

    assertEquals(HI, guards.run(() -> HI));
    assertTrue(guards.ready());

    assertEquals(
        List.of(Breaker.CLOSED, Breaker.OPEN, Breaker.HALF_OPEN, Breaker.CLOSED),
        List.copyOf(states));
    assertEquals(List.of(Wait.BREAKER), List.copyOf(waits));
  }

  @Test
  void aProviderThatStaysAwayFailsWhoWaitedAndIsNotAsked() {
    Guards guards = guards(breaker(HOUR, Duration.ofSeconds(3)), _ -> {});
    fail(guards, Kind.STALLED);
    assertTrue(guards.ready());
    fail(guards, Kind.OVERLOAD);
    assertTrue(!guards.ready());

    AttemptException gaveUp =
        assertThrows(
            AttemptException.class,
            () ->
                guards.run(
                    () -> {
                      throw new AssertionError("it was asked");
                    }));

    assertEquals(Kind.OVERLOAD, gaveUp.kind());
    assertSays("was not asked: it failed too often", gaveUp);
    assertTrue(!gaveUp.retryable());
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"BAD_REQUEST", "AUTH", "RATE", "CONTEXT_LENGTH", "CONTENT_REFUSED"})
  void aProviderThatRefusesACallIsNotInTrouble(Kind kind) {
    Guards guards = guards(breaker(HOUR, Duration.ZERO));
    for (int i = 0; i < 4; i++) {
      fail(guards, kind);
    }
    assertEquals(List.of(Breaker.CLOSED), List.copyOf(states));
  }

  @Test
  void anInterruptWhileItWaitsOnTheBreakerEndsTheWait() throws Exception {
    CountDownLatch waiting = new CountDownLatch(1);
    Guards guards =
        guards(
            breaker(HOUR, HOUR),
            time -> {
              waiting.countDown();
              Sleeper.real().sleep(time);
            });
    fail(guards, Kind.SERVER);
    fail(guards, Kind.SERVER);

    interrupted(guards, waiting);
  }

  @Test
  void aTurnThatWasEndedInItsProbeLetsTheNextOneProbe() throws Exception {
    Guards guards = guards(breaker(SHORT, HOUR));
    fail(guards, Kind.SERVER);
    fail(guards, Kind.SERVER);
    assertThrows(
        InterruptedException.class,
        () ->
            guards.run(
                () -> {
                  throw new InterruptedException();
                }));

    assertEquals(HI, guards.run(() -> HI));
  }

  @Test
  void noMoreCallsRunAtOnceThanThereArePlaces() throws Exception {
    Guards guards = guards(new GuardPolicy(1, 4, 100, HOUR, Optional.empty(), Duration.ZERO));

    guards.run(
        () -> {
          AttemptException full = assertThrows(AttemptException.class, () -> guards.run(() -> HI));
          assertEquals(Kind.OVERLOAD, full.kind());
          assertSays("none of the 1 calls", full);
          return HI;
        });

    assertEquals(HI, guards.run(() -> HI));
    assertEquals(List.of(Wait.PLACE), List.copyOf(waits));
  }

  @Test
  void anInterruptWhileItWaitsForAPlaceEndsTheWait() throws Exception {
    Guards guards = guards(new GuardPolicy(1, 4, 100, HOUR, Optional.empty(), HOUR));
    guards.run(
        () -> {
          interrupted(guards, new CountDownLatch(0));
          return HI;
        });
    assertEquals(HI, guards.run(() -> HI));
  }

  @Test
  void attemptsOverTheRateWaitForTheNextPeriod() throws Exception {
    Queue<Duration> slept = new ConcurrentLinkedQueue<>();
    GuardPolicy.Rate one = new GuardPolicy.Rate(1, Duration.ofSeconds(40));
    Guards guards =
        guards(
            new GuardPolicy(8, 4, 100, HOUR, Optional.of(one), Duration.ofMinutes(1)), slept::add);

    guards.run(() -> HI);
    guards.run(() -> HI);
    AttemptException tooMany = assertThrows(AttemptException.class, () -> guards.run(() -> HI));

    assertEquals(1, slept.size());
    assertTrue(slept.element().compareTo(Duration.ofSeconds(30)) > 0, slept.toString());
    assertEquals(Kind.RATE, tooMany.kind());
    assertEquals(List.of(Wait.RATE), List.copyOf(waits));
  }

  private static void interrupted(Guards guards, CountDownLatch reached)
      throws InterruptedException {
    CompletableFuture<Reply> outcome = new CompletableFuture<>();
    Thread turn =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    outcome.complete(guards.run(() -> HI));
                  } catch (AttemptException | InterruptedException | RuntimeException e) {
                    outcome.completeExceptionally(e);
                  }
                });
    assertTrue(reached.await(10, TimeUnit.SECONDS));
    turn.interrupt();
    ExecutionException ended =
        assertThrows(ExecutionException.class, () -> outcome.get(10, TimeUnit.SECONDS));
    assertInstanceOf(InterruptedException.class, ended.getCause());
  }
}
