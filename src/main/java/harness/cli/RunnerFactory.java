package harness.cli;

import java.nio.file.Path;

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
   * Starts one; it listens when this returns.
   *
   * @param socket absolute
   * @param workspace the workspace root, absolute
   * @throws StartException when it can't run, such as where another one listens
   */
  Running start(Path socket, Path workspace) throws StartException;
}
