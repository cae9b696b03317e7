package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.agent.Access;
import harness.workspace.command.Command;
import harness.workspace.command.Order;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Runs a command line. */
final class ShellTool implements WorkingTool {
  static final int TIMEOUT_SECONDS = 120;
  static final int MAX_TIMEOUT_SECONDS = 600;

  /** What a call takes beyond the time of its command. */
  private static final Duration MARGIN = Duration.ofSeconds(10);

  /** How long a command in the background is watched, in case that it fails at once. */
  private static final Duration BEGINS_WITHIN = Duration.ofMillis(300);

  private static final ToolSpec SPEC =
      new ToolSpec(
          "shell",
          "Run a command line with bash, without input. Its output and exit code come back; much of"
              + " it is cut in the middle and can be read as output:HANDLE. What it leaves running"
              + " is ended with it, unless background is true. Relative paths resolve at the working"
              + " directory.",
          Schema.object()
              .required("command", Schema.text("The command line."))
              .optional(
                  "timeout_seconds",
                  Schema.wholeNumber(
                      "How long it may run: "
                          + TIMEOUT_SECONDS
                          + " by default, at most "
                          + MAX_TIMEOUT_SECONDS
                          + "."))
              .optional(
                  "background",
                  Schema.flag(
                      "Let it run on and return a handle for shell_output and shell_stop; it ends"
                          + " with this conversation at the latest."))
              .build(),
          false);

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  /** That of the command is kept here, with all that it takes to end it. */
  @Override
  public Duration limit(JsonNode input) {
    try {
      return Duration.ofSeconds(seconds(Arguments.of(SPEC, input))).plus(MARGIN);
    } catch (ToolException e) {
      // Such a call is refused as soon as it begins.
      return LIMIT;
    }
  }

  private static int seconds(Arguments arguments) throws ToolException {
    return arguments.number("timeout_seconds", TIMEOUT_SECONDS, 1, MAX_TIMEOUT_SECONDS);
  }

  @Override
  public ToolResult call(JsonNode input, Seat seat)
      throws ToolException, IOException, InterruptedException {
    Arguments arguments = Arguments.of(SPEC, input);
    String line = checked(arguments.text("command"));
    boolean background = arguments.flag("background");
    int seconds = seconds(arguments);
    Optional<Duration> limit =
        background && !arguments.has("timeout_seconds")
            ? Optional.empty()
            : Optional.of(Duration.ofSeconds(seconds));
    if (seat.suggests() && seat.commands().writeAnyway()) {
      throw new ToolException(
          "shell is withheld: "
              + ToolBox.SUGGESTS_FILES
              + ", and without a sandbox a command could change anything; use the other tools");
    }
    Order order =
        new Order(
            line,
            seat.access() == Access.WRITE && !seat.suggests(),
            limit,
            _ -> true,
            background ? _ -> {} : seat.progress()::output);
    Commands.Kept kept = seat.commands().start(seat.root(), seat.callId(), order, background);
    return background ? begun(kept, seat) : awaited(kept, seat);
  }

  private static String checked(String line) throws ToolException {
    int bytes = line.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > Order.MAX_LINE_BYTES) {
      throw new ToolException(
          "shell takes a command of at most "
              + Order.MAX_LINE_BYTES
              + " bytes; this one has "
              + bytes
              + "; write it into a file and run that");
    }
    if (line.indexOf('\0') >= 0) {
      throw new ToolException("shell takes no command with a NUL in it; leave it out");
    }
    if (line.isBlank()) {
      throw new ToolException("shell: 'command' is empty; say what to run");
    }
    return line;
  }

  private static ToolResult awaited(Commands.Kept kept, Seat seat)
      throws IOException, InterruptedException {
    Command.End end;
    try {
      end = kept.command().await();
    } catch (InterruptedException e) {
      seat.commands().forget(kept);
      throw e;
    }
    ToolResult result = CommandResult.of(kept);
    if (!result.truncated()) {
      seat.commands().forget(kept);
    }
    return CommandResult.failed(end) ? result.asError() : result;
  }

  private static ToolResult begun(Commands.Kept kept, Seat seat)
      throws IOException, InterruptedException {
    try {
      kept.command().awaitEnd(BEGINS_WITHIN);
    } catch (InterruptedException e) {
      seat.commands().forget(kept);
      throw e;
    }
    ToolResult result = CommandResult.of(kept);
    return kept.command().end().filter(CommandResult::failed).isPresent()
        ? result.asError()
        : result.behind(
            "["
                + kept.name()
                + " is its handle for shell_output and shell_stop; it ends with this conversation at the latest]\n");
  }
}
