package harness.tool;

import harness.fault.Refusal;
import harness.fault.RefusedException;
import harness.workspace.PathException;
import harness.workspace.attach.AttachException;
import harness.workspace.attach.AttachOrder;
import harness.workspace.attach.AttachedSlots;
import harness.workspace.attach.Mirrors;
import harness.workspace.git.PlaceOrder;
import harness.workspace.git.Placed;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Attaches repositories: fetches each slot where the credentials are, and has it placed where the
 * tools run. Slots go on side by side; one slot is attached once at a time. What an attach that
 * failed or was cut off has done stays and is used by the next one.
 */
public final class Attachments {
  private static final System.Logger LOG = System.getLogger(Attachments.class.getName());
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  /** How many attaches are at work at once. */
  static final int MAX_AT_WORK = 8;

  private final Mirrors mirrors;
  private final ToolHost tools;
  private final AttachedSlots slots;
  private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition quiet = lock.newCondition();

  /** Those that are at work, each with its thread; none joins them once the Harness drains. */
  private final Set<Thread> running = new HashSet<>();

  private boolean draining;

  public Attachments(Mirrors mirrors, ToolHost tools, AttachedSlots slots) {
    this.mirrors = mirrors;
    this.tools = tools;
    this.slots = slots;
  }

  /**
   * What is there now.
   *
   * @param repos the worktree of each slot
   * @param reviews the detached worktree of each slot that has the commit
   */
  public record Attached(Map<String, String> repos, Map<String, String> reviews) {}

  /** The slots of the workspace. */
  public AttachedSlots slots() {
    return slots;
  }

  /**
   * Each slot with its branch: of one that was attached the one it was attached with. Where the
   * tool host does not answer, it is asked for no other.
   */
  public Map<String, AttachedSlots.Slot> branches() {
    Map<String, AttachedSlots.Slot> all = slots.all();
    boolean answers = true;
    for (Map.Entry<String, AttachedSlots.Slot> one : all.entrySet()) {
      AttachedSlots.Slot slot = one.getValue();
      if (answers && slot.branch().isEmpty()) {
        try {
          one.setValue(new AttachedSlots.Slot(slot.worktree(), tools.branch(slot.worktree())));
        } catch (PathException e) {
          LOG.log(Level.DEBUG, "the branch of " + slot.worktree() + " is not known", e);
        } catch (RefusedException e) {
          LOG.log(Level.DEBUG, "the branches of slots are not known", e);
          answers = false;
        }
      }
    }
    return all;
  }

  /**
   * Attaches all slots of an order.
   *
   * @throws AttachException for the first slot of which a step failed, once none is at work
   * @throws RefusedException once the Harness drains
   */
  public Attached attach(AttachOrder order) throws InterruptedException {
    begin();
    try {
      return begun(order);
    } finally {
      end();
    }
  }

