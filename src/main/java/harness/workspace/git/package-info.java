/**
 * The git side of the workspace: {@link harness.workspace.git.GitView} reads the repository of a
 * working directory (status, diff, log), {@link harness.workspace.git.GitChanges} stages, restores,
 * commits and makes branches, {@link harness.workspace.git.Worktrees} makes repositories
 * and linked worktrees. All of it is JGit: no process is started, no configuration outside the
 * repository is read, and of the repository's own only an allow-list of harmless keys. It opens
 * paths by name in repositories that an Agent can write, so it belongs where no key is.
 */
@NullMarked
package harness.workspace.git;

import org.jspecify.annotations.NullMarked;
