package harness.tool;

import harness.workspace.Handles;
import java.util.List;

/** The standard set of Working tools, and where they run. */
public final class WorkingTools {
  private WorkingTools() {}

  /** What the tools of every host are called, do and take. */
  public static List<ToolSpec> specs() {
    return all().stream().map(WorkingTool::spec).toList();
  }

  /**
   * A host that runs them in this process, but for commands, which it refuses.
   *
   * @param readRoot the workspace root, absolute
   */
  public static ToolHost inProcess(Handles handles, String readRoot) {
    return inProcess(
        handles,
        readRoot,
        Commands.refused("this tool host runs no commands; use the other tools"));
  }

  /**
   * A host that runs them in this process.
   *
   * @param readRoot the workspace root, absolute
   * @param commands ended with the host
   */
  public static ToolHost inProcess(Handles handles, String readRoot, Commands commands) {
    return new InProcessToolHost(handles, readRoot, commands, all());
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
        new GitLogTool(),
        new ShellTool(),
        new ShellOutputTool(),
        new ShellStopTool());
  }
}
