package harness.workspace.git;

/** What is not as its HEAD has it in a repository inside a worktree. */
enum Dirt {
  NONE,
  /** There are untracked files, and nothing else. */
  UNTRACKED,
  /** Tracked files are changed. */
  MODIFIED
}
