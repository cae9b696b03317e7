/**
 * What an attach does where the git credentials are: {@link harness.workspace.attach.Mirrors}
 * fetches each slot into a mirror of its own, {@link harness.workspace.attach.AttachedSlots}
 * remembers what was attached. Nothing here reads a configuration of git, and nothing that an Agent
 * can write is opened; what the workspace gets is made by {@link harness.workspace.git.Placement},
 * without credentials.
 */
@NullMarked
package harness.workspace.attach;

import org.jspecify.annotations.NullMarked;
