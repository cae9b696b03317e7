package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import harness.conversation.Doctor;
import harness.store.StateReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the built program at any moment while clients admit, read and abort, and while it starts.
 * {@code -Dseed=N} replays what they send and when the kills come; {@code -Drounds=N} kills more
 * often.
 */
@Timeout(3600)
class KillUnderLoadIT {
  private static final int ROUNDS = 20;
  private static final int MOST_ANSWERS = 60;

  /** How many rounds use the same conversations, which are then left behind. */
  private static final int ROUNDS_OF_A_CONVERSATION = 4;

  @TempDir Path directory;

  private final Ledger ledger = new Ledger();
  private Site site;
  private Duration boot = Duration.ZERO;
  private int kills;
  private int killsInBoot;

  @BeforeEach
  void startOnce() throws Exception {
    site = Site.make(directory, Load.SCRIPT, "queue: 1000", "live-turns: 3");
    try (Child child = start()) {
      child.listens();
      child.signal("TERM");
      assertEquals(0, child.awaitExit(), () -> "" + child.err());
    }
  }

  private Child start() throws Exception {
    return Child.start(site.configuration(), Child.QUICK);
  }

  @Test
  void whatWasAcknowledgedSettlesOnceWheneverTheKillComes() throws Exception {
    Random random = new Random(Seed.get(KillUnderLoadIT.class));
    int rounds = Integer.getInteger("rounds", ROUNDS);
    for (int round = 0; round < rounds; round++) {
      if (random.nextInt(3) == 0) {
        killInItsBoot(random);
      }
      killUnderLoad("r" + round / ROUNDS_OF_A_CONVERSATION, round, random);
      if (random.nextInt(4) == 0) {
        assertSound();
      }
    }
    try (Child child = start();
        Caller caller = new Caller(child.listens())) {
      ledger.sendUnansweredAgain(caller);
      ledger.assertAllRemembered(caller);
      String verdict = Verdict.on(caller, ledger, kills);
      System.out.printf(
          "%d rounds, %d kills, %d of them in a start: %s%n", rounds, kills, killsInBoot, verdict);
    }
    assertSound();
  }

  private void killInItsBoot(Random random) throws Exception {
    try (Child child = start()) {
      boolean _ = child.endsWithin(boot.multipliedBy(random.nextInt(110)).dividedBy(100));
      child.kill();
    }
    kills++;
    killsInBoot++;
  }

  private void killUnderLoad(String name, int round, Random random) throws Exception {
    long start = System.nanoTime();
    try (Child child = start();
        Caller caller = new Caller(child.listens())) {
      boot = Duration.ofNanos(System.nanoTime() - start);
      ledger.sendUnansweredAgain(caller);
      ledger.assertRemembered(caller, random);
      Load load = Load.start(child, caller, ledger, name, "k" + round, random);
      load.awaitAnswers(1 + random.nextInt(MOST_ANSWERS));
      boolean _ = child.endsWithin(Duration.ofNanos(random.nextInt(10_000_000)));
      child.kill();
      kills++;
      load.finish();
    }
  }

  /** What {@code harness doctor} would say. */
  private void assertSound() {
    try (StateReader state = StateReader.open(site.state())) {
      assertEquals(List.of(), Doctor.examine(state).wrong());
    }
  }
}
