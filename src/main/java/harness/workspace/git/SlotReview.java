package harness.workspace.git;

import harness.workspace.OpenDirectory;
import harness.workspace.PathException;
import harness.workspace.Root;
import java.io.IOException;
import java.util.Optional;
import org.eclipse.jgit.lib.ObjectId;

/**
 * {@code SLOT/review-SHA}: a repository of its own with a detached HEAD, in which no branch of the
 * clone can be moved.
 */
final class SlotReview {
  private static final int MAX_HEAD_BYTES = 4 * 1024;

  private final SlotPlace place;
  private final SlotClone clone;

  SlotReview(SlotPlace place, SlotClone clone) {
    this.place = place;
    this.clone = clone;
  }

  /**
   * Makes it, if one is ordered and the clone has the commit.
   *
   * @return whether it is there
   */
  boolean make(OpenDirectory slot) throws IOException, InterruptedException {
    if (place.order().review().isEmpty()) {
      return false;
    }
    String sha = place.order().review().get();
    String name = PlaceOrder.REVIEW + sha;
    if (isReview(name, sha)) {
      return true;
    }
    if (!clone.holds(ObjectId.fromString(sha))) {
      return false;
    }
    String building = SlotPlace.BUILDING + "review";
    try (OpenDirectory top = SlotFiles.enter(slot, building);
        OpenDirectory git = SlotFiles.enter(top, ".git")) {
      clone.repository(git, "../../../" + PlaceOrder.DEFAULT + "/.git/objects\n");
      SlotFiles.put(git, "HEAD", sha + "\n");
    }
    place.checkOut(building, ObjectId.fromString(sha));
    SlotPlace.finish(slot, building, slot, name);
    return true;
  }

  /** Whether the worktree is there already, with nothing but the commit checked out. */
  private boolean isReview(String name, String sha) throws IOException {
    try (Root there = place.open(name)) {
      Optional<GitDirs> dirs = GitDirs.at(there.way());
      if (dirs.isPresent()) {
        try (GitDirs found = dirs.get()) {
          if (GitFile.text(found.gitDir(), "HEAD", MAX_HEAD_BYTES)
              .filter(head -> head.strip().equals(sha))
              .isPresent()) {
            return true;
          }
        }
      }
      throw notReview(name, sha);
    } catch (PathException e) {
      if (e.kind() != PathException.Kind.NOT_FOUND) {
        GitException refused = notReview(name, sha);
        refused.initCause(e);
        throw refused;
      }
      return false;
    }
  }

  private GitException notReview(String name, String sha) {
    return new GitException(
        place.path(name)
            + " is there and has not "
            + sha
            + " checked out; move it away, then attach");
  }
}
