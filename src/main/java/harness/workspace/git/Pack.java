package harness.workspace.git;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.internal.storage.pack.BinaryDelta;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;

/** A pack of objects. Safe for many threads. */
final class Pack {
  /** The largest object that is made whole in memory, and the longest way to it, in bytes. */
  static final int MAX_WHOLE_BYTES = 64 * 1024 * 1024;

  /** How many differences one object may be made of; git itself makes no more than 4,095. */
  private static final int MAX_CHAIN = 4_096;

  /** What is kept of objects that others are made from, in bytes. */
  private static final int MAX_CACHED_BYTES = 16 * 1024 * 1024;

  /** A difference begins with two numbers of at most ten bytes. */
  private static final int DELTA_HEAD_BYTES = 20;

  private final PagedFile file;
  private final PackIndexFile index;
  private final Map<Long, Whole> bases = new LinkedHashMap<>(16, 0.75f, true);
  private int cachedBytes;

  /** Of files that stay open as long as it is read. */
  Pack(PagedFile file, PackIndexFile index) {
    this.file = file;
    this.index = index;
  }

  /** Reads bytes of the pack, as many as the buffer has room for and the pack has. */
  void read(ByteBuffer into, long offset) throws IOException {
    file.read(into, offset);
  }

  /** An object in memory. */
  record Whole(int type, byte[] bytes) {}

  /**
   * How an object lies in the pack.
   *
   * @param type one of JGit's, also a difference from another one
   * @param size when inflated, in bytes
   * @param data where it begins
   * @param base for a difference, where what it differs from begins
   */
  private record Entry(int type, long size, long data, long base) {}

  private Entry entry(long offset) throws IOException {
    long at = offset;
    int b = file.unsignedByte(at++);
    int type = b >> 4 & 7;
    long size = b & 0xF;
    for (int shift = 4; (b & 0x80) != 0; shift += 7) {
      b = file.unsignedByte(at++);
      if (shift > 56) {
        throw new CorruptObjectException("an object in a pack has no size");
      }
      size |= (b & 0x7FL) << shift;
    }
    long base = -1;
    if (type == Constants.OBJ_OFS_DELTA) {
      b = file.unsignedByte(at++);
      long back = b & 0x7F;
      while ((b & 0x80) != 0) {
        b = file.unsignedByte(at++);
        back = (back + 1) << 7 | b & 0x7F;
      }
      base = offset - back;
    } else if (type == Constants.OBJ_REF_DELTA) {
      base = index.find(ObjectId.fromRaw(file.bytes(at, Constants.OBJECT_ID_LENGTH)));
      at += Constants.OBJECT_ID_LENGTH;
    }
    boolean delta = type == Constants.OBJ_OFS_DELTA || type == Constants.OBJ_REF_DELTA;
    if (size < 0 || type == 0 || type == 5 || (delta && base <= 0)) {
      throw new CorruptObjectException("an object in a pack is of no kind");
    }
    return new Entry(type, size, at, base);
  }

  private static boolean isDelta(Entry entry) {
    return entry.base >= 0;
  }

  /** The type of an object, behind all differences. */
  int type(long offset) throws IOException {
    Entry entry = entry(offset);
    for (int i = 0; isDelta(entry); i++) {
      checkChain(i);
      entry = entry(entry.base);
    }
    return entry.type;
  }

  /** The size of an object, in bytes. */
  long size(long offset) throws IOException {
    Entry entry = entry(offset);
    if (!isDelta(entry)) {
      return entry.size;
    }
    byte[] head = new byte[DELTA_HEAD_BYTES];
    try (InputStream in = inflated(entry)) {
      int length = in.readNBytes(head, 0, (int) Math.min(entry.size, head.length));
      return BinaryDelta.getResultSize(Arrays.copyOf(head, length));
    } catch (IndexOutOfBoundsException e) {
      throw corrupt(e);
    }
  }

  /** Whether an object lies there as it is, so that it can be read without being held whole. */
  boolean isPlain(long offset) throws IOException {
    return !isDelta(entry(offset));
  }

  /** The bytes of an object that {@link #isPlain}. */
  InputStream stream(long offset) throws IOException {
    return inflated(entry(offset));
  }

  /**
   * Makes an object at one go, unless it lies there as it is and is larger than so many bytes; then
   * it is empty, and {@link #stream} reads it.
   */
  Optional<Whole> wholeUpTo(long offset, int maxBytes) throws IOException {
    Whole known = cached(offset);
    if (known == null) {
      Entry entry = entry(offset);
      if (!isDelta(entry) && entry.size > maxBytes) {
        return Optional.empty();
      }
    }
    return Optional.of(known == null ? whole(offset) : known);
  }

