/**
 * The repositories of the pod: a path argument becomes an open handle in {@link
 * harness.workspace.Root} and nowhere else; {@link harness.workspace.Slots} names the worktrees. It
 * knows nothing of tools, models or conversations.
 */
@NullMarked
package harness.workspace;

import org.jspecify.annotations.NullMarked;
