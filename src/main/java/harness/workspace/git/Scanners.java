package harness.workspace.git;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Shares the directories of a worktree out among some threads, of which the caller's is one. */
final class Scanners {
  /** The most threads that look at one worktree. */
  private static final int MAX_THREADS = 4;

  /** From this many entries on, a second thread is worth its start. */
  private static final int MIN_ENTRIES = 1_000;

  private final Deque<Scan.Step> steps = new ArrayDeque<>();
  private int busy;
  private boolean stopped;
  private Optional<Throwable> failure = Optional.empty();

  private Scanners() {}

  /**
   * What was found.
   *
   * @param worked by the entries' numbers
   * @param untracked in no order
   * @param beyond how many untracked paths there are besides
   */
  record Found(List<Worked> worked, List<byte[]> untracked, long beyond) {}

  static Found scan(Scan.Task task) throws IOException, InterruptedException {
    return new Scanners().run(task);
  }

  private Found run(Scan.Task task) throws IOException, InterruptedException {
    int threads =
        task.index().size() < MIN_ENTRIES
            ? 1
            : Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());
    List<Scan> scans = new ArrayList<>();
    List<Thread> helpers = new ArrayList<>();
    try {
      Scan own = new Scan(task);
      scans.add(own);
      List<Scan.Step> first = new ArrayList<>();
      try {
        own.top(first);
      } finally {
        add(first);
      }
      for (int i = 1; i < threads; i++) {
        Scan scan = new Scan(task);
        scans.add(scan);
        helpers.add(Thread.ofPlatform().daemon().name("git scan").start(() -> help(scan)));
      }
      work(own);
    } finally {
      end(helpers);
    }
    rethrow();
    return found(scans);
  }

  private static Found found(List<Scan> scans) {
    List<Worked> worked = new ArrayList<>();
    List<byte[]> untracked = new ArrayList<>();
    long beyond = 0;
    for (Scan scan : scans) {
      worked.addAll(scan.worked());
      untracked.addAll(scan.untracked());
      beyond += scan.beyond();
    }
    worked.sort(Comparator.comparingInt(Worked::entry));
    return new Found(worked, untracked, beyond);
  }

  private void help(Scan scan) {
    try {
      work(scan);
    } catch (Throwable e) {
      fail(e);
    }
  }

  private void work(Scan scan) throws IOException, InterruptedException {
    List<Scan.Step> more = new ArrayList<>();
    for (Optional<Scan.Step> step = take(); step.isPresent(); step = take()) {
      try {
        scan.look(step.get(), more);
      } finally {
        step.get().parent().release();
        add(more);
        more.clear();
        done();
      }
    }
  }

  private synchronized void add(List<Scan.Step> more) {
    // The first one is taken first, so that directories are left in the order they were entered.
    for (Scan.Step step : more.reversed()) {
      steps.addLast(step);
    }
    notifyAll();
  }

  private synchronized Optional<Scan.Step> take() throws InterruptedException {
    while (steps.isEmpty() && busy > 0 && !stopped) {
      wait();
    }
    if (steps.isEmpty() || stopped) {
      return Optional.empty();
    }
    busy++;
    return Optional.of(steps.removeLast());
  }

  private synchronized void done() {
    busy--;
    if (busy == 0) {
      notifyAll();
    }
  }

  private synchronized void fail(Throwable e) {
    stopped = true;
    failure = failure.isPresent() ? failure : Optional.of(e);
    notifyAll();
  }

  /** Waits for the helpers, which end soon; then closes what is still held. */
  private void end(List<Thread> helpers) {
    boolean all;
    synchronized (this) {
      all = steps.isEmpty() && busy == 0;
      stopped = true;
      notifyAll();
    }
    boolean interrupted = false;
    for (Thread helper : helpers) {
      if (!all) {
        helper.interrupt();
      }
      while (helper.isAlive()) {
        try {
          helper.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    steps.forEach(step -> step.parent().release());
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void rethrow() throws IOException, InterruptedException {
    if (failure.isPresent()) {
      switch (failure.get()) {
        case IOException e -> throw e;
        case InterruptedException e -> throw e;
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        default -> throw new IllegalStateException("a scan failed", failure.get());
      }
    }
  }
}
