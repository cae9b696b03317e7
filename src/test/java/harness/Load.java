package harness;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Clients that admit, read, abort and follow the faults, each on a thread of its own, until the
 * process dies or they are told to stop. What they are told goes into a {@link Ledger}.
 */
final class Load {
  /** What the models say to the prompts of the clients. */
  static final String SCRIPT =
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
          - when: burn
            steps: [ { text: "Half a reply ", error: { kind: server, message: it broke } } ]
          - steps: [ { text: Done. } ]
      """;

  private static final List<String> PROMPTS = List.of("both", "slow", "quick", "quick", "both");
  private static final int CLIENTS = 6;
  private static final int CONVERSATIONS = 4;

  private final Child child;
  private final Caller caller;
  private final Ledger ledger;
  private final String runs;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<?>> running = new ArrayList<>();
  private final Semaphore answers = new Semaphore(0);
  private final Semaphore refusals = new Semaphore(0);
  private volatile boolean stopping;

  private Load(Child child, Caller caller, Ledger ledger, String runs) {
    this.child = child;
    this.caller = caller;
    this.ledger = ledger;
    this.runs = runs;
  }

  /**
   * @param runs what the names of its runs begin with
   * @param keys what its idempotency keys begin with
   */
  static Load start(
      Child child, Caller caller, Ledger ledger, String runs, String keys, Random random) {
    Load load = new Load(child, caller, ledger, runs);
    for (int number = 0; number < CLIENTS; number++) {
      String client = keys + "-c" + number;
      Random own = new Random(random.nextLong());
      boolean reads = number % 2 == 0;
      load.run(
          () -> {
            for (int count = 0; !load.stopping; count++) {
              load.act(client + "-" + count, own, reads);
            }
          });
    }
    load.run(
        () -> {
          while (!load.stopping) {
            ledger.followFaults(caller);
          }
        });
    return load;
  }

  private interface Client {
    void run() throws IOException, InterruptedException;
  }

  private void run(Client client) {
    running.add(
        threads.submit(
            () -> {
              try {
                client.run();
              } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
              } catch (IOException e) {
                if (!stopping && !child.diesNow()) {
                  throw new AssertionError("it lives and did not answer", e);
                }
              }
              return true;
            }));
  }

  /** Waits until the clients were answered so often, not counting refusals. */
  void awaitAnswers(int count) throws InterruptedException {
    await(answers, count, "answers");
  }

  /** Waits until so many admissions were refused for want of room. */
  void awaitRefusals(int count) throws InterruptedException {
    await(refusals, count, "refusals");
  }

  private void await(Semaphore permits, int count, String what) throws InterruptedException {
    for (long left = Caller.PATIENCE.toSeconds(); ; left--) {
      if (permits.tryAcquire(count, 1, TimeUnit.SECONDS)) {
        return;
      }
      if (left == 0 || running.stream().anyMatch(Future::isDone)) {
        stop();
        throw new AssertionError("too few " + what + ": " + child.said());
      }
    }
  }

  /** Ends the clients where the process has not; fails where one was told something wrong. */
  void stop() throws InterruptedException {
    stopping = true;
    threads.shutdownNow();
    finish();
  }

  /** Waits for the clients' end, after that of the process. */
  void finish() throws InterruptedException {
    for (Future<?> client : running) {
      try {
        Object _ = client.get();
      } catch (ExecutionException e) {
        throw new AssertionError("a client was told something wrong", e.getCause());
      }
    }
    threads.close();
  }

  /**
   * @param reads whether it waits at times until what it admitted is settled
   */
  private void act(String key, Random random, boolean reads)
      throws IOException, InterruptedException {
    String run = runs + "-" + random.nextInt(CONVERSATIONS);
    int what = random.nextInt(100);
    if (what < 4) {
      Optional<String> some = someConversation(random);
      if (some.isPresent()) {
        ledger.abort(caller, some.get());
        return;
      }
    }
    String prompt = what < 8 ? "burn" : PROMPTS.get(random.nextInt(PROMPTS.size()));
    Optional<JsonNode> told = ledger.admit(caller, request(key, run, prompt, what));
    if (told.isEmpty()) {
      refusals.release();
      return;
    }
    answers.release();
    if (reads && random.nextInt(4) > 0) {
      readToItsSettlement(told.get());
    }
  }

  private static Ledger.Sent request(String key, String run, String prompt, int what) {
    if (what < 20 || prompt.equals("burn")) {
      boolean continues = what % 2 == 0;
      String body = Caller.turn(run, continues, "m", prompt);
      return new Ledger.Sent(key, "/turns", body, continues ? run + "/coder" : "");
    }
    if (what < 28) {
      String id = run + "/own/coder";
      return new Ledger.Sent(key, Caller.path(id), Caller.submission("m", prompt), "");
    }
    return new Ledger.Sent(key, "/turns", Caller.turn(run, true, "m", prompt), run + "/coder");
  }

  private Optional<String> someConversation(Random random) {
    List<String> all =
        ledger.byConversation().keySet().stream()
            .filter(id -> id.startsWith(runs + "-"))
            .sorted()
            .toList();
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
  }

  private void readToItsSettlement(JsonNode answer) throws IOException, InterruptedException {
    String instanceId = answer.path("instanceId").asText();
    String offset = answer.path("offset").asText();
    while (!stopping) {
      Caller.Answer page = ledger.read(caller, instanceId, offset);
      List<JsonNode> events = new ArrayList<>();
      if (page.status() == 200) {
        page.json().forEach(events::add);
      }
      Set<String> settled = Set.copyOf(Told.ids(events, "submission-settled"));
      if (settled.contains(answer.path("submissionId").asText())) {
        return;
      }
      offset = page.header("stream-next-offset");
    }
  }
}
