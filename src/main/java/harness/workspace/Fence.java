package harness.workspace;

import java.nio.channels.ClosedChannelException;

/** Keeps a thread that was left behind from replacing a file under a root that is closed. */
final class Fence {
  private volatile boolean down;

  void drop() {
    down = true;
  }

  /**
   * @throws ClosedChannelException where the root is closed
   */
  void check() throws ClosedChannelException {
    if (down) {
      throw new ClosedChannelException();
    }
  }
}
