package harness.cli;

import harness.client.JdkTransport;
import harness.client.Timing;
import harness.client.Transport;
import harness.client.UnsettledException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Ends what runs and what waits on a conversation. */
@Command(
    name = "abort",
    description =
        "Ends what runs and what waits on a conversation, and returns when it has ended; exits like"
            + " watch where that is not answered.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class AbortCommand implements Callable<Integer> {
  private final Surroundings surroundings;
  private final Timing timing;
  private final PrintWriter out;
  private final Consumer<String> log;

  @Mixin private final HarnessOption harness = new HarnessOption();

  @Mixin private final ConversationParameters conversation = new ConversationParameters();

  @Mixin private final AuthorOption author = new AuthorOption();

  AbortCommand(Surroundings surroundings, Timing timing, PrintWriter out, Consumer<String> log) {
    this.surroundings = surroundings;
    this.timing = timing;
    this.out = out;
    this.log = log;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (JdkTransport open = harness.open(surroundings)) {
      Transport transport = author.over(open);
      boolean aborted =
          HarnessOption.client(transport, timing, log)
              .abort(conversation.agent(), conversation.id());
      out.println(aborted ? "aborted" : "nothing ran or waited there");
      out.flush();
      return Program.DONE;
    } catch (UnsettledException e) {
      log.accept(e.outcome().message());
      return Following.code(e.outcome());
    }
  }
}
