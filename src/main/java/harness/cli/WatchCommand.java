package harness.cli;

import harness.client.Bookmark;
import harness.client.JdkTransport;
import harness.client.Timing;
import harness.client.Transport;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows a Submission to its end. */
@Command(
    name = "watch",
    description = {
      "Shows a Submission to its end, a line a step, over restarts of the Harness.",
      "Exits 0 when it completed, 1 when it failed, 2 for a wrong command line, 3 when it was"
          + " aborted, 4 when its conversation is not held, 5 when the token or the author is not"
          + " accepted, 6 when no Harness could be reached, 7 when it was refused otherwise."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class WatchCommand implements Callable<Integer> {
  private final Surroundings surroundings;
  private final Timing timing;
  private final PrintWriter out;
  private final Consumer<String> log;

  @Mixin private final HarnessOption harness = new HarnessOption();

  @Mixin private final ConversationParameters conversation = new ConversationParameters();

  @Option(
      names = "--offset",
      paramLabel = "OFFSET",
      description = "As its admission answers it; without it, the conversation's first.")
  private String offset = "";

  @Mixin private final AuthorOption author = new AuthorOption();

  WatchCommand(Surroundings surroundings, Timing timing, PrintWriter out, Consumer<String> log) {
    this.surroundings = surroundings;
    this.timing = timing;
    this.out = out;
    this.log = log;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (JdkTransport open = harness.open(surroundings)) {
      Transport transport = author.over(open);
      return new Following(out, surroundings.terminal(), timing.pause())
          .follow(
              HarnessOption.client(transport, timing, log),
              new Bookmark(conversation.agent(), conversation.id(), offset));
    }
  }
}
