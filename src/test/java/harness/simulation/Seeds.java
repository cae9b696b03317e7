package harness.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Runs seeds one after the other, two at a time. */
final class Seeds {
  private static final int WORKERS = 2;

  private Seeds() {}

  /** Runs so many seeds from one on, and fails with the first that fails. */
  static void run(long first, long count, Figures figures) throws InterruptedException {
    AtomicLong next = new AtomicLong(first);
    AtomicReference<Optional<String>> failure = new AtomicReference<>(Optional.empty());
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      workers.add(
          Thread.ofPlatform()
              .name("seeds-" + i)
              .start(
                  () -> {
                    while (failure.get().isEmpty()) {
                      long seed = next.getAndIncrement();
                      if (seed - first >= count) {
                        return;
                      }
                      one(seed, figures).ifPresent(what -> failure.set(Optional.of(what)));
                    }
                  }));
    }
    for (Thread worker : workers) {
      worker.join();
    }
    failure
        .get()
        .ifPresent(
            what -> {
              throw new AssertionError(what);
            });
  }

  private static Optional<String> one(long seed, Figures figures) {
    try {
      return new Simulation(seed, SimulatedProcess.Core.SOUND, figures)
          .run()
          .map(what -> "seed " + seed + " (again with -Dseed=" + seed + " -Dseeds=1): " + what);
    } catch (InterruptedException e) {
      return Optional.of("a worker was interrupted: " + e);
    }
  }
}
