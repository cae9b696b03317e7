package harness.tool;

import harness.workspace.Handles;
import java.time.Duration;
import java.util.List;

/** The standard set of Working tools, and where they run. */
public final class WorkingTools {
  private WorkingTools() {}

  /** What the tools of every host are called, do and take. */
  public static List<ToolSpec> specs() {
    return all().stream().map(WorkingTool::spec).toList();
  }

  /**
   * A host that runs them in this process.
   *
   * @param readRoot the workspace root, absolute
   */
  public static ToolHost inProcess(Handles handles, String readRoot) {
    return new InProcessToolHost(handles, readRoot, all());
  }

  /** The longest that a host which keeps its word takes to answer a call. */
  public static Duration longest(ToolCall call) {
    Duration limit =
        all().stream()
            .filter(tool -> tool.spec().name().equals(call.name()))
            .map(tool -> tool.limit(call.input()))
            .findFirst()
            .orElse(WorkingTool.LIMIT);
    return Workers.MAX_WAIT.plus(limit).plus(Workers.GRACE);
  }

  static List<WorkingTool> all() {
    return List.of(
        new ReadTool(),
        new WriteTool(),
        new EditTool(),
        new ListTool(),
        new GlobTool(),
        new GrepTool(),
        new GitStatusTool(),
        new GitDiffTool(),
        new GitLogTool());
  }
}
