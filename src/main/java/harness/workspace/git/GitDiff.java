package harness.workspace.git;

import java.util.List;

/**
 * A diff.
 *
 * @param text as git prints it, with paths from the top of the worktree; at most {@link
 *     GitView#MAX_TEXT_BYTES} bytes
 * @param bytes how many bytes the whole has, or that were counted
 * @param counted whether {@code bytes} is all; a very large diff is not counted to its end
 * @param files how many paths differ
 * @param untracked how many untracked paths there are besides, which a diff does not show; 0 where
 *     the worktree is not compared
 * @param filtered the changed paths that have a filter, which is not run
 */
public record GitDiff(
    String text, long bytes, boolean counted, int files, int untracked, List<String> filtered) {
  public GitDiff {
    filtered = List.copyOf(filtered);
  }
}
