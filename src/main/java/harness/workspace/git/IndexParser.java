package harness.workspace.git;

import harness.workspace.Name;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;

/** Takes the bytes of an index apart: versions 2 to 4, whole and in one file. */
final class IndexParser {
  private static final int SIGNATURE = 0x44495243; // DIRC
  private static final int HEADER_BYTES = 12;
  private static final int MODE_AT = 24;
  private static final int DIRECTORY = 040000;
  private static final int FLAGS_AT = 60;
  private static final int EXTENDED = 0x4000;
  private static final int NAME_MASK = 0xFFF;
  private static final int TREE = 0x54524545;
  private static final int LINK = 0x6C696E6B;
  private static final int SPARSE = 0x73646972;

  /** The longest path, in bytes: what Linux itself takes. */
  private static final int MAX_PATH_BYTES = 4096;

  /** All paths together, in bytes: those of version 4 are written in short. */
  private static final int MAX_PATHS_BYTES = 256 * 1024 * 1024;

  /** How deep directories may be remembered; deeper ones are looked at anew. */
  private static final int MAX_TREE_DEPTH = 512;

  private final byte[] data;
  private final ByteBuffer buffer;
  private final String shown;
  private byte[] paths = new byte[0];
  private int pathsLength;

  /**
   * @param shown the name of the file, for messages
   */
  IndexParser(byte[] data, String shown) {
    this.data = data;
    this.buffer = ByteBuffer.wrap(data);
    this.shown = shown;
  }

  IndexFile parse(long writtenNanos) throws GitException {
    try {
      return parseAll(writtenNanos);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new GitException(shown + " is damaged or cut short; git reset makes it anew", e);
    }
  }

  private IndexFile parseAll(long writtenNanos) throws GitException {
    int version = buffer.getInt(4);
    long count = Integer.toUnsignedLong(buffer.getInt(8));
    if (buffer.getInt(0) != SIGNATURE || version < 2 || version > 4) {
      throw new GitException(
          shown
              + " is of no version that is known here; git update-index --index-version 2 mends it");
    }
    if (count * (FLAGS_AT + 2) > data.length) {
      throw new GitException(
          shown + " claims more entries than it can hold; git reset makes it anew");
    }
    int entries = (int) count;
    int[] entryAt = new int[entries];
    int[] pathAt = new int[entries + 1];
    int[] extended = new int[entries];
    paths = new byte[data.length / 2];
    int at = HEADER_BYTES;
    for (int i = 0; i < entries; i++) {
      entryAt[i] = at;
      pathAt[i] = pathsLength;
      boolean wide = (buffer.getShort(at + FLAGS_AT) & EXTENDED) != 0 && version > 2;
      extended[i] = wide ? buffer.getShort(at + FLAGS_AT + 2) : 0;
      int name = at + FLAGS_AT + (wide ? 4 : 2);
      at = version == 4 ? shortPath(i, pathAt, name) : wholePath(at, name);
      pathAt[i + 1] = pathsLength;
      if (buffer.getInt(entryAt[i] + MODE_AT) == DIRECTORY) {
        throw sparse();
      }
      if (pathAt[i] == pathsLength) {
        // Only what stands in for an entry of the other file has no path.
        throw split();
      }
      checkPath(pathAt[i], pathsLength);
    }
    checkOrder(entryAt, pathAt);
    Optional<CacheTree> tree = extensions(at);
    return new IndexFile(data, paths, entryAt, pathAt, extended, tree, writtenNanos);
  }

  /** Where the next entry begins: padded with one to eight zeros to a multiple of eight. */
  private int wholePath(int entry, int name) throws GitException {
    int length = buffer.getShort(entry + FLAGS_AT) & NAME_MASK;
    int end = length < NAME_MASK ? name + length : zero(name);
    append(data, name, end);
    return entry + ((end - entry + 8) & ~7);
  }

  /** Version 4 says how much of the path before goes, and what comes in its place. */
  private int shortPath(int entry, int[] pathAt, int from) throws GitException {
    int at = from;
    int drop = data[at] & 0x7F;
    while ((data[at++] & 0x80) != 0) {
      drop = (drop + 1) << 7 | data[at] & 0x7F;
    }
    int before = entry == 0 ? 0 : pathAt[entry - 1];
    int kept = pathsLength - before - drop;
    if (drop < 0 || kept < 0) {
      throw new IllegalArgumentException("a path is shortened by more than it has");
    }
    append(paths, before, before + kept);
    int end = zero(at);
    append(data, at, end);
    return end + 1;
  }

  private int zero(int from) {
    int at = from;
    while (data[at] != 0) {
      at++;
    }
    return at;
  }

