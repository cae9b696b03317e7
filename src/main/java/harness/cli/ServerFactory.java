package harness.cli;

/** Starts a Harness; the one way in which commands reach what runs. */
@FunctionalInterface
public interface ServerFactory {
  /**
   * Starts one and returns when it is ready.
   *
   * @throws StartException when it can't run, such as on a port or a state that another one has
   */
  Server start(Configuration configuration) throws StartException;
}
