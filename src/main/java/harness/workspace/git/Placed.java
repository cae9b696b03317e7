package harness.workspace.git;

import java.util.Optional;

/**
 * What is there of one slot.
 *
 * @param worktree the absolute path of the worktree of the branch
 * @param review that of the detached one; empty where none was asked for, or the slot has no such
 *     commit
 */
public record Placed(String worktree, Optional<String> review) {}
