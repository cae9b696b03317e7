package harness.workspace.git;

import harness.workspace.FileHandle;
import harness.workspace.FileStatus;
import harness.workspace.Way;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Files of a repository of which no more than so many are open at once: those that were read last.
 * Another one is opened again where it is read. Safe for many threads.
 */
final class OpenFiles implements AutoCloseable {
  /** How many files of packs one call has open. */
  static final int MAX_OPEN = 32;

  /** A file is not there any more. */
  static final class Gone extends FileSystemException {
    private static final long serialVersionUID = 1L;

    Gone(Way directory, String path) {
      super(directory.path() + "/" + path, null, "it went away while it was read; ask again");
    }
  }

  private final Map<Reopened, FileHandle> open = new LinkedHashMap<>(16, 0.75f, true);
  private boolean closed;

  /**
   * Opens a file, which is closed with this one; empty where nothing is there.
   *
   * @param directory stays open as long as this
   */
  Optional<FileHandle> open(Way directory, String path) throws IOException {
    Reopened file = new Reopened(directory, path);
    return handle(file).isPresent() ? Optional.of(file) : Optional.empty();
  }

  private synchronized Optional<FileHandle> handle(Reopened file) throws IOException {
    Optional<FileHandle> known = Optional.ofNullable(open.get(file));
    if (known.isPresent()) {
      return known;
    }
    if (closed) {
      throw new GitException("a repository was read after it was closed");
    }
    Optional<FileHandle> opened = GitFile.open(file.directory, file.path);
    opened.ifPresent(handle -> open.put(file, handle));
    if (open.size() > MAX_OPEN) {
      Iterator<FileHandle> handles = open.values().iterator();
      handles.next().close();
      handles.remove();
    }
    return opened;
  }

  private interface Use<T> {
    T of(FileHandle handle) throws IOException;
  }

  /** Nothing else is opened meanwhile, so that none is closed while it is read. */
  private synchronized <T> T use(Reopened file, Use<T> use) throws IOException {
    Optional<FileHandle> handle = handle(file);
    return use.of(handle.orElseThrow(() -> new Gone(file.directory, file.path)));
  }

  @Override
  public synchronized void close() {
    closed = true;
    open.values().forEach(FileHandle::close);
    open.clear();
  }

  private synchronized void close(Reopened file) {
    Optional.ofNullable(open.remove(file)).ifPresent(FileHandle::close);
  }

  /** A file that is open where it is read. */
  private final class Reopened implements FileHandle {
    private final Way directory;
    private final String path;

    Reopened(Way directory, String path) {
      this.directory = directory;
      this.path = path;
    }

    @Override
    public FileStatus status() throws IOException {
      return use(this, FileHandle::status);
    }

    @Override
    public int read(ByteBuffer buffer, long position) throws IOException {
      return use(this, handle -> handle.read(buffer, position));
    }

    @Override
    public void close() {
      OpenFiles.this.close(this);
    }
  }
}
