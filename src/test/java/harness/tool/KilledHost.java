package harness.tool;

import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.workspace.Handles;
import harness.workspace.Root;
import harness.workspace.command.Order;
import harness.workspace.command.Sandboxes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** A process that has a command in a sandbox and waits to be killed. */
final class KilledHost {
  private KilledHost() {}

  /** The command line, the working directory. */
  public static void main(String[] arguments) throws Exception {
    Commands commands =
        Commands.of(Sandboxes.bubblewrap(Map.of("PATH", System.getenv("PATH")), List.of()));
    try (Root root = Root.open(Handles.system(new Random()), arguments[1], arguments[1]);
        Commands.Visit visit = commands.enter(new Instance("coder", InstanceId.parse("run/a")))) {
      visit.start(
          root, "c-1-0", new Order(arguments[0], true, Optional.empty(), _ -> true, _ -> {}), true);
      Thread.currentThread().join();
    }
  }
}
