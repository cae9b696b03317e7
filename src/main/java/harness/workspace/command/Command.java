package harness.workspace.command;

import harness.workspace.FileHandle;
import harness.workspace.Scratch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A command line that runs or has ended, and what it wrote. Its output is plain lines of UTF-8,
 * both streams in the order in which they were written. Safe for many threads.
 */
public final class Command implements AutoCloseable {
  /** The most that one command may write, in bytes; one that writes more is ended. */
  public static final long MAX_OUTPUT_BYTES = 64L * 1024 * 1024;

  /** How a command ended. */
  public sealed interface End {
    /** By itself. */
    record Exited(int code) implements End {}

    /** By a signal that nobody here sent; {@code code} is what a shell makes of it. */
    record Killed(String signal, int code) implements End {}

    record OutOfTime(Duration limit) implements End {}

    /** It wrote more than it may, or than there was room for. */
    record OutOfRoom(long writtenBytes) implements End {}

    /** Its processes together had more in memory than they may. */
    record OutOfMemory(long peakBytes, long limitBytes) implements End {}

    /** By {@link Command#stop()}. */
    record Stopped() implements End {}

    /** It could not be run at all, for this reason. */
    record Failed(String why) implements End {}
  }

  private final Scratch output;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Duration ran = Duration.ZERO;
  private Optional<End> end = Optional.empty();
  private List<Integer> survivors = List.of();
  private boolean stopping;
  private int waiting;

  Command(Scratch output) {
    this.output = output;
  }

  /** How it ended; empty while it runs. */
  public Optional<End> end() {
    lock.lock();
    try {
      return end;
    } finally {
      lock.unlock();
    }
  }

  /** For how long it has run. */
  public Duration ran() {
    lock.lock();
    try {
      return ran;
    } finally {
      lock.unlock();
    }
  }

  /** The numbers of the processes that outlive its end because the system does not let them go. */
  public List<Integer> survivors() {
    lock.lock();
    try {
      return survivors;
    } finally {
      lock.unlock();
    }
  }

  /** What it wrote so far; {@link FileHandle#close} of it is this command's alone. */
  public FileHandle output() {
    return output;
  }

  /** How much it wrote so far, in bytes of its output. */
  public long outputBytes() {
    return output.size();
  }

  /** Asks it to end, with all that it started; {@link #await} says when that is done. */
  public void stop() {
    lock.lock();
    try {
      stopping = true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for its end. */
  public End await() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (end.isEmpty()) {
        changed.await();
      }
      return end.get();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for its end, also when interrupted, whose status is then kept. */
  public End awaitUninterruptibly() {
    lock.lock();
    try {
      while (end.isEmpty()) {
        changed.awaitUninterruptibly();
      }
      return end.get();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for its end, at most for a while. */
  public void awaitEnd(Duration atMost) throws InterruptedException {
    long left = atMost.toNanos();
    lock.lockInterruptibly();
    try {
      while (end.isEmpty() && left > 0) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits for its end or for output beyond so many bytes, at most for a while. */
  public void awaitMore(long bytes, Duration atMost) throws InterruptedException {
    long left = atMost.toNanos();
    lock.lockInterruptibly();
    waiting++;
    try {
      while (end.isEmpty() && output.size() <= bytes && left > 0) {
        left = changed.awaitNanos(left);
      }
    } finally {
      waiting--;
      lock.unlock();
    }
  }

  /** Ends it and lets its output go. */
  @Override
  public void close() {
    stop();
    awaitUninterruptibly();
    output.close();
  }

  boolean stopping() {
    lock.lock();
    try {
      return stopping;
    } finally {
      lock.unlock();
    }
  }

  /** Whether somebody waits for output, so that what there is of a line is wanted too. */
  boolean awaited() {
    lock.lock();
    try {
      return waiting > 0;
    } finally {
      lock.unlock();
    }
  }

  void tick(Duration soFar) {
    lock.lock();
    try {
      ran = soFar;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void ended(End how, List<Integer> left) {
    lock.lock();
    try {
      end = Optional.of(how);
      survivors = List.copyOf(left);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
