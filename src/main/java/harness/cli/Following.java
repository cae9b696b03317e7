package harness.cli;

import harness.client.Bookmark;
import harness.client.HarnessClient;
import harness.client.Outcome;
import harness.client.Timing;
import java.io.PrintWriter;

/** Shows a Submission to its end and says by an exit code which one that was. */
final class Following {
  private final PrintWriter out;
  private final boolean terminal;
  private final Timing.Pause pause;

  Following(PrintWriter out, boolean terminal, Timing.Pause pause) {
    this.out = out;
    this.terminal = terminal;
    this.pause = pause;
  }

  int follow(HarnessClient client, Bookmark bookmark) throws InterruptedException {
    Outcome outcome;
    try (Ticker ticker = new Ticker(out, terminal, pause)) {
      outcome = client.await(bookmark, new Steps(bookmark.agent(), ticker::line));
    }
    out.println(Steps.line(sentence(outcome)));
    out.flush();
    return code(outcome);
  }

  private static String sentence(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Completed completed ->
          "completed"
              + completed.pick().map(pick -> ": " + pick.name() + " " + pick.input()).orElse("");
      case Outcome.Failed failed ->
          "failed: "
              + failed.error().type()
              + ", "
              + failed.error().message()
              + failed
                  .fault()
                  .flatMap(fault -> fault.next())
                  .map(next -> "; the next conversation is " + next)
                  .orElse("");
      case Outcome.Aborted _ -> "aborted";
      case Outcome.Unsettled unsettled -> unsettled.message();
    };
  }

  static int code(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Completed _ -> Program.DONE;
      case Outcome.Failed _ -> Program.FAILED;
      case Outcome.Aborted _ -> Program.ABORTED;
      case Outcome.Lost _ -> Program.LOST;
      case Outcome.Denied _ -> Program.DENIED;
      case Outcome.Unreachable _ -> Program.UNREACHABLE;
      case Outcome.Refused _ -> Program.REFUSED;
    };
  }
}
