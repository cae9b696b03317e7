package harness.workspace;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Looks at very many entries, one after the other, in memory that its thread uses again for each:
 * asking the system is then nearly all that it costs.
 */
final class Glance {
  private static final int LISTING_BYTES = 32 * 1024;

  /** What stands before the name in an entry: inode (8 bytes), offset (8), its length (2), type. */
  private static final int HEADER_BYTES = 19;

  private static final ThreadLocal<Glance> OF_THREAD = ThreadLocal.withInitial(Glance::new);

  private final MemorySegment state;
  private final MemorySegment name;
  private final MemorySegment answer;
  private final MemorySegment listing;

  private Glance() {
    Arena arena = Arena.ofAuto();
    state = arena.allocate(Libc.STATE);
    name = arena.allocate(Name.MAX_BYTES + 1L);
    answer = arena.allocate(Libc.STATX_BYTES, Long.BYTES);
    listing = arena.allocate(LISTING_BYTES, Long.BYTES);
  }

  /** That of the thread; never handed to another. */
  static Glance ofThread() {
    return OF_THREAD.get();
  }

  /** What an entry is itself; empty where there is none. */
  Optional<Inode> inode(int directory, Name entry) throws IOException {
    if (entry.bytes().length > Name.MAX_BYTES) {
      return Optional.empty();
    }
    name(entry);
    int error = look(directory);
    if (error == Libc.ENOENT) {
      return Optional.empty();
    }
    if (error != 0) {
      throw Libc.failure(error, entry);
    }
    int mode = Short.toUnsignedInt(answer.get(JAVA_SHORT, 28));
    return Optional.of(
        new Inode(
            Libc.kindOfType(mode >> 12),
            mode & 07777,
            answer.get(JAVA_LONG, 40),
            answer.get(JAVA_LONG, 112),
            answer.get(JAVA_INT, 120),
            answer.get(JAVA_LONG, 96),
            answer.get(JAVA_INT, 104),
            Integer.toUnsignedLong(answer.get(JAVA_INT, 136)) << 32
                | Integer.toUnsignedLong(answer.get(JAVA_INT, 140)),
            answer.get(JAVA_LONG, 32)));
  }

  /** Opens an entry; the flags are those of {@link Libc}. */
  int open(int directory, Name entry, int flags) throws IOException {
    if (entry.bytes().length > Name.MAX_BYTES) {
      throw new NoSuchFileException(entry.toString());
    }
    name(entry);
    try {
      while (true) {
        int result =
            (int) Libc.OPENAT.call(state, directory, name.address(), flags | Libc.O_CLOEXEC, 0);
        if (result >= 0) {
          return result;
        }
        int error = (int) Libc.ERRNO.get(state, 0L);
        if (error != Libc.EINTR) {
          throw Libc.failure(error, entry);
        }
      }
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw Libc.unexpected(e);
    }
  }

  private void name(Name entry) {
    byte[] bytes = entry.bytes();
    MemorySegment.copy(bytes, 0, name, JAVA_BYTE, 0, bytes.length);
    name.set(JAVA_BYTE, bytes.length, (byte) 0);
  }

  /** The error of the system; 0 for none. */
  private int look(int directory) {
    try {
      while (true) {
        int result =
            (int)
                Libc.STATX.call(
                    state,
                    directory,
                    name.address(),
                    Libc.AT_SYMLINK_NOFOLLOW,
                    Libc.STATX_BASIC_STATS,
                    answer.address());
        int error = result == 0 ? 0 : (int) Libc.ERRNO.get(state, 0L);
        if (error != Libc.EINTR) {
          return error;
        }
      }
    } catch (Throwable e) {
      throw Libc.unexpected(e);
    }
  }

  /**
   * All entries of a directory.
   *
   * @param readable open for reading, at its start
   */
  Listing list(int readable) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream(1024);
    int count = 0;
    while (true) {
      int length = Libc.entries(readable, listing);
      if (length == 0) {
        return new Raw(all.toByteArray(), count);
      }
      byte[] some = listing.asSlice(0, length).toArray(JAVA_BYTE);
      for (int at = 0; at < length; at = next(some, at)) {
        if (!isDots(some, at + HEADER_BYTES)) {
          all.write(some, at, next(some, at) - at);
          count++;
        }
      }
    }
  }

  /** Some more entries as the system lays them out; none at the end. */
  byte[] some(int readable) throws IOException {
    int length = Libc.entries(readable, listing);
    return listing.asSlice(0, length).toArray(JAVA_BYTE);
  }

  private static int next(byte[] entries, int at) {
    return at
        + Short.toUnsignedInt(
            ByteBuffer.wrap(entries).order(ByteOrder.nativeOrder()).getShort(at + 16));
  }

  private static boolean isDots(byte[] entries, int at) {
    return entries[at] == '.'
        && (entries[at + 1] == 0 || (entries[at + 1] == '.' && entries[at + 2] == 0));
  }

  /** Entries as the system lays them out; their names are made when they are asked for. */
  private record Raw(byte[] bytes, int count) implements Listing {
    @Override
    public List<Entry> entries() {
      List<Entry> entries = new ArrayList<>(count);
      for (int at = 0; at < bytes.length; at = next(bytes, at)) {
        int end = at + HEADER_BYTES;
        while (bytes[end] != 0) {
          end++;
        }
        Name name = Name.of(Arrays.copyOfRange(bytes, at + HEADER_BYTES, end));
        entries.add(new Entry(name, Libc.kindOfType(bytes[at + HEADER_BYTES - 1])));
      }
      return entries;
    }
  }
}
