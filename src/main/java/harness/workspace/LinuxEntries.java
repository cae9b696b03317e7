package harness.workspace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.NoSuchElementException;
import java.util.Optional;

/** A pass over a directory of Linux, a bufferful of entries at a time. */
final class LinuxEntries implements OpenDirectory.Entries {
  private final LinuxDirectory directory;
  private final Descriptor listing;
  private final boolean own;
  private final Deque<Directory.Entry> read = new ArrayDeque<>();
  private boolean ended;

  /**
   * @param listing open for reading, at its start
   * @param own whether it is closed with this pass
   */
  LinuxEntries(LinuxDirectory directory, Descriptor listing, boolean own) {
    this.directory = directory;
    this.listing = listing;
    this.own = own;
  }

  @Override
  public boolean hasNext() {
    try {
      while (read.isEmpty() && !ended) {
        readSome();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return !read.isEmpty();
  }

  @Override
  public Directory.Entry next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return read.removeFirst();
  }

  private void readSome() throws IOException {
    byte[] some = listing.use(number -> Glance.ofThread().some(number));
    if (some.length == 0) {
      close();
      return;
    }
    ByteBuffer entries = ByteBuffer.wrap(some).order(ByteOrder.nativeOrder());
    for (int at = 0; at < some.length; ) {
      // An entry: inode (8 bytes), offset (8), its length (2), type (1), name, NUL.
      add(some, at + 19, entries.get(at + 18));
      at += Short.toUnsignedInt(entries.getShort(at + 16));
    }
  }

  private void add(byte[] entries, int start, int type) throws IOException {
    int end = start;
    while (entries[end] != 0) {
      end++;
    }
    Name name = Name.of(Arrays.copyOfRange(entries, start, end));
    if (name.isDot() || name.isDotDot()) {
      return;
    }
    // Type 0: a file system that does not say it here. What has gone since is no entry any more.
    Optional<FileKind> kind =
        type == 0
            ? directory.status(name).map(FileStatus::kind)
            : Optional.of(Libc.kindOfType(type));
    kind.ifPresent(known -> read.add(new Directory.Entry(name.toString(), known)));
  }

  @Override
  public void close() {
    ended = true;
    read.clear();
    if (own) {
      listing.close();
    }
  }
}
