package harness.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/** Runs seeds one after the other, two at a time. */
final class Seeds {
  private static final int WORKERS = 2;

  private Seeds() {}

  /**
   * Runs seeds from one on.
   *
   * @param goesOn whether the seed is still to be run
   * @return what a seed that failed says
   */
  static Optional<String> run(
      long first, LongPredicate goesOn, Supplier<SimulatedProcess.Core> core, Figures figures)
      throws InterruptedException {
    AtomicLong next = new AtomicLong(first);
    AtomicReference<Optional<String>> failure = new AtomicReference<>(Optional.empty());
    Runnable work =
        () -> {
          for (long seed = next.getAndIncrement();
              failure.get().isEmpty() && goesOn.test(seed);
              seed = next.getAndIncrement()) {
            one(seed, core.get(), figures).ifPresent(what -> failure.set(Optional.of(what)));
          }
        };
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      workers.add(Thread.ofPlatform().name("seeds-" + i).start(work));
    }
    for (Thread worker : workers) {
      worker.join();
    }
    return failure.get();
  }

  private static Optional<String> one(long seed, SimulatedProcess.Core core, Figures figures) {
    try {
      return new Simulation(seed, core, figures)
          .run()
          .map(what -> "seed " + seed + " (again with -Dseed=" + seed + " -Dseeds=1): " + what);
    } catch (InterruptedException e) {
      return Optional.of("a worker was interrupted: " + e);
    }
  }
}
