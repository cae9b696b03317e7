/**
 * The commands of the program, behind {@link harness.cli.Program}, and its {@link
 * harness.cli.Configuration}. What a command starts is handed to it as a {@link
 * harness.cli.ServerFactory}; it never sees a store, a tool or a conversation.
 */
@NullMarked
package harness.cli;

import org.jspecify.annotations.NullMarked;
