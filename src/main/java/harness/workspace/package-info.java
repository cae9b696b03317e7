/**
 * The repositories of the pod. A path argument becomes an open handle in {@link
 * harness.workspace.Root} and nowhere else; below it is one port, {@link
 * harness.workspace.Handles}, of open directories and single names, with an adapter over Linux
 * itself and one over NIO. {@link harness.workspace.Slots} names the worktrees. It knows nothing of
 * tools, models or conversations.
 */
@NullMarked
package harness.workspace;

import org.jspecify.annotations.NullMarked;
