package harness.workspace.git;

/**
 * What is there of one slot: the worktree of its branch, and maybe a detached one.
 *
 * @param review whether the detached one is there; not where none was asked for, or the slot has no
 *     such commit
 */
public record Placed(boolean review) {}
