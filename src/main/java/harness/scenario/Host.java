package harness.scenario;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Starts servers for scenarios. */
@FunctionalInterface
public interface Host {
  /**
   * Starts a server on a free loopback port, with no auth, and returns when it is ready.
   *
   * @throws IOException when it can't start
   */
  Running start(Setup setup) throws IOException, InterruptedException;

  /**
   * What a server is told.
   *
   * @param workspace the workspace root
   * @param slots by name, the absolute path of the worktree
   * @param state the directory of what survives a restart
   * @param script the file of the scripted provider, whose id is {@value ScenarioRunner#PROVIDER}
   * @param rights the file of rights, where there is one
   * @param limits keys of the configuration's {@code limits}
   * @param contextWindows by model of that provider, the tokens of its window
   * @param kill whether it will be killed: it then runs in a process of its own
   */
  record Setup(
      Path workspace,
      Map<String, String> slots,
      Path state,
      Path script,
      Optional<Path> rights,
      Map<String, String> limits,
      Map<String, Integer> contextWindows,
      boolean kill) {
    public Setup {
      slots = Map.copyOf(slots);
      limits = Map.copyOf(limits);
      contextWindows = Map.copyOf(contextWindows);
    }
  }

  /** A server that runs. */
  interface Running {
    URI uri();

    /** Ends it at once, as a crash would. */
    void kill() throws IOException;
  }
}
