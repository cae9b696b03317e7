package harness.workspace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Several targets that are changed together, all or none. The places are taken at one stroke, so
 * that two of these never wait for each other.
 *
 * <p>A failure in the middle of a commit puts back what was changed before it. The end of the
 * process in the middle leaves some files changed and others not, each of them whole; all that is
 * done between the first rename and the last is the renames themselves.
 */
public final class Targets implements AutoCloseable {
  private final List<OpenedTarget> targets;
  private final Places.Hold hold;

  /** Takes the spots and the hold over. */
  Targets(Held held) {
    this.targets =
        held.spots().stream().map(spot -> new OpenedTarget(spot, () -> {}, true)).toList();
    this.hold = held.hold();
  }

  /** In the order in which they were asked for. */
  public List<Target> all() {
    return List.copyOf(targets);
  }

  /**
   * Commits what was staged at each, after a look at it: contents first, then removals.
   *
   * @throws PathException where one failed: then all are as they were, but for those that the
   *     message names
   */
  public void commit() throws IOException {
    List<OpenedTarget> done = new ArrayList<>();
    try {
      for (boolean removal : new boolean[] {false, true}) {
        for (OpenedTarget target : targets) {
          if (target.removes() == removal) {
            target.put();
            done.add(target);
          }
        }
      }
    } catch (IOException | RuntimeException e) {
      throw undone(done, e);
    }
    IOException notSure = null;
    for (OpenedTarget target : targets) {
      try {
        target.settle();
      } catch (IOException e) {
        notSure = e;
      }
    }
    if (notSure != null) {
      throw notSure;
    }
  }

  private static IOException undone(List<OpenedTarget> done, Exception cause) {
    List<String> left = new ArrayList<>();
    for (OpenedTarget target : done.reversed()) {
      try {
        target.undo();
      } catch (IOException e) {
        cause.addSuppressed(e);
        left.add(target.shown());
      }
    }
    if (left.isEmpty()) {
      if (cause instanceof RuntimeException bug) {
        throw bug;
      }
      return (IOException) cause;
    }
    return new PathException(
        PathException.Kind.SYSTEM,
        cause.getMessage()
            + "; what was changed before it could not all be put back: "
            + String.join(", ", left)
            + " stay changed, so read them again",
        cause);
  }

  @Override
  public void close() {
    // A directory can only be unmade when nothing that was staged lies in it any more.
    targets.forEach(OpenedTarget::drop);
    targets.reversed().forEach(OpenedTarget::close);
    hold.close();
  }
}
