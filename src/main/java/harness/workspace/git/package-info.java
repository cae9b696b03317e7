/**
 * The git side of the workspace: {@link harness.workspace.git.GitView} reads the repository of a
 * working directory, {@link harness.workspace.git.GitChanges} changes it, {@link
 * harness.workspace.git.Worktrees} makes repositories and linked worktrees. No process is started,
 * no configuration outside the repository is read, and of the repository's own only an allow-list
 * of harmless keys. What an Agent can write is reached through open directories alone; JGit, which
 * is handed what was opened, never sees a path of it. Only {@code Worktrees} goes by names.
 */
@NullMarked
package harness.workspace.git;

import org.jspecify.annotations.NullMarked;