  private void begin() {
    lock.lock();
    try {
      if (draining) {
        throw new RefusedException(
            new Refusal.Draining(
                "this Harness is draining and attaches nothing more; send the attach to the next"
                    + " one",
                RETRY_AFTER));
      }
      if (running.size() == MAX_AT_WORK) {
        throw new RefusedException(
            new Refusal.Full(
                MAX_AT_WORK + " attaches are at work already; send it again when one is through",
                RETRY_AFTER));
      }
      running.add(Thread.currentThread());
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    lock.lock();
    try {
      running.remove(Thread.currentThread());
      quiet.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Attaches nothing more; what is at work goes on. */
  public void drain() {
    lock.lock();
    try {
      draining = true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for what is at work, and ends what is left: it is sent again then.
   *
   * @return whether nothing was left
   */
  public boolean awaitQuiet(Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      for (long left = atMost.toNanos(); !running.isEmpty() && left > 0; ) {
        left = quiet.awaitNanos(left);
      }
      running.forEach(Thread::interrupt);
      return running.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private Attached begun(AttachOrder order) throws InterruptedException {
    tools.checkWorkspace();
    Map<String, Placed> placed = new ConcurrentHashMap<>();
    Map<String, AttachException> failed = new ConcurrentHashMap<>();
    List<Thread> threads = new ArrayList<>();
    for (AttachOrder.Slot slot : order.slots()) {
      Thread thread =
          Thread.ofPlatform()
              .daemon()
              .name("attach " + slot.name())
              .unstarted(
                  () -> {
                    try {
                      placed.put(slot.name(), attach(slot, order));
                    } catch (AttachException e) {
                      failed.put(slot.name(), e);
                    }
                  });
      try {
        thread.start();
        threads.add(thread);
      } catch (OutOfMemoryError e) {
        failed.put(slot.name(), noMemory(slot, e));
      }
    }
    await(threads);
    for (AttachOrder.Slot slot : order.slots()) {
      Optional<AttachException> failure = Optional.ofNullable(failed.get(slot.name()));
      if (failure.isPresent()) {
        throw failure.get();
      }
    }
    return remembered(order, placed);
  }

  private Attached remembered(AttachOrder order, Map<String, Placed> placed) {
    Map<String, String> repos = new TreeMap<>();
    Map<String, String> reviews = new TreeMap<>();
    Map<String, AttachedSlots.Slot> attached = new TreeMap<>();
    placed.forEach(
        (name, place) -> {
          String worktree = slots.root() + "/" + PlaceOrder.worktree(name, order.branch());
          repos.put(name, worktree);
          attached.put(name, new AttachedSlots.Slot(worktree, Optional.of(order.branch())));
          if (order.reviewSha().isPresent() && place.review()) {
            reviews.put(
                name, slots.root() + "/" + PlaceOrder.review(name, order.reviewSha().get()));
          }
        });
    String first = order.slots().getFirst().name();
    if (order.reviewSha().isPresent() && reviews.isEmpty()) {
      throw new AttachException(
          first, "no slot has the commit " + order.reviewSha().get() + " for a review", null);
    }
    try {
      slots.add(attached);
    } catch (IOException e) {
      throw new AttachException(first, "what was attached can't be written down: " + e, e);
    }
    return new Attached(repos, reviews);
  }

  /** All of them have ended when this returns or throws. */
  private static void await(List<Thread> threads) throws InterruptedException {
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
          threads.forEach(Thread::interrupt);
        }
      }
    }
    if (interrupted) {
      throw new InterruptedException("the attach was ended");
    }
  }

  private Placed attach(AttachOrder.Slot slot, AttachOrder order) {
    ReentrantLock lock = locks.computeIfAbsent(slot.name(), name -> new ReentrantLock());
    try {
      lock.lockInterruptibly();
      try {
        PlaceOrder place = mirrors.fetch(slot, order.branch(), order.reviewSha());
        return tools.place(place);
      } finally {
        lock.unlock();
      }
    } catch (IOException e) {
      throw new AttachException(slot.name(), said(e), e);
    } catch (InterruptedException e) {
      throw new AttachException(slot.name(), "the attach was ended; send it again", e);
    } catch (OutOfMemoryError e) {
      throw noMemory(slot, e);
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "a bug ended the attach of " + slot.name(), e);
      throw new AttachException(slot.name(), "a bug of the Harness: " + e, e);
    }
  }

  /** What the system says of a file is often its name alone; what a server says may be anything. */
  private static String said(IOException e) {
    String message = String.valueOf(e.getMessage()).replaceAll("\\p{Cntrl}+", " ").strip();
    return message.contains(" ")
        ? message
        : message + " can't be used: " + e.getClass().getSimpleName();
  }

  private static AttachException noMemory(AttachOrder.Slot slot, OutOfMemoryError e) {
    return new AttachException(
        slot.name(),
        "the Harness has too little memory to attach it (" + e.getMessage() + "); give it more",
        e);
  }
}
