package harness.workspace;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;

/** Handles that fail where a test says so, and work otherwise. */
public final class FaultyHandles implements Handles {
  /** What can fail. */
  public enum Step {
    NONE,
    LOOK,
    OPEN,
    CREATE,
    WRITE,
    SYNC,
    RENAME,
    UNLINK,
    SYNC_DIRECTORY
  }

  private final Handles real;
  private Optional<Step> failing = Optional.empty();
  private Optional<IOException> failure = Optional.empty();
  private int well;
  private boolean once;
  private final AtomicInteger open = new AtomicInteger();
  private Before before = () -> {};

  /** What happens before a step. */
  public interface Before {
    void run() throws IOException;
  }

  public FaultyHandles(Handles real) {
    this.real = real;
  }

  public void fail(Step step, IOException with) {
    failAfter(step, 0, with);
    once = false;
  }

  /** Fails at a step once, after it went well so many times. */
  void failAfter(Step step, int times, IOException with) {
    well = times;
    once = true;
    failing = Optional.of(step);
    failure = Optional.of(with);
  }

  /** Has something happen before each directory is opened or listed and each entry looked at. */
  public void before(Before each) {
    before = each;
  }

  /** How many directories and new files are open. */
  public int open() {
    return open.get();
  }

  private void pass(Step step) throws IOException {
    before.run();
    if (failing.equals(Optional.of(step)) && well-- <= 0) {
      if (once) {
        failing = Optional.empty();
      }
      throw failure.orElseThrow();
    }
  }

  @Override
  public OpenDirectory top() throws IOException {
    return new FaultyDirectory(real.top());
  }

  private final class FaultyDirectory implements OpenDirectory {
    private final OpenDirectory self;
    private boolean closed;

    FaultyDirectory(OpenDirectory self) {
      this.self = self;
      open.incrementAndGet();
    }

    @Override
    public Object key() throws IOException {
      return self.key();
    }

    @Override
    public FileStatus status() throws IOException {
      return self.status();
    }

    @Override
    public Optional<FileStatus> status(Name name) throws IOException {
      pass(Step.LOOK);
      return self.status(name);
    }

    @Override
    public OpenDirectory directory(Name name) throws IOException {
      before.run();
      return new FaultyDirectory(self.directory(name));
    }

    @Override
    public OpenDirectory again() throws IOException {
      before.run();
      return new FaultyDirectory(self.again());
    }

    @Override
    public FileHandle file(Name name) throws IOException {
      pass(Step.OPEN);
      return self.file(name);
    }

    @Override
    public byte[] readLink(Name name) throws IOException {
      return self.readLink(name);
    }

    @Override
    public void makeDirectory(Name name) throws IOException {
      self.makeDirectory(name);
    }

    @Override
    public Temporary temporary(Optional<Name> like) throws IOException {
      pass(Step.CREATE);
      Temporary temporary = self.temporary(like);
      open.incrementAndGet();
      return new FaultyTemporary(temporary);
    }

    @Override
    public Temporary create(Name name) throws IOException {
      pass(Step.CREATE);
      Temporary temporary = self.create(name);
      open.incrementAndGet();
      return new FaultyTemporary(temporary);
    }

    @Override
    public Temporary temporary(String prefix) throws IOException {
      pass(Step.CREATE);
      Temporary temporary = self.temporary(prefix);
      open.incrementAndGet();
      return new FaultyTemporary(temporary);
    }

    @Override
    public Name temporaryLink(byte[] target) throws IOException {
      pass(Step.CREATE);
      return self.temporaryLink(target);
    }

    @Override
    public void append(Name name, byte[] content) throws IOException {
      pass(Step.WRITE);
      self.append(name, content);
    }

    @Override
    public void removeDirectory(Name name) throws IOException {
      self.removeDirectory(name);
    }

    @Override
    public void rename(Name from, Name to) throws IOException {
      pass(Step.RENAME);
      self.rename(from, to);
    }

    @Override
    public void move(Name from, OpenDirectory directory, Name to) throws IOException {
      pass(Step.RENAME);
      self.move(from, directory instanceof FaultyDirectory other ? other.self : directory, to);
    }

    @Override
    public void unlink(Name name) throws IOException {
      pass(Step.UNLINK);
      self.unlink(name);
    }

    @Override
    public boolean abandoned(Name temporary) throws IOException {
      return self.abandoned(temporary);
    }

    @Override
    public Entries entries() throws IOException {
      before.run();
      return self.entries();
    }

    @Override
    public void sync() throws IOException {
      pass(Step.SYNC_DIRECTORY);
      self.sync();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        open.decrementAndGet();
      }
      self.close();
    }
  }

  private final class FaultyTemporary implements OpenDirectory.Temporary {
    private final OpenDirectory.Temporary self;

    FaultyTemporary(OpenDirectory.Temporary self) {
      this.self = self;
    }

    @Override
    public Name name() {
      return self.name();
    }

    @Override
    public void write(byte[] content) throws IOException {
      self.write(java.util.Arrays.copyOf(content, content.length / 2));
      pass(Step.WRITE);
      self.write(java.util.Arrays.copyOfRange(content, content.length / 2, content.length));
    }

    @Override
    public void mode(IntUnaryOperator change) throws IOException {
      self.mode(change);
    }

    @Override
    public void sync() throws IOException {
      pass(Step.SYNC);
      self.sync();
    }

    @Override
    public void close() {
      open.decrementAndGet();
      self.close();
    }
  }
}