  private void append(byte[] from, int start, int end) throws GitException {
    int length = end - start;
    if (pathsLength + length > paths.length) {
      if (pathsLength + length > MAX_PATHS_BYTES) {
        throw new GitException(shown + " has paths of more than " + MAX_PATHS_BYTES + " bytes");
      }
      int larger = Math.max(paths.length * 2, pathsLength + length);
      paths = Arrays.copyOf(paths, Math.min(MAX_PATHS_BYTES, larger));
    }
    System.arraycopy(from == paths ? paths : from, start, paths, pathsLength, length);
    pathsLength += length;
  }

  /** An index is not to name what is no path, or git's own files. */
  private void checkPath(int start, int end) throws GitException {
    int name = start;
    boolean good = end > start && end - start <= MAX_PATH_BYTES;
    for (int at = start; at <= end && good; at++) {
      if (at == end || paths[at] == '/') {
        good = isName(name, at);
        name = at + 1;
      }
    }
    if (!good) {
      throw new GitException(
          shown
              + " names the path '"
              + Name.textOf(Arrays.copyOfRange(paths, start, Math.min(end, start + 200)))
              + "', which is none of a file in a worktree; git reset makes it anew");
    }
  }

  private boolean isName(int start, int end) {
    int length = end - start;
    if (length == 0 || length > Name.MAX_BYTES || paths[start] != '.') {
      return length > 0 && length <= Name.MAX_BYTES;
    }
    return switch (length) {
      case 1 -> false;
      case 2 -> paths[start + 1] != '.';
      case 4 ->
          !new String(paths, start, length, StandardCharsets.ISO_8859_1).equalsIgnoreCase(".git");
      default -> true;
    };
  }

  private void checkOrder(int[] entryAt, int[] pathAt) throws GitException {
    for (int i = 1; i < entryAt.length; i++) {
      int order =
          Arrays.compareUnsigned(paths, pathAt[i - 1], pathAt[i], paths, pathAt[i], pathAt[i + 1]);
      if (order > 0 || (order == 0 && stage(entryAt[i - 1]) >= stage(entryAt[i]))) {
        throw new GitException(shown + " is not in order; git reset makes it anew");
      }
    }
  }

  private int stage(int entry) {
    return buffer.getShort(entry + FLAGS_AT) >> 12 & 3;
  }

  private Optional<CacheTree> extensions(int from) throws GitException {
    Optional<CacheTree> tree = Optional.empty();
    int at = from;
    while (at + 8 <= data.length - Constants.OBJECT_ID_LENGTH) {
      int kind = buffer.getInt(at);
      int length = buffer.getInt(at + 4);
      if (length < 0 || at + 8 + length > data.length) {
        throw new IllegalArgumentException("an extension is longer than the file");
      }
      if (kind == TREE) {
        Trees trees = new Trees(at + 8, at + 8 + length);
        tree = trees.next(0).filter(all -> !trees.broken);
      } else {
        checkExtension(kind);
      }
      at += 8 + length;
    }
    return tree;
  }

  /** One whose name begins with a capital letter may be left out. */
  private void checkExtension(int kind) throws GitException {
    if (kind == SPARSE) {
      throw sparse();
    }
    if (kind == LINK) {
      throw split();
    }
    if ((kind >>> 24) < 'A' || (kind >>> 24) > 'Z') {
      throw new GitException(
          shown
              + " has an extension that is not known here, "
              + String.format("%08x", kind)
              + "; git reset makes it anew");
    }
  }

  private GitException split() {
    return new GitException(
        shown + " is split in two files; git update-index --no-split-index makes it one");
  }

  private GitException sparse() {
    return new GitException(
        shown + " is sparse; git sparse-checkout reapply --no-sparse-index makes it whole");
  }

  /** Reads the directories that the index remembers: each its name, sizes, id and what is below. */
  private final class Trees {
    private final int end;
    private int at;
    private boolean broken;

    Trees(int at, int end) {
      this.at = at;
      this.end = end;
    }

    Optional<CacheTree> next(int depth) {
      int name = zero(at);
      long entries = number(name + 1, ' ');
      int below = (int) number(at, '\n');
      Optional<ObjectId> id = Optional.empty();
      if (entries >= 0) {
        id = Optional.of(ObjectId.fromRaw(data, at));
        at += Constants.OBJECT_ID_LENGTH;
      }
      if (depth > MAX_TREE_DEPTH || at > end || below < 0) {
        broken = true;
        return Optional.empty();
      }
      Map<Name, CacheTree> trees = new HashMap<>();
      for (int i = 0; i < below && !broken; i++) {
        int start = at;
        Name child = Name.of(Arrays.copyOfRange(data, start, zero(start)));
        next(depth + 1).ifPresent(tree -> trees.put(child, tree));
      }
      return broken ? Optional.empty() : Optional.of(new CacheTree(id, trees));
    }

    /** The number at a place, up to its end; goes behind it. */
    private long number(int from, char ends) {
      int stop = from;
      while (data[stop] != ends) {
        stop++;
      }
      at = stop + 1;
      return Long.parseLong(new String(data, from, stop - from, StandardCharsets.US_ASCII));
    }
  }
}
