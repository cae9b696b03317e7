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
   * A host that runs them in this process.
   *
   * @param readRoot the workspace root, absolute
   */
  public static ToolHost inProcess(Handles handles, String readRoot) {
    return new InProcessToolHost(handles, readRoot, all());
  }

  static List<WorkingTool> all() {
    return List.of(
        new ReadTool(),
        new WriteTool(),
        new EditTool(),
        new ListTool(),
        new GlobTool(),
        new GrepTool(),
        new MoveTool(),
        new DeleteTool(),
        new MakeDirectoryTool(),
        new ApplyPatchTool(),
        new GitStatusTool(),
        new GitDiffTool(),
        new GitLogTool());
  }
}
