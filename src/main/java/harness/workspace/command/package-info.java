/**
 * Command lines: started in an open working directory by {@link
 * harness.workspace.command.CommandRunner}, in bubblewrap where the machine has it, followed while
 * they run and ended with everything that they started. It knows nothing of tools, models or
 * conversations, and takes no path from an Agent.
 */
@NullMarked
package harness.workspace.command;

import org.jspecify.annotations.NullMarked;
