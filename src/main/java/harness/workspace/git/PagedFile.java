package harness.workspace.git;

import harness.workspace.FileHandle;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An open file that is read in places here and there, of which the last ones stay in memory. It is
 * never mapped: one that somebody cuts short while it is read is an error, and not the end of the
 * process. Safe for many threads; an interrupt ends a read.
 */
final class PagedFile implements AutoCloseable {
  private static final int PAGE_BYTES = 32 * 1024;

  /** How many pages stay in memory, which makes 4 MiB. */
  private static final int MAX_PAGES = 128;

  private final FileHandle file;
  private final long size;
  private final Map<Long, byte[]> pages = new LinkedHashMap<>(16, 0.75f, true);

  /** Takes the file over. */
  PagedFile(FileHandle file) throws IOException {
    this.file = file;
    this.size = file.status().size();
  }

  /** In bytes, as it was when it was opened. */
  long size() {
    return size;
  }

  int unsignedByte(long position) throws IOException {
    byte[] page = page(position);
    return page[(int) (position % PAGE_BYTES)] & 0xFF;
  }

  int int32(long position) throws IOException {
    byte[] four = bytes(position, Integer.BYTES);
    return ByteBuffer.wrap(four).getInt();
  }

  long int64(long position) throws IOException {
    return ByteBuffer.wrap(bytes(position, Long.BYTES)).getLong();
  }

  byte[] bytes(long position, int length) throws IOException {
    byte[] bytes = new byte[length];
    for (int done = 0; done < length; ) {
      done += read(position + done, bytes, done, length - done);
    }
    return bytes;
  }

  /** Reads at least one byte and at most so many; how many. */
  int read(long position, byte[] into, int offset, int length) throws IOException {
    byte[] page = page(position);
    int at = (int) (position % PAGE_BYTES);
    int count = Math.min(length, page.length - at);
    System.arraycopy(page, at, into, offset, count);
    return count;
  }

  /**
   * Reads past the pages: as many bytes as there is room for, fewer at the end of the file.
   *
   * @throws EOFException where there is none
   */
  void read(ByteBuffer into, long position) throws IOException {
    int start = into.position();
    while (into.hasRemaining() && file.read(into, position + into.position() - start) >= 0) {
      // What remains is read next.
    }
    if (into.position() == start) {
      throw new EOFException("a file of git's objects is shorter than it says");
    }
  }

  /** The page with that position in it. */
  private synchronized byte[] page(long position) throws IOException {
    if (position < 0 || position >= size) {
      throw new EOFException("a file of git's objects is shorter than it says");
    }
    long number = position / PAGE_BYTES;
    byte[] known = pages.get(number);
    if (known != null) {
      return known;
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("stopped while objects were read");
    }
    long start = number * PAGE_BYTES;
    ByteBuffer page = ByteBuffer.allocate((int) Math.min(PAGE_BYTES, size - start));
    while (page.hasRemaining()) {
      if (file.read(page, start + page.position()) < 0) {
        throw new EOFException("a file of git's objects was cut short while it was read");
      }
    }
    if (pages.size() == MAX_PAGES) {
      pages.remove(pages.keySet().iterator().next());
    }
    pages.put(number, page.array());
    return page.array();
  }

  @Override
  public void close() {
    file.close();
  }
}
