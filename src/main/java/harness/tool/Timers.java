package harness.tool;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Time limits, all looked at by one thread every {@value #LOOK_MILLIS} ms while there are any: a
 * timed wait of its own for each call would take longer than a small call does. What counts is the
 * time in which this process runs: a look counts one second at most, so that a process that was
 * frozen for an hour ends nothing by that.
 */
public final class Timers {
  private static final int LOOK_MILLIS = 50;
  private static final Duration MOST = Duration.ofSeconds(1);

  /** After so many looks at nothing the thread ends. */
  private static final int IDLE_LOOKS = 200;

  private static final System.Logger LOG = System.getLogger(Timers.class.getName());

  private final InstantSource clock;
  private final ThreadFactory threads;
  private final Set<Timer> running = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean looking = new AtomicBoolean();

  public Timers(InstantSource clock) {
    this(clock, Thread.ofPlatform().daemon().name("tool timers").factory());
  }

  Timers(InstantSource clock, ThreadFactory threads) {
    this.clock = clock;
    this.threads = threads;
  }

  /** One limit. */
  public final class Timer {
    private final Runnable late;
    private Duration left;

    private Timer(Duration time, Runnable late) {
      this.left = time;
      this.late = late;
    }

    /** It does not matter any more. */
    public void stop() {
      running.remove(this);
    }

    private void pass(Duration time) {
      left = left.minus(time);
      if (!left.isPositive() && running.remove(this)) {
        try {
          late.run();
        } catch (RuntimeException | Error e) {
          // The other limits are still to be looked at.
          LOG.log(Level.ERROR, "a limit that was reached had no effect", e);
        }
      }
    }
  }

  /**
   * Starts one.
   *
   * @param late is run, on a thread of this, where the limit was not stopped in time; returns at
   *     once and never throws
   * @throws OutOfMemoryError where there is no room for that thread; then nothing was started
   */
  public Timer start(Duration time, Runnable late) {
    Timer timer = new Timer(time, late);
    running.add(timer);
    if (!looking.get() && looking.compareAndSet(false, true)) {
      begin(timer);
    }
    return timer;
  }

  private void begin(Timer timer) {
    boolean begun = false;
    try {
      threads.newThread(this::look).start();
      begun = true;
    } finally {
      if (!begun) {
        running.remove(timer);
        looking.set(false);
      }
    }
  }

  private void look() {
    do {
      try {
        lookWhileAnyRun();
      } catch (RuntimeException | Error e) {
        // What is not looked at is a limit that never comes: where memory ran out, there is some
        // again later.
        LOG.log(Level.ERROR, "the limits that run were not looked at once", e);
      } finally {
        looking.set(false);
      }
      // One that was started just before saw a thread that looks.
    } while (!running.isEmpty() && looking.compareAndSet(false, true));
  }

  private void lookWhileAnyRun() {
    Instant last = clock.instant();
    for (int idle = 0; idle < IDLE_LOOKS; idle = running.isEmpty() ? idle + 1 : 0) {
      if (!pause()) {
        break;
      }
      Instant now = clock.instant();
      Duration step = Duration.between(last, now);
      last = now;
      Duration counted = step.compareTo(MOST) > 0 ? MOST : step;
      if (counted.isPositive()) {
        running.forEach(timer -> timer.pass(counted));
      }
    }
  }

  private static boolean pause() {
    try {
      Thread.sleep(LOOK_MILLIS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
