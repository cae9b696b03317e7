package harness.workspace.git;

import harness.workspace.Handles;
import harness.workspace.Name;
import harness.workspace.OpenDirectory;
import harness.workspace.PathException;
import harness.workspace.Root;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes a slot of the workspace from a mirror in it: {@code SLOT/default}, a clone that borrows the
 * mirror's objects, {@code SLOT/BRANCH}, a worktree of it, and {@code SLOT/review-SHA}, a
 * repository of its own with a detached HEAD, in which no branch of the clone can be moved. What is
 * there already stays as it is. Each is built beside its place and gets its name when it is whole,
 * so that an interrupt, also of the process, leaves nothing but what the next try removes.
 */
public final class Placement {
  /** One at a time in a slot of this process, however many hosts it has. */
  private static final Map<String, ReentrantLock> LOCKS = new ConcurrentHashMap<>();

  private Placement() {}

  /**
   * Makes what is missing of a slot.
   *
   * @param readRoot the workspace root
   * @param clock the time that the log of a branch tells
   * @throws GitException with a sentence that says what is in the way; also {@link PathException}
   */
  public static Placed run(Handles handles, String readRoot, PlaceOrder order, InstantSource clock)
      throws IOException, InterruptedException {
    ReentrantLock lock =
        LOCKS.computeIfAbsent(readRoot + "/" + order.slot(), slot -> new ReentrantLock());
    lock.lockInterruptibly();
    try (Root root = Root.open(handles, readRoot, readRoot)) {
      return placed(new SlotPlace(handles, root, order), clock);
    } finally {
      lock.unlock();
    }
  }

  private static Placed placed(SlotPlace place, InstantSource clock)
      throws IOException, InterruptedException {
    Branches.checkName(place.order().branch());
    OpenDirectory top = place.root().way().directory();
    SlotClone clone = new SlotClone(place);
    try (OpenDirectory slot = SlotFiles.enter(top, place.order().slot())) {
      for (Name left : SlotFiles.directories(slot, SlotPlace.BUILDING)) {
        SlotFiles.remove(slot, left);
      }
      if (!SlotFiles.has(slot, PlaceOrder.DEFAULT)) {
        clone.make(slot);
      }
      new SlotWorktree(place, clone, clock).make(slot);
      return new Placed(new SlotReview(place, clone).make(slot));
    }
  }
}
