package harness.conversation;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import harness.agent.Access;
import harness.agent.Definition;
import harness.agent.Dials;
import harness.agent.Frame;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.agent.ModelName;
import harness.author.Actor;
import harness.author.Permission;
import harness.model.Usage;
import harness.store.EventStore;
import harness.store.InMemoryEventStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** Conversations over a store in memory, whose Turns do what a test says. */
public final class Stage implements Turns {
  /** How long a test waits for what must come. */
  static final Duration DEADLINE = Duration.ofSeconds(20);

  static final Instance CODER = new Instance("coder", InstanceId.parse("run-1/task/coder"));
  static final Actor ALICE = new Actor.User("alice");

  /** A Turn as a test plays it. */
  interface Play {
    Outcome run(Attempt attempt) throws EndedException, InterruptedException;
  }

  /** What a Turn does that no test has said otherwise of. */
  static final Play COMPLETES = _ -> new Ending(new Settlement.Completed(), Usage.NONE);

  final EventStore store;
  final Conversations conversations;
  final BlockingQueue<Instance> released = new LinkedBlockingQueue<>();

  /** All threads that were started. */
  final BlockingQueue<Thread> threads = new LinkedBlockingQueue<>();

  /** What is done next where a Turn is about to begin, under the lock of its conversation. */
  final AtomicReference<Runnable> atNextBriefing = new AtomicReference<>(() -> {});

  /** What a thread does next that has let go of a lock. */
  final AtomicReference<Runnable> atNextUnlock = new AtomicReference<>(() -> {});

  /** What a pause is. */
  volatile Runnable pausing = Thread::yield;

  /** Whose Turns may start. */
  volatile Predicate<Submission> ready = _ -> true;

  /** Who may start and resume Turns. */
  volatile Predicate<Actor> permitted = _ -> true;

  /** What is done while what the calls of a conversation left running is ended. */
  volatile Runnable whileReleasing = () -> {};

  private final BlockingQueue<Play> plays = new LinkedBlockingQueue<>();

  Stage() {
    this(new InMemoryEventStore(), new Limits(16, 64, 4096));
  }

  Stage(EventStore store, Limits limits) {
    this.store = store;
    this.conversations =
        new Conversations(
            store,
            InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")),
            new Random(42),
            new NoPauses(),
            limits,
            this);
  }

  /** The next Turns, in the order in which they start, do this. */
  void next(Play... turns) {
    plays.addAll(List.of(turns));
  }

  @Override
  public Optional<String> briefing(Submission submission, Asides asides) {
    atNextBriefing.getAndSet(() -> {}).run();
    return Optional.of("briefing of " + submission.submissionId());
  }

  @Override
  public boolean permits(Actor actor, Permission permission, Instance instance) {
    return permitted.test(actor);
  }

  @Override
  public boolean ready(Submission submission) {
    return ready.test(submission);
  }

  @Override
  public Outcome run(Attempt attempt) throws EndedException, InterruptedException {
    return Optional.ofNullable(plays.poll()).orElse(COMPLETES).run(attempt);
  }

  @Override
  public void release(Instance instance) {
    whileReleasing.run();
    released.add(instance);
  }

  Admitted offer(Instance instance, String submissionId) {
    while (true) {
      Admitted admitted =
          conversations
              .open(instance)
              .admit(_ -> submission(submissionId, ALICE), _ -> List.of(), Optional.empty());
      if (!(admitted instanceof Admitted.Asleep)) {
        return admitted;
      }
    }
  }

  /** Queues a Submission that may ride. */
  void join(String submissionId, Actor author) {
    while (conversations
            .open(CODER)
            .admit(
                _ -> submission(submissionId, author, Delivery.JOIN),
                _ -> List.of(),
                Optional.empty())
        instanceof Admitted.Asleep) {
      Thread.onSpinWait();
    }
  }

  Place admit(Instance instance, String submissionId) {
    return assertInstanceOf(Admitted.Queued.class, offer(instance, submissionId)).place();
  }

  static Submission submission(String id, Actor author) {
    return submission(id, author, Delivery.QUEUE);
  }

  static Submission submission(String id, Actor author, Delivery delivery) {
    ModelName model = ModelName.parse("lab/one");
    return new Submission(
        id,
        author,
        new Definition(
            model,
            "You code.",
            Access.WRITE,
            Optional.empty(),
            Definition.Writes.DIRECT,
            List.of()),
        new Frame("prompt of " + id, Optional.of("/work/target")),
        new Dials(model, Optional.empty()),
        List.of(),
        Optional.empty(),
        delivery,
        false);
  }

  List<Event> events(Instance instance) {
    return conversations.read(instance, 0, 10_000).stream().map(Recorded::event).toList();
  }

  /** Waits until a Submission is settled. */
  Settlement settled(Instance instance, String submissionId) throws InterruptedException {
    try (Subscription ear = conversations.subscribe(instance, false)) {
      while (true) {
        for (Event event : events(instance)) {
          if (event instanceof Event.SubmissionSettled e && e.submissionId().equals(submissionId)) {
            return e.settlement();
          }
        }
        if (ear.await(DEADLINE) instanceof Subscription.Signal.Quiet) {
          throw new AssertionError(submissionId + " was not settled: " + events(instance));
        }
      }
    }
  }

  /** The kinds of the events, with the Submission that each is of. */
  List<String> story(Instance instance) {
    return events(instance).stream()
        .map(event -> event.getClass().getSimpleName() + " " + event.submissionId())
        .toList();
  }

  /** A thread that will be started, if it is not yet. */
  Thread thread(String name) {
    while (true) {
      for (Thread thread : threads) {
        if (thread.getName().equals(name)) {
          return thread;
        }
      }
      Thread.onSpinWait();
    }
  }

  /** Does something in another thread, and waits for its end. */
  static void inAnotherThread(Runnable what) {
    Gate done = new Gate();
    Thread.ofVirtual()
        .start(
            () -> {
              what.run();
              done.open();
            });
    done.awaitDeaf();
  }

  /** Until a thread has come to where it waits, or to its end. */
  static void awaitParked(Thread thread) {
    while (thread.isAlive()
        && thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
  }

  /** A gate that one thread waits at and another opens. */
  static final class Gate {
    private final BlockingQueue<String> passes = new LinkedBlockingQueue<>();

    void open() {
      passes.add("");
    }

    void await() throws InterruptedException {
      if (passes.poll(DEADLINE.toSeconds(), TimeUnit.SECONDS) == null) {
        throw new AssertionError("the gate stayed shut");
      }
    }

    /** Waits however often the thread is interrupted. */
    void awaitDeaf() {
      while (true) {
        try {
          await();
          return;
        } catch (InterruptedException _) {
          // Deaf on purpose: it stands for a call that no interrupt ends.
          continue;
        }
      }
    }
  }

  /** Threads as they are, but waits take no time. */
  private final class NoPauses implements Tasks {
    @Override
    public Thread start(String name, Runnable task) {
      Thread thread = Tasks.virtual().start(name, task);
      threads.add(thread);
      return thread;
    }

    @Override
    public void pause(Duration duration) {
      pausing.run();
    }

    @Override
    public Lock lock() {
      return new ReentrantLock() {
        private static final long serialVersionUID = 1L;

        @Override
        public void unlock() {
          super.unlock();
          if (!isHeldByCurrentThread()) {
            atNextUnlock.getAndSet(() -> {}).run();
          }
        }
      };
    }
  }
}
