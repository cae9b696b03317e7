package harness.cli;

import harness.scenario.Host;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/** Starts servers for scenarios: in this process, or in one of their own where they are killed. */
public final class ScenarioHost implements Host {
  private final Host inProcess;
  private final Host child;

  /**
   * @param servers starts a server in this process
   * @param self the command line that starts this program, without a command
   */
  public ScenarioHost(
      Surroundings surroundings, ServerFactory servers, Supplier<List<String>> self) {
    this.inProcess = new InProcessHost(servers, surroundings);
    this.child = new ChildHost(self);
  }

  @Override
  public Running start(Setup setup) throws IOException, InterruptedException {
    return (setup.kill() ? child : inProcess).start(setup);
  }
}
