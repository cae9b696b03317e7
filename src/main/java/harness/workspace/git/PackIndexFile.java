package harness.workspace.git;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.lib.AbbreviatedObjectId;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;

/** Where the objects of a pack lie in it, as the index beside it says; looked up in the file. */
final class PackIndexFile {
  private static final int SIGNATURE = 0xFF744F63;
  private static final int BUCKETS = 256;
  private static final int FAN_OUT_BYTES = BUCKETS * Integer.BYTES;
  private static final int ID_BYTES = Constants.OBJECT_ID_LENGTH;

  /** A table of the newer form: signature and version, then ids, checksums and offsets. */
  private static final int HEADER_BYTES = 8;

  private final PagedFile file;
  private final boolean old;
  private final int[] fanOut = new int[BUCKETS];

  /** Of a file that stays open as long as it is looked into. */
  PackIndexFile(PagedFile file) throws IOException {
    this.file = file;
    this.old = file.size() < HEADER_BYTES || file.int32(0) != SIGNATURE;
    if (!old && file.int32(Integer.BYTES) != 2) {
      throw new CorruptObjectException("the index of a pack has a version that is not known here");
    }
    long at = old ? 0 : HEADER_BYTES;
    int last = 0;
    for (int i = 0; i < BUCKETS; i++) {
      fanOut[i] = file.int32(at + (long) i * Integer.BYTES);
      if (fanOut[i] < last) {
        throw new CorruptObjectException("the index of a pack is not in order");
      }
      last = fanOut[i];
    }
    long least = (long) last * (old ? ID_BYTES + 4 : ID_BYTES + 8) + FAN_OUT_BYTES;
    if (file.size() < least) {
      throw new CorruptObjectException("the index of a pack claims more than it can hold");
    }
  }

  int count() {
    return fanOut[BUCKETS - 1];
  }

  /** Where the object begins in the pack; -1 where the pack does not have it. */
  long find(AnyObjectId id) throws IOException {
    byte[] wanted = new byte[ID_BYTES];
    id.copyRawTo(wanted, 0);
    int first = wanted[0] & 0xFF;
    int low = first == 0 ? 0 : fanOut[first - 1];
    int high = fanOut[first];
    while (low < high) {
      int middle = (low + high) >>> 1;
      int order = Arrays.compareUnsigned(id(middle), wanted);
      if (order == 0) {
        return offset(middle);
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return -1;
  }

  /**
   * Adds the ids that begin so.
   *
   * @param limit how many there may be in all
   */
  void resolve(Collection<ObjectId> into, AbbreviatedObjectId prefix, int limit)
      throws IOException {
    int first = prefix.getFirstByte();
    int low = first == 0 ? 0 : fanOut[first - 1];
    int end = fanOut[first];
    int high = end;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (prefix.prefixCompare(id(middle), 0) > 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    for (; low < end && into.size() < limit; low++) {
      byte[] id = id(low);
      if (prefix.prefixCompare(id, 0) != 0) {
        return;
      }
      into.add(ObjectId.fromRaw(id));
    }
  }

  private byte[] id(int number) throws IOException {
    return old
        ? file.bytes(FAN_OUT_BYTES + number * (ID_BYTES + 4L) + 4, ID_BYTES)
        : file.bytes(HEADER_BYTES + FAN_OUT_BYTES + (long) number * ID_BYTES, ID_BYTES);
  }

  private long offset(int number) throws IOException {
    if (old) {
      return Integer.toUnsignedLong(file.int32(FAN_OUT_BYTES + number * (ID_BYTES + 4L)));
    }
    long ids = HEADER_BYTES + FAN_OUT_BYTES + (long) count() * ID_BYTES;
    long offsets = ids + (long) count() * Integer.BYTES;
    int offset = file.int32(offsets + (long) number * Integer.BYTES);
    if (offset >= 0) {
      return offset;
    }
    // A pack beyond 2 GiB keeps its far offsets in a table of their own.
    long far = offsets + (long) count() * Integer.BYTES;
    return file.int64(far + (offset & 0x7FFFFFFFL) * Long.BYTES);
  }
}
