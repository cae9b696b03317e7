package harness.workspace.git;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Instant;
import java.time.InstantSource;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;

/** Reads objects until an instant; an interrupt ends it too. */
final class BoundedReader extends ObjectReader.Filter {
  private final ObjectReader reader;
  private final InstantSource clock;
  private final Instant end;

  BoundedReader(ObjectReader reader, InstantSource clock, Instant end) {
    this.reader = reader;
    this.clock = clock;
    this.end = end;
  }

  /** The time is over. */
  static final class OverException extends IOException {
    private static final long serialVersionUID = 1L;

    OverException() {
      super("no more time");
    }
  }

  @Override
  protected ObjectReader delegate() {
    return reader;
  }

  @Override
  public ObjectReader newReader() {
    return new BoundedReader(reader.newReader(), clock, end);
  }

  @Override
  public ObjectLoader open(AnyObjectId id, int type) throws IOException {
    check();
    return reader.open(id, type);
  }

  @Override
  public ObjectLoader open(AnyObjectId id) throws IOException {
    check();
    return reader.open(id);
  }

  private void check() throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("stopped while objects were read");
    }
    if (!clock.instant().isBefore(end)) {
      throw new OverException();
    }
  }
}
