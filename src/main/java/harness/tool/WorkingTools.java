package harness.tool;

import harness.workspace.Handles;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** The standard set of Working tools, and where they run. */
public final class WorkingTools {
  private WorkingTools() {}

  /** What the tools of every host are called, do and take. */
  public static List<ToolSpec> specs() {
    // What a tool is needs no time; only what it does may.
    return all(() -> Instant.EPOCH).stream().map(WorkingTool::spec).toList();
  }

  /**
   * A host that runs them in this process, but for commands, which it refuses.
   *
   * @param readRoot the workspace root, absolute
   * @param clock the time that commits tell
   */
  public static ToolHost inProcess(Handles handles, String readRoot, InstantSource clock) {
    return inProcess(
        handles,
        readRoot,
        clock,
        Commands.refused("this tool host runs no commands; use the other tools"));
  }

  /**
   * A host that runs them in this process.
   *
   * @param readRoot the workspace root, absolute
   * @param clock the time that commits tell
   * @param commands ended with the host
   */
  public static ToolHost inProcess(
      Handles handles, String readRoot, InstantSource clock, Commands commands) {
    return new InProcessToolHost(
        handles, readRoot, commands, all(clock), new Workers(clock), clock);
  }

  /** The longest that a host which keeps its word takes to answer a call. */
  public static Duration longest(ToolCall call) {
    Duration limit =
        all(() -> Instant.EPOCH).stream()
            .filter(tool -> tool.spec().name().equals(call.name()))
            .map(tool -> tool.limit(call.input()))
            .findFirst()
            .orElse(WorkingTool.LIMIT);
    return Workers.MAX_WAIT.plus(limit).plus(Workers.GRACE);
  }

  static List<WorkingTool> all(InstantSource clock) {
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
        new GitLogTool(),
        new GitShowTool(),
        new GitBlameTool(clock),
        new GitAddTool(clock),
        new GitRestoreTool(clock),
        new GitCommitTool(clock),
        new GitBranchTool(clock),
        new ShellTool(),
        new ShellOutputTool(),
        new ShellStopTool());
  }
}
