package harness.api;

import java.util.List;
import java.util.Optional;

/**
 * The body of {@code POST /attach}.
 *
 * @param slots the repositories
 * @param branch the branch of the worktree of each
 * @param reviewSha the commit of a detached worktree
 */
public record AttachBody(
    Optional<List<SlotBody>> slots, Optional<String> branch, Optional<String> reviewSha) {

  /**
   * A repository.
   *
   * @param ref where a new branch begins
   * @param depth how many commits of each history are fetched; all where it is left out
   * @param filter {@code blob:none} or {@code blob:limit=BYTES}: which files are fetched only where
   *     a checkout has them
   */
  public record SlotBody(
      Optional<String> slot,
      Optional<String> url,
      Optional<String> ref,
      Optional<Integer> depth,
      Optional<String> filter) {}
}
