package harness.tool;

import static java.util.stream.Collectors.joining;

import harness.workspace.command.Command;
import java.io.IOException;
import java.util.Optional;

/** What a command has written and how it stands, in the words of a result. */
final class CommandResult {
  private CommandResult() {}

  /** What was not shown yet, and how the command ended, or that it runs on. */
  static ToolResult of(Commands.Kept kept) throws IOException, InterruptedException {
    Command command = kept.command();
    // How it stands is asked first: what was written before it ended is then all there.
    var end = command.end();
    long to = command.outputBytes();
    long from = kept.showUpTo(to);
    Excerpt excerpt = Excerpt.of(command.output(), from, to, kept.name());
    String stands =
        end.map(how -> ended(how, command))
            .orElseGet(() -> "runs for " + command.ran().toSeconds() + " s so far");
    String text = excerpt.text();
    String separator = text.isEmpty() || text.endsWith("\n") ? "" : "\n";
    String nothing = text.isEmpty() ? (from > 0 ? "no new output; " : "no output; ") : "";
    String result = text + separator + "[" + nothing + stands + "]";
    ToolResult told = excerpt.whole() ? ToolResult.of(result) : ToolResult.partial(result);
    return end.flatMap(CommandResult::excess).map(told::exceeding).orElse(told);
  }

  private static String ended(Command.End end, Command command) {
    String how =
        switch (end) {
          case Command.End.Exited(int code) -> "exit code " + code;
          case Command.End.Killed(String signal, int code) ->
              "killed by " + signal + ", exit code " + code;
          case Command.End.OutOfTime(var limit) ->
              "ended at its time limit of "
                  + limit.toSeconds()
                  + " s; give timeout_seconds up to "
                  + ShellTool.MAX_TIMEOUT_SECONDS
                  + ", or run it with background: true";
          case Command.End.OutOfRoom(long written) ->
              "ended because it wrote more than there is room for, "
                  + written
                  + " bytes; let it write into a file or say less";
          case Command.End.OutOfMemory(long peak, long limit) ->
              new MemoryExcess(peak, limit).sentence();
          case Command.End.Stopped() -> "stopped";
          case Command.End.Failed(String why) -> why;
        };
    return command.survivors().isEmpty()
        ? how
        : how
            + "; the system does not let go of process "
            + command.survivors().stream().map(String::valueOf).collect(joining(", "));
  }

  private static Optional<MemoryExcess> excess(Command.End end) {
    return end instanceof Command.End.OutOfMemory(long peak, long limit)
        ? Optional.of(new MemoryExcess(peak, limit))
        : Optional.empty();
  }

  /** Whether a command that ended so did not do what it was for, whatever it returned. */
  static boolean failed(Command.End end) {
    return switch (end) {
      case Command.End.Exited _ -> false;
      case Command.End.Killed _,
          Command.End.OutOfTime _,
          Command.End.OutOfRoom _,
          Command.End.OutOfMemory _,
          Command.End.Stopped _,
          Command.End.Failed _ ->
          true;
    };
  }
}
