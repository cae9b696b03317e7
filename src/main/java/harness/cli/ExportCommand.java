package harness.cli;

import harness.agent.Address;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.conversation.Export;
import harness.store.CorruptEventException;
import harness.store.StateReader;
import harness.store.StoreUnableException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Prints one conversation as JSON lines. */
@Command(
    name = "export",
    description = "Prints one conversation as JSON lines, also while a Harness runs.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ExportCommand implements Callable<Integer> {
  private final Surroundings surroundings;
  private final PrintWriter out;

  @Mixin private final StateOption state = new StateOption();

  @Parameters(index = "0", paramLabel = "AGENT", description = "The Agent's name.")
  private String agent = "";

  @Parameters(index = "1", paramLabel = "INSTANCE-ID", description = "As an admission answers it.")
  private String id = "";

  ExportCommand(Surroundings surroundings, PrintWriter out) {
    this.surroundings = surroundings;
    this.out = out;
  }

  @Override
  public Integer call() throws StartException {
    try (StateReader reader = StateReader.open(state.directory(surroundings))) {
      Optional<Long> lines = Export.lines(reader, instance(), out::println);
      if (lines.isEmpty()) {
        throw new StartException("no conversation " + id + " of agent " + agent + " is held there");
      }
      if (out.checkError()) {
        throw new StartException("the lines could not be written; look at where they go");
      }
      return Program.DONE;
    } catch (StoreUnableException | CorruptEventException e) {
      out.flush();
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
  }

  private Instance instance() throws StartException {
    try {
      Address.checkAgent(agent);
      return new Instance(agent, InstanceId.parse(id));
    } catch (IllegalArgumentException e) {
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
  }
}
