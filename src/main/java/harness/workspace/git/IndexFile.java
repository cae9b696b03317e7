package harness.workspace.git;

import harness.workspace.FileHandle;
import harness.workspace.Inode;
import harness.workspace.Name;
import harness.workspace.Way;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;

/**
 * The index of a worktree, read once. Its entries stay bytes; they are asked for by their number,
 * which follows git's order of paths.
 */
final class IndexFile {
  /** The largest index that is read, in bytes. */
  static final int MAX_BYTES = 256 * 1024 * 1024;

  private static final int STAGE_SHIFT = 12;

  /**
   * How long after a change of a file another one may have the same time, in nanoseconds: some
   * ticks of the system's clock.
   */
  private static final long UNSEEN_NANOS = 20_000_000;

  private static final byte[] EMPTY_BLOB =
      HexFormat.of().parseHex("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");

  private static final int ID_AT = 40;
  private static final int MODIFIED_AT = 8;
  private static final int SIZE_AT = 36;
  private static final int INODE_AT = 20;
  private static final int MODE_AT = 24;
  private static final int ASSUME_VALID = 0x8000;
  private static final int SKIP_WORKTREE = 0x4000;
  private static final int INTENT_TO_ADD = 0x2000;

  private final byte[] data;
  private final byte[] paths;
  private final int[] entryAt;
  private final int[] pathAt;
  private final int[] extendedFlags;
  private final Optional<CacheTree> cacheTree;
  private final long writtenSecond;
  private final int writtenNano;

  /**
   * @param entryAt where each entry begins in the data
   * @param pathAt where each path begins in the paths, and at last where the last one ends
   */
  IndexFile(
      byte[] data,
      byte[] paths,
      int[] entryAt,
      int[] pathAt,
      int[] extendedFlags,
      Optional<CacheTree> cacheTree,
      long writtenNanos) {
    this.data = data;
    this.paths = paths;
    this.entryAt = entryAt;
    this.pathAt = pathAt;
    this.extendedFlags = extendedFlags;
    this.cacheTree = cacheTree;
    this.writtenSecond = Math.floorDiv(writtenNanos, 1_000_000_000L);
    this.writtenNano = (int) Math.floorMod(writtenNanos, 1_000_000_000L);
  }

  /** Reads the index of a worktree; an empty one where there is none. */
  static IndexFile read(Way gitDir) throws IOException {
    Optional<FileHandle> file = GitFile.open(gitDir, "index");
    if (file.isEmpty()) {
      return new IndexFile(
          new byte[0], new byte[0], new int[0], new int[1], new int[0], Optional.empty(), 0);
    }
    String shown = gitDir.path() + "/index";
    try (FileHandle opened = file.get()) {
      byte[] data = GitFile.bytes(opened, shown, MAX_BYTES);
      return new IndexParser(data, shown).parse(opened.status().modifiedNanos());
    }
  }

  int size() {
    return entryAt.length;
  }

  /** Its directories with the ids of their trees, as far as they are known. */
  Optional<CacheTree> cacheTree() {
    return cacheTree;
  }

  byte[] path(int entry) {
    return Arrays.copyOfRange(paths, pathAt[entry], pathAt[entry + 1]);
  }

  /** A part of its path. */
  byte[] path(int entry, int from, int to) {
    return Arrays.copyOfRange(paths, pathAt[entry] + from, pathAt[entry] + to);
  }

  /** A path in the form of {@link Name}. */
  String text(int entry) {
    return Name.textOf(path(entry));
  }

  int pathLength(int entry) {
    return pathAt[entry + 1] - pathAt[entry];
  }

  /** Where the name ends that begins at a place of its path. */
  int nameEnd(int entry, int from) {
    int end = pathAt[entry + 1];
    int at = pathAt[entry] + from;
    while (at < end && paths[at] != '/') {
      at++;
    }
    return at - pathAt[entry];
  }

  /** Whether its path begins as that of another does. */
  boolean sharesPrefix(int entry, int other, int length) {
    return pathLength(entry) >= length
        && Arrays.equals(
            paths,
            pathAt[entry],
            pathAt[entry] + length,
            paths,
            pathAt[other],
            pathAt[other] + length);
  }

  /** Whether both are stages of one path. */
  boolean sharesPath(int entry, int other) {
    int length = pathLength(other);
    return pathLength(entry) == length && sharesPrefix(entry, other, length);
  }

  /** The first entry from a place on that has another path. */
  int endOfPath(int first, int limit) {
    int next = first + 1;
    while (next < limit && sharesPath(next, first)) {
      next++;
    }
    return next;
  }

