package harness.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;

/** Starts a runner; the one way in which commands reach it. */
@FunctionalInterface
public interface RunnerFactory {
  /** A runner that runs. */
  interface Running extends AutoCloseable {
    /** Returns when it has ended, by a signal or by {@link #close()}. */
    void awaitEnd() throws InterruptedException;

    /** Ends it and what it runs. */
    @Override
    void close();
  }

  /**
   * What one is told.
   *
   * @param socket absolute
   * @param workspace the workspace root, absolute
   * @param linger how long at most it goes on at a signal while a Harness is connected
   * @param network whether a command in the sandbox has the network of the runner
   * @param commandMemory the most that one command's processes have in memory, in bytes
   */
  record Setting(
      Path socket, Path workspace, Duration linger, boolean network, OptionalLong commandMemory) {}

  /**
   * Starts one; it listens when this returns.
   *
   * @throws StartException when it can't run, such as where another one listens
   */
  Running start(Setting setting) throws StartException;
}
