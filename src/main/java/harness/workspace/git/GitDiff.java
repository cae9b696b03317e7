package harness.workspace.git;

/**
 * A diff.
 *
 * @param text as git prints it, with paths from the top of the worktree; at most {@link
 *     GitView#MAX_TEXT_BYTES} bytes
 * @param bytes how many bytes the whole has
 * @param files how many paths differ
 * @param untracked how many untracked paths there are besides, which a diff does not show; 0 where
 *     the worktree is not compared
 */
public record GitDiff(String text, long bytes, int files, int untracked) {}