  /**
   * The first entry from a place on whose path does not begin as that of the first does.
   *
   * @param length how much of the path is looked at
   */
  int endOfPrefix(int first, int length, int limit) {
    // Most directories are small, so it looks near first.
    int step = 1;
    int low = first;
    while (low + step < limit && sharesPrefix(low + step, first, length)) {
      low += step;
      step *= 2;
    }
    int high = Math.min(limit, low + step);
    while (low + 1 < high) {
      int middle = (low + high) >>> 1;
      if (sharesPrefix(middle, first, length)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low + 1;
  }

  /** The place of the first entry whose path is not before this one. */
  int find(byte[] path) {
    int low = 0;
    int high = size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(middle, path) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int compare(int entry, byte[] path) {
    return Arrays.compareUnsigned(paths, pathAt[entry], pathAt[entry + 1], path, 0, path.length);
  }

  boolean hasPath(int entry, byte[] path) {
    return entry < size() && compare(entry, path) == 0;
  }

  /** Whether its path begins as the bytes do. */
  boolean isBelow(int entry, byte[] prefix) {
    return entry < size()
        && pathLength(entry) >= prefix.length
        && Arrays.equals(
            paths, pathAt[entry], pathAt[entry] + prefix.length, prefix, 0, prefix.length);
  }

  /** What it begins with, up to its flags. */
  byte[] head(int entry) {
    int at = entryAt[entry];
    return Arrays.copyOfRange(data, at, at + ID_AT + Constants.OBJECT_ID_LENGTH);
  }

  int extendedFlags(int entry) {
    return extendedFlags[entry];
  }

  /**
   * Whether its file changed last in the second in which the index was written, or later: who looks
   * at whole seconds only can't tell a change after that by them.
   */
  boolean changedInTheSecond(int entry) {
    return Integer.toUnsignedLong(int32(entryAt[entry] + MODIFIED_AT)) >= writtenSecond;
  }

  /** Its mode as git's trees have it. */
  int mode(int entry) {
    return int32(entryAt[entry] + MODE_AT);
  }

  ObjectId id(int entry) {
    return ObjectId.fromRaw(data, entryAt[entry] + ID_AT);
  }

  /** Whether it has the id whose bytes are given. */
  boolean hasId(int entry, byte[] raw, int at) {
    int id = entryAt[entry] + ID_AT;
    int length = Constants.OBJECT_ID_LENGTH;
    return Arrays.equals(data, id, id + length, raw, at, at + length);
  }

  /**
   * Whether a file looks as it did when its content was that of the entry, as git judges it: by
   * what the system says of it, unless it changed in the second in which the index was written, or
   * just before, so that it may have changed again unseen.
   *
   * @param inode of the same kind as the entry
   */
  boolean looksUnchanged(int entry, Inode inode, StatRules rules) {
    int at = entryAt[entry];
    int size = int32(at + SIZE_AT);
    if (size != (int) inode.size() || (size == 0 && !hasId(entry, EMPTY_BLOB, 0))) {
      return false;
    }
    int nano = rules.seconds() ? 0 : int32(at + MODIFIED_AT + 4);
    if (int32(at + MODIFIED_AT) != (int) inode.modifiedSecond()
        || (nano != 0 && nano != inode.modifiedNano())) {
      return false;
    }
    return !mayHaveChangedUnseen(inode) && (rules.seconds() || hasSameInode(at, inode, rules));
  }

  /** Whether the file's size alone tells that it is another than the index has. */
  boolean hasOtherSize(int entry, Inode inode) {
    int size = int32(entryAt[entry] + SIZE_AT);
    return size != 0 && size != (int) inode.size();
  }

  private boolean hasSameInode(int at, Inode inode, StatRules rules) {
    int number = int32(at + INODE_AT);
    int second = rules.changeTime() ? int32(at) : 0;
    int nano = int32(at + 4);
    return (number == 0 || number == (int) inode.number())
        && (second == 0
            || (second == (int) inode.changedSecond()
                && (nano == 0 || nano == inode.changedNano())));
  }

  private boolean mayHaveChangedUnseen(Inode inode) {
    long seconds = writtenSecond - inode.modifiedSecond();
    return seconds <= 0
        || (seconds == 1 && 1_000_000_000L + writtenNano - inode.modifiedNano() <= UNSEEN_NANOS);
  }

  /** Of an entry that conflicts: 1 the ancestor, 2 ours, 3 theirs; else 0. */
  int stage(int entry) {
    return (flags(entry) >> STAGE_SHIFT) & 3;
  }

  /** Whether its file counts as unmodified whatever it is. */
  boolean isUnwatched(int entry) {
    return (flags(entry) & ASSUME_VALID) != 0 || (extendedFlags[entry] & SKIP_WORKTREE) != 0;
  }

  /** Whether it only intends to be added. */
  boolean isIntended(int entry) {
    return (extendedFlags[entry] & INTENT_TO_ADD) != 0;
  }

  int flags(int entry) {
    int at = entryAt[entry] + ID_AT + Constants.OBJECT_ID_LENGTH;
    return (data[at] & 0xFF) << 8 | data[at + 1] & 0xFF;
  }

  private int int32(int at) {
    return (data[at] & 0xFF) << 24
        | (data[at + 1] & 0xFF) << 16
        | (data[at + 2] & 0xFF) << 8
        | data[at + 3] & 0xFF;
  }
}
