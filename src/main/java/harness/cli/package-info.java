/** The commands of the program and its configuration. What a command starts is handed to it. */
@NullMarked
package harness.cli;

import org.jspecify.annotations.NullMarked;
