package harness.workspace;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A descriptor that is closed when the last call on it has ended: closed under a call, its number
 * could by then be another file's.
 */
final class Descriptor implements AutoCloseable {
  private final int number;
  private final AtomicInteger users = new AtomicInteger(1);
  private final AtomicBoolean closed = new AtomicBoolean();

  Descriptor(int number) {
    this.number = number;
  }

  /** What is done with the number. */
  interface Use<T> {
    T on(int number) throws IOException;
  }

  <T> T use(Use<T> use) throws IOException {
    if (users.getAndUpdate(n -> n == 0 ? 0 : n + 1) == 0) {
      throw new ClosedChannelException();
    }
    try {
      if (closed.get()) {
        throw new ClosedChannelException();
      }
      return use.on(number);
    } finally {
      release();
    }
  }

  /** A use that answers nothing. */
  interface Run {
    void on(int number) throws IOException;
  }

  void run(Run run) throws IOException {
    use(
        open -> {
          run.on(open);
          return open;
        });
  }

  private void release() {
    if (users.decrementAndGet() == 0) {
      Libc.close(number);
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      release();
    }
  }
}