  /**
   * Makes an object, which has to be no larger than {@link #MAX_WHOLE_BYTES}.
   *
   * @throws GitException where what it is made of is larger
   */
  Whole whole(long offset) throws IOException {
    Deque<Entry> deltas = new ArrayDeque<>();
    long at = offset;
    long bytes = 0;
    Whole whole = cached(at);
    while (whole == null) {
      checkChain(deltas.size());
      Entry entry = entry(at);
      bytes += entry.size;
      if (bytes > MAX_WHOLE_BYTES) {
        throw new GitException(
            "an object of the repository is made of more than "
                + MAX_WHOLE_BYTES
                + " bytes, so it is not read");
      }
      if (isDelta(entry)) {
        deltas.push(entry);
        at = entry.base;
        whole = cached(at);
      } else {
        whole = new Whole(entry.type, inflate(entry));
        keep(at, whole);
      }
    }
    while (!deltas.isEmpty()) {
      Entry delta = deltas.pop();
      whole = new Whole(whole.type, apply(whole.bytes, inflate(delta)));
      keep(deltas.isEmpty() ? offset : deltas.peek().base, whole);
    }
    return whole;
  }

  private static byte[] apply(byte[] base, byte[] delta) throws IOException {
    try {
      if (BinaryDelta.getBaseSize(delta) != base.length) {
        throw new CorruptObjectException("a difference in a pack is from something else");
      }
      if (BinaryDelta.getResultSize(delta) > MAX_WHOLE_BYTES) {
        throw new GitException(
            "an object of the repository is larger than "
                + MAX_WHOLE_BYTES
                + " bytes, so it is not read");
      }
      return BinaryDelta.apply(base, delta);
    } catch (IndexOutOfBoundsException | IllegalArgumentException | NegativeArraySizeException e) {
      throw corrupt(e);
    }
  }

  private static void checkChain(int length) throws CorruptObjectException {
    if (length > MAX_CHAIN) {
      throw new CorruptObjectException("an object in a pack is made of too many differences");
    }
  }

  private static CorruptObjectException corrupt(Exception cause) {
    CorruptObjectException corrupt = new CorruptObjectException("an object in a pack is damaged");
    corrupt.initCause(cause);
    return corrupt;
  }

  private byte[] inflate(Entry entry) throws IOException {
    byte[] bytes = new byte[(int) entry.size];
    try (InputStream in = inflated(entry)) {
      if (in.readNBytes(bytes, 0, bytes.length) < bytes.length || in.read() >= 0) {
        throw new CorruptObjectException("an object in a pack has another size than it says");
      }
    }
    return bytes;
  }

  private synchronized @Nullable Whole cached(long offset) {
    return bases.get(offset);
  }

  private synchronized void keep(long offset, Whole whole) {
    if (whole.bytes.length > MAX_CACHED_BYTES / 4 || bases.putIfAbsent(offset, whole) != null) {
      return;
    }
    cachedBytes += whole.bytes.length;
    while (cachedBytes > MAX_CACHED_BYTES) {
      Long oldest = bases.keySet().iterator().next();
      Whole dropped = bases.remove(oldest);
      cachedBytes -= dropped == null ? 0 : dropped.bytes.length;
    }
  }

  private InputStream inflated(Entry entry) {
    return new Inflated(file, entry.data);
  }

  /** What is deflated from a place of a file on. */
  static final class Inflated extends InputStream {
    private static final int CHUNK_BYTES = 8 * 1024;

    private final PagedFile file;
    private final Inflater inflater = new Inflater();
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private final List<PagedFile> own;
    private long at;

    Inflated(PagedFile file, long at) {
      this(file, at, List.of());
    }

    /**
     * @param own what is closed with it
     */
    Inflated(PagedFile file, long at, List<PagedFile> own) {
      this.file = file;
      this.at = at;
      this.own = own;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      try {
        while (true) {
          int read = inflater.inflate(bytes, offset, length);
          if (read > 0) {
            return read;
          }
          if (inflater.finished()) {
            return -1;
          }
          if (inflater.needsDictionary()) {
            throw new CorruptObjectException(
                "an object is deflated in a way that git does not know");
          }
          int count = file.read(at, chunk, 0, chunk.length);
          at += count;
          inflater.setInput(chunk, 0, count);
        }
      } catch (DataFormatException e) {
        throw corrupt(e);
      } catch (EOFException e) {
        throw corrupt(e);
      }
    }

    @Override
    public void close() {
      inflater.end();
      own.forEach(PagedFile::close);
    }
  }
}
