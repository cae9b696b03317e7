package harness.workspace.git;

import harness.workspace.OpenDirectory;
import java.util.concurrent.atomic.AtomicInteger;

/** A directory that is closed when nobody needs it any more. */
final class Held {
  private final OpenDirectory directory;
  private final AtomicInteger users = new AtomicInteger(1);

  /** With one user. */
  Held(OpenDirectory directory) {
    this.directory = directory;
  }

  OpenDirectory directory() {
    return directory;
  }

  /** Itself with one user more, who releases it. */
  Held kept() {
    users.incrementAndGet();
    return this;
  }

  void release() {
    if (users.decrementAndGet() == 0) {
      directory.close();
    }
  }
}
