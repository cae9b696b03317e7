package harness.cli;

import java.net.URI;

/** A Harness that runs. */
public interface Server extends AutoCloseable {
  /** Where it listens, with the port that it really has; no path. */
  URI uri();

  /** Returns when it has ended, by a drain or by {@link #close()}. */
  void awaitEnd() throws InterruptedException;

  /** Ends it without a drain, as a crash would; what it admitted is on stable storage. */
  @Override
  void close();
}
