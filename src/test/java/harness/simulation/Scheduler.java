package harness.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * Holds the baton: one task runs at a time, and where it waits, or at a step that it makes, the
 * seed says who goes on. Time passes where everybody waits for it, and a little with each step.
 */
final class Scheduler implements InstantSource {
  /** What a seed may take; one that takes more goes round in circles. */
  private static final int MAX_STEPS = 300_000;

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final int STEP_NANOS = 20_000;

  /** One step in so many is held up, as where a process has too few processors, for at most */
  private static final int STALLS = 100;

  private static final Duration STALL = Duration.ofMillis(50);

  /** One step in so many lets time pass although somebody could run, */
  private static final int LEAPS = 60;

  /** but not for longer than a thread gets no processor. */
  private static final Duration LEAP = Duration.ofSeconds(40);

  private final RandomGenerator random;
  private final Trace trace;
  private final double sticky;
  private final double slow;
  private final int rare;
  private final List<Task> tasks = new ArrayList<>();
  private final List<Task> ready = new ArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private Optional<Task> current = Optional.empty();
  private Optional<String> failure = Optional.empty();
  private long now;
  private int steps;
  private int started;

  Scheduler(RandomGenerator random, Trace trace) {
    this.random = random;
    this.trace = trace;
    this.sticky = random.nextInt(3) * 0.4;
    this.slow = random.nextInt(3) * 0.1;
    this.rare = 2 + random.nextInt(4);
  }

  /** Runs a task and all that come of it to their ends; what failed, if something did. */
  Optional<String> run(Runnable first) throws InterruptedException {
    Task task = start(0, "driver", false, first);
    current = Optional.of(task);
    task.giveBaton();
    over.await();
    return failure;
  }

  @Override
  public Instant instant() {
    return START.plusNanos(now);
  }

  long nanos() {
    return now;
  }

  int steps() {
    return steps;
  }

  /** The task that runs. */
  Task me() {
    return current.orElseThrow();
  }

  Task start(int life, String name, Runnable body) {
    me().requireAlive();
    return start(life, name, random.nextDouble() < slow, body);
  }

  private Task start(int life, String name, boolean isSlow, Runnable body) {
    Task task = new Task(started++, life, name, isSlow, () -> live(body));
    tasks.add(task);
    return task;
  }

  private void live(Runnable body) {
    Task me = me();
    try {
      if (!me.isDead()) {
        body.run();
      }
    } catch (Crashed _) {
      // Its process is no more, or the simulation has failed.
    } catch (Throwable t) {
      if (!me.isDead()) {
        note("the task ended with " + Trace.shown(t));
      }
    } finally {
      tasks.remove(me);
      if (tasks.isEmpty()) {
        over.countDown();
      } else {
        giveTo(choose());
      }
    }
  }

  /** A point where another task may go on, and many may where this one gets no processor. */
  void step() {
    Task me = me();
    if (random.nextInt(STALLS) == 0) {
      me.waits("for a processor", () -> false, now + random.nextLong(STALL.toNanos()), false);
    } else {
      me.goesOn();
    }
    pass(me);
  }

  /** The same, but mostly not: at things that happen often. */
  void smallStep() {
    if (random.nextInt(rare) == 0) {
      step();
    } else {
      me().requireAlive();
    }
  }

  /** Waits for something; no interrupt ends it. */
  void await(String why, BooleanSupplier until) {
    await(why, until, Long.MAX_VALUE);
  }

  /** Waits for something, at most until a time in nanoseconds. */
  void await(String why, BooleanSupplier until, long deadline) {
    Task me = me();
    me.waits(why, until, deadline, false);
    pass(me);
  }

  /** Waits for something, at most until a time in nanoseconds. */
  void awaitInterruptibly(String why, BooleanSupplier until, long deadline)
      throws InterruptedException {
    Task me = me();
    me.waits(why, until, deadline, true);
    pass(me);
    if (me.takeInterrupt()) {
      throw new InterruptedException(why);
    }
  }

  void pause(String why, Duration time) {
    await(why, () -> false, after(time));
  }

  void pauseInterruptibly(String why, Duration time) throws InterruptedException {
    awaitInterruptibly(why, () -> false, after(time));
  }

  long after(Duration time) {
    return now + time.toNanos();
  }

  private void pass(Task me) {
    me.requireAlive();
    Task next = choose();
    if (next != me) {
      giveTo(next);
      me.takeBaton();
    }
    me.requireAlive();
  }

  private void giveTo(Task next) {
    current = Optional.of(next);
    next.giveBaton();
  }

  private Task choose() {
    now += random.nextInt(STEP_NANOS);
    if (++steps > MAX_STEPS && failure.isEmpty()) {
      note("no end after " + MAX_STEPS + " steps: " + tasks);
    }
    for (Task task : tasks) {
      if (task.isDead()) {
        return task;
      }
    }
    if (random.nextInt(LEAPS) == 0) {
      leap(after(LEAP));
    }
    if (gather().isEmpty()) {
      leap(Long.MAX_VALUE - 1);
      if (gather().isEmpty()) {
        note("all wait for each other: " + tasks);
        return tasks.getFirst();
      }
    }
    Task me = me();
    if (ready.contains(me) && random.nextDouble() < sticky) {
      return me;
    }
    Task chosen = ready.get(random.nextInt(ready.size()));
    return chosen.slow && random.nextInt(4) > 0 ? ready.get(random.nextInt(ready.size())) : chosen;
  }

  private List<Task> gather() {
    ready.clear();
    for (Task task : tasks) {
      if (task.canRun(now)) {
        ready.add(task);
      }
    }
    return ready;
  }

  /** On to the next time that somebody waits for. */
  private void leap(long latest) {
    long next = Long.MAX_VALUE;
    for (Task task : tasks) {
      if (task.deadline() > now) {
        next = Math.min(next, task.deadline());
      }
    }
    if (next <= latest) {
      now = next;
    }
  }

  /** Ends all tasks of a process, wherever they are; they are gone when this returns. */
  void kill(int life) {
    tasks.stream().filter(task -> task.life == life).forEach(Task::die);
    Task me = me();
    await("for the dead", () -> tasks.stream().noneMatch(task -> task.life == life));
    me.requireAlive();
  }

  /** How many tasks of a process there are. */
  long count(int life) {
    return tasks.stream().filter(task -> task.life == life).count();
  }

  List<Task> tasks() {
    return List.copyOf(tasks);
  }

  /** The simulation has failed: everything ends. */
  Crashed fail(String what) {
    note(what);
    throw new Crashed();
  }

  private void note(String what) {
    if (failure.isEmpty()) {
      failure = Optional.of(what + "\n  in the task " + me() + "\n" + trace);
    }
    tasks.forEach(Task::die);
  }
}
