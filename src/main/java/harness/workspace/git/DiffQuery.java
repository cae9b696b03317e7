package harness.workspace.git;

import java.util.List;
import java.util.Optional;

/**
 * What to compare. With neither revision: the worktree against the index, or with {@code staged}
 * the index against HEAD. With {@code from} alone: the worktree, or with {@code staged} the index,
 * against that revision. With both: the second against the first.
 *
 * @param from a revision
 * @param to a revision; only with {@code from} and without {@code staged}
 * @param paths relative to the working directory or absolute; all where there are none
 * @param stat how much changed instead of what
 */
public record DiffQuery(
    Optional<String> from, Optional<String> to, boolean staged, List<String> paths, boolean stat) {
  /** The worktree against the index, whole. */
  public static final DiffQuery WORKTREE =
      new DiffQuery(Optional.empty(), Optional.empty(), false, List.of(), false);

  /** The index against HEAD, whole. */
  public static final DiffQuery STAGED =
      new DiffQuery(Optional.empty(), Optional.empty(), true, List.of(), false);

  public DiffQuery {
    paths = List.copyOf(paths);
  }
}
