package harness;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the built program at any moment while clients admit and read. {@code -Dseed=N} replays what
 * they send and after how many answers the kill comes; {@code -Drounds=N} kills more often.
 */
@Timeout(600)
class KillUnderLoadIT {
  private static final String SCRIPT =
      """
      models:
        m:
          - when: both
            steps:
              - text: I write two.
                calls:
                  - { name: write, input: { path: one.txt, content: one } }
                  - { name: list, input: { path: . } }
              - { delay-ms: 5, text: Written. }
          - when: slow
            steps: [ { delay-ms: 40, text: At last. } ]
          - steps: [ { text: Done. } ]
      """;
  private static final List<String> PROMPTS = List.of("both", "slow", "quick");
  private static final int CLIENTS = 6;
  private static final int CONVERSATIONS = 4;
  private static final int MOST_ANSWERS = 60;

  @TempDir Path directory;

  private final Ledger ledger = new Ledger();

  @Test
  void whatWasAcknowledgedSettlesOnceWheneverTheKillComes() throws Exception {
    long seed = Seed.get(KillUnderLoadIT.class);
    int rounds = Integer.getInteger("rounds", 4);
    Random random = new Random(seed);
    Site site = Site.make(directory, SCRIPT, "queue: 1000", "live-turns: 3");
    for (int round = 0; round < rounds; round++) {
      try (Child child = Child.start(site.configuration());
          Caller caller = new Caller(child.listens())) {
        ledger.sendUnansweredAgain(caller);
        ledger.assertRemembered(caller);
        killUnderLoad(child, caller, round, random);
      }
    }
    try (Child child = Child.start(site.configuration());
        Caller caller = new Caller(child.listens())) {
      ledger.sendUnansweredAgain(caller);
      ledger.assertRemembered(caller);
      System.out.println(
          ledger.acknowledgements()
              + " acknowledged, "
              + rounds
              + " kills: "
              + ledger.assertSettled(caller, rounds));
    }
  }

  private void killUnderLoad(Child child, Caller caller, int round, Random random)
      throws Exception {
    Semaphore answers = new Semaphore(0);
    int killAfter = 1 + random.nextInt(MOST_ANSWERS);
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int number = 0; number < CLIENTS; number++) {
        String name = "r" + round + "-c" + number;
        Random own = new Random(random.nextLong());
        running.add(clients.submit(() -> untilItDies(child, caller, name, own, answers)));
      }
      boolean enough = answers.tryAcquire(killAfter, Caller.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      child.kill();
      for (Future<?> client : running) {
        settle(client);
      }
      if (!enough) {
        throw new AssertionError("too few answers: " + child.err());
      }
    }
  }

  private static void settle(Future<?> client) throws Exception {
    try {
      client.get(Caller.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("a client was told something wrong", e.getCause());
    }
  }

  /** Says how many of its admissions were answered. */
  private int untilItDies(Child child, Caller caller, String name, Random random, Semaphore answers)
      throws InterruptedException {
    int count = 0;
    try {
      while (true) {
        String run = "run-" + random.nextInt(CONVERSATIONS);
        String prompt = PROMPTS.get(random.nextInt(PROMPTS.size()));
        String body = Caller.turn(run, random.nextInt(4) > 0, "m", prompt);
        JsonNode answer = ledger.admit(caller, name + "-" + count, body);
        answers.release();
        count++;
        if (random.nextBoolean()) {
          readToItsSettlement(caller, answer);
        }
      }
    } catch (IOException e) {
      if (!child.diesNow()) {
        throw new AssertionError("it lives and did not answer", e);
      }
      return count;
    }
  }

  private void readToItsSettlement(Caller caller, JsonNode answer)
      throws IOException, InterruptedException {
    String instanceId = answer.path("instanceId").asText();
    String offset = answer.path("offset").asText();
    while (true) {
      Caller.Answer page = ledger.read(caller, instanceId, offset);
      List<JsonNode> events = new ArrayList<>();
      if (page.status() == 200) {
        page.json().forEach(events::add);
      }
      if (Told.ids(events, "submission-settled").contains(answer.path("submissionId").asText())) {
        return;
      }
      offset = page.header("stream-next-offset");
    }
  }
}
