package harness;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What is held costs nobody who does not ask for it: the start of the built program over an empty
 * state and over 10,000 conversations of 1 GB, with a small heap; and an admission to a short
 * conversation and to one of 10,000 events, both of which had nothing to do before. Arguments:
 * conversations (10000), directory to measure in (a temporary one).
 */
public final class RetentionBenchmark {
  private static final int BYTES_OF_A_CONVERSATION = 100_000;
  private static final int EVENTS_OF_THE_LONG_ONE = 10_000;
  private static final int STARTS = 5;
  private static final int ADMISSIONS = 30;
  private static final String HEAP = "-Xmx64m";

  private static final String SCRIPT =
      """
      models:
        m:
          - when: look
            steps:
              - { text: I look., calls: [ { name: list, input: { path: . } } ] }
              - { text: Done. }
          - steps: [ { text: Done. } ]
      """;

  private RetentionBenchmark() {}

  public static void main(String[] arguments) throws Exception {
    int conversations = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
    Path directory =
        arguments.length > 1
            ? Files.createDirectories(Path.of(arguments[1]))
            : Files.createTempDirectory("retention-benchmark");
    try {
      Site site = Site.make(directory, SCRIPT);
      starts("over an empty state", site);
      hold(site, conversations);
      starts("over %,d conversations".formatted(conversations), site);
      admissions(site);
    } finally {
      AdmissionBenchmark.delete(directory);
    }
  }

  private static void hold(Site site, int conversations) throws Exception {
    try (Child child = Child.start(site.configuration());
        Caller caller = new Caller(child.listens())) {
      settle(caller, "model", "look");
      settle(caller, "large", "look at " + "x".repeat(BYTES_OF_A_CONVERSATION));
      end(child);
    }
    try (HeldState state = HeldState.of(site.state(), "model/coder")) {
      state.hold("short/coder", 1);
      state.hold("long/coder", EVENTS_OF_THE_LONG_ONE / state.events());
    }
    try (HeldState state = HeldState.of(site.state(), "large/coder");
        ExecutorService threads = Executors.newFixedThreadPool(32)) {
      List<Callable<Boolean>> all = new ArrayList<>();
      for (int number = 0; number < conversations; number++) {
        String id = "run-" + number + "/coder";
        all.add(
            () -> {
              state.hold(id, 1);
              return true;
            });
      }
      for (Future<Boolean> one : threads.invokeAll(all)) {
        boolean _ = one.get();
      }
    }
    long bytes = Files.size(site.state().resolve("harness.db"));
    System.out.printf(Locale.ROOT, "%,d conversations in %,d bytes%n", conversations, bytes);
  }

  private static void starts(String over, Site site) throws Exception {
    List<Double> millis = new ArrayList<>();
    for (int start = 0; start < STARTS; start++) {
      long before = System.nanoTime();
      try (Child child = Child.start(site.configuration(), HEAP)) {
        child.listens();
        millis.add((System.nanoTime() - before) / 1e6);
        end(child);
      }
    }
    print("start " + over, millis);
  }

  private static void admissions(Site site) throws Exception {
    try (Child child = Child.start(site.configuration());
        Caller caller = new Caller(child.listens())) {
      for (int count = 0; count < ADMISSIONS; count++) {
        settle(caller, "warm-" + count, "go");
      }
      for (String run : List.of("short", "long")) {
        List<Double> millis = new ArrayList<>();
        for (int count = 0; count < ADMISSIONS; count++) {
          millis.add(settle(caller, run, "go"));
        }
        print("admission to the " + run + " one", millis);
      }
      end(child);
    }
  }

  /** How many milliseconds the admission took; waits until its Turn is settled. */
  private static double settle(Caller caller, String run, String prompt) throws Exception {
    long before = System.nanoTime();
    Caller.Answer answer = caller.admit(Caller.turn(run, true, "m", prompt), "");
    double millis = (System.nanoTime() - before) / 1e6;
    String offset = answer.json().path("offset").asText();
    Caller.Answer page = caller.longPoll(run + "/coder", offset);
    while (page.status() == 200 && !page.body().contains("submission-settled")) {
      page = caller.longPoll(run + "/coder", page.header("stream-next-offset"));
    }
    if (page.status() != 200) {
      throw new IllegalStateException("its Turn did not end: " + page);
    }
    return millis;
  }

  private static void end(Child child) throws Exception {
    child.signal("TERM");
    if (child.awaitExit() != 0) {
      throw new IllegalStateException("it did not end well: " + child.said());
    }
  }

  private static void print(String what, List<Double> millis) {
    Collections.sort(millis);
    System.out.printf(
        Locale.ROOT,
        "%-40s p50 %8.1f ms, best %8.1f, worst %8.1f%n",
        what,
        millis.get(millis.size() / 2),
        millis.getFirst(),
        millis.getLast());
  }
}
