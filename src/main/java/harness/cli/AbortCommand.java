package harness.cli;

import harness.client.HarnessClient;
import harness.client.JdkTransport;
import harness.client.Timing;
import harness.client.Transport;
import harness.client.UnsettledException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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

  @Parameters(index = "0", paramLabel = "AGENT", description = "The Agent's name.")
  private String agent = "";

  @Parameters(index = "1", paramLabel = "INSTANCE-ID", description = "As an admission answers it.")
  private String id = "";

  @Option(
      names = "--author",
      converter = AuthorText.Converter.class,
      paramLabel = "KIND:ID",
      description = "Who ends it, like user:alice; without it, the orchestrator.")
  private Optional<AuthorText> author = Optional.empty();

  AbortCommand(Surroundings surroundings, Timing timing, PrintWriter out, Consumer<String> log) {
    this.surroundings = surroundings;
    this.timing = timing;
    this.out = out;
    this.log = log;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (JdkTransport open = harness.open(surroundings)) {
      Transport transport = author.map(who -> who.over(open)).orElse(open);
      boolean aborted = new HarnessClient(transport, timing, log).abort(agent, id);
      out.println(aborted ? "aborted" : "nothing ran or waited there");
      out.flush();
      return Program.DONE;
    } catch (UnsettledException e) {
      log.accept(e.outcome().message());
      return Following.code(e.outcome());
    }
  }
}
