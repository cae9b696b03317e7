package harness.workspace.git;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.eclipse.jgit.errors.CorruptObjectException;

/**
 * Reads many objects of packs one after the other, best in the order in which they lie there, in
 * memory that it uses again for each. Of one thread.
 */
final class PackReader implements AutoCloseable {
  /** The largest object that it makes, in bytes. */
  static final int MAX_BYTES = 1024 * 1024;

  private static final int WINDOW_BYTES = 256 * 1024;
  private static final int FIRST_BYTES = 64 * 1024;

  /** What stands before the content of an object at most, in bytes: its type and its size. */
  private static final int MAX_HEAD_BYTES = 16;

  private final Inflater inflater = new Inflater();

  /** A part of a pack, and where in that it begins. */
  private final ByteBuffer window = ByteBuffer.allocateDirect(WINDOW_BYTES).limit(0);

  private Optional<Pack> pack = Optional.empty();
  private long start;

  private ByteBuffer object = ByteBuffer.allocateDirect(FIRST_BYTES);

  /**
   * The content of an object, until the next one is asked for; empty where it is none of the type,
   * larger than {@link #MAX_BYTES}, or lies there as a difference from another one.
   *
   * @param type one of JGit's
   */
  Optional<ByteBuffer> plain(Pack from, long offset, int type) throws IOException {
    seek(from, offset);
    int head = next();
    long size = head & 0xF;
    int b = head;
    for (int shift = 4; (b & 0x80) != 0 && shift < Integer.SIZE; shift += 7) {
      b = next();
      size |= (b & 0x7FL) << shift;
    }
    if ((head >> 4 & 7) != type || (b & 0x80) != 0 || size > MAX_BYTES) {
      return Optional.empty();
    }
    inflate((int) size);
    return Optional.of(object.flip());
  }

  private void inflate(int size) throws IOException {
    if (object.capacity() < size) {
      object = ByteBuffer.allocateDirect(Math.clamp(2L * size, 0, MAX_BYTES));
    }
    object.clear().limit(size);
    inflater.reset();
    inflater.setInput(window);
    try {
      while (!inflater.finished()) {
        boolean none = inflater.inflate(object) == 0;
        if (!none || inflater.finished()) {
          continue;
        }
        if (inflater.needsDictionary() || !inflater.needsInput()) {
          throw new CorruptObjectException("an object in a pack has another size than it says");
        }
        fill(start + window.position());
        inflater.setInput(window);
      }
    } catch (DataFormatException e) {
      CorruptObjectException corrupt = new CorruptObjectException("an object in a pack is damaged");
      corrupt.initCause(e);
      throw corrupt;
    }
    if (object.hasRemaining()) {
      throw new CorruptObjectException("an object in a pack has another size than it says");
    }
  }

  private int next() throws IOException {
    if (!window.hasRemaining()) {
      throw new EOFException("a pack is shorter than it says");
    }
    return window.get() & 0xFF;
  }

  private void seek(Pack from, long offset) throws IOException {
    long end = start + window.limit();
    boolean here = pack.filter(from::equals).isPresent() && offset >= start;
    if (here && offset + MAX_HEAD_BYTES <= end) {
      window.position((int) (offset - start));
    } else {
      pack = Optional.of(from);
      fill(offset);
    }
  }

  private void fill(long offset) throws IOException {
    start = offset;
    window.clear();
    pack.orElseThrow().read(window, offset);
    window.flip();
  }

  @Override
  public void close() {
    inflater.end();
  }
}
