/**
 * What an Agent may do: the Working tools behind {@link harness.tool.ToolBox}, run by a {@link
 * harness.tool.ToolHost}. A tool opens files through its {@link harness.workspace.Root} alone, and
 * leans on nothing that lives in the Harness.
 */
@NullMarked
package harness.tool;

import org.jspecify.annotations.NullMarked;
