/**
 * What an Agent may do: the Working tools behind {@link harness.tool.ToolBox}, run by a {@link
 * harness.tool.ToolHost}: the one in this process, which holds each call to its time limit, or one
 * behind a socket ({@code harness.tool.socket}). A tool opens files through its {@link
 * harness.workspace.Root} alone, and leans on nothing that lives in the Harness.
 */
@NullMarked
package harness.tool;

import org.jspecify.annotations.NullMarked;
