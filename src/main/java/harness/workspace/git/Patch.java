package harness.workspace.git;

import java.io.IOException;
import org.eclipse.jgit.attributes.Attribute;
import org.eclipse.jgit.diff.ContentSource;
import org.eclipse.jgit.diff.DiffAlgorithm;
import org.eclipse.jgit.diff.DiffEntry;
import org.eclipse.jgit.diff.Edit;
import org.eclipse.jgit.diff.EditList;
import org.eclipse.jgit.diff.HistogramDiff;
import org.eclipse.jgit.diff.MyersDiff;
import org.eclipse.jgit.diff.RawText;
import org.eclipse.jgit.diff.RawTextComparator;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectLoader;
import org.jspecify.annotations.Nullable;

/**
 * One change with the lines that it changes.
 *
 * @param kind how the two versions can be compared
 * @param before the old version; empty where there is none or it is not compared by lines
 * @param after the new version; likewise
 * @param edits which lines differ
 * @param bytesBefore the size of the old version
 * @param bytesAfter the size of the new version
 */
record Patch(
    DiffEntry change,
    Kind kind,
    RawText before,
    RawText after,
    EditList edits,
    long bytesBefore,
    long bytesAfter) {
  /** The largest file that is compared by lines, in bytes. */
  static final int MAX_BYTES = 8 * 1024 * 1024;

  /** From this many lines on a faster way is taken, which sometimes finds more than the least. */
  private static final int MAX_LINES_FOR_LEAST = 10_000;

  /** As git does, a file counts as binary if there is a zero among its first bytes. */
  private static final int TEXT_PROBE_BYTES = 8000;

  /** How two versions compare. */
  enum Kind {
    LINES,
    BINARY,
    TOO_LARGE
  }

  static Patch of(DiffEntry change, ContentSource.Pair contents) throws IOException {
    Side before = side(change, DiffEntry.Side.OLD, contents);
    Side after = side(change, DiffEntry.Side.NEW, contents);
    Kind kind = kind(before, after, change.getDiffAttribute());
    boolean lines = kind == Kind.LINES;
    RawText a = lines ? new RawText(before.content) : RawText.EMPTY_TEXT;
    RawText b = lines ? new RawText(after.content) : RawText.EMPTY_TEXT;
    return new Patch(change, kind, a, b, edits(a, b), before.bytes, after.bytes);
  }

  /** How many lines it adds. */
  int added() {
    return edits.stream().mapToInt(Edit::getLengthB).sum();
  }

  /** How many lines it deletes. */
  int deleted() {
    return edits.stream().mapToInt(Edit::getLengthA).sum();
  }

  private static Kind kind(Side before, Side after, @Nullable Attribute diff) {
    if (diff != null && diff.getState() == Attribute.State.UNSET) {
      return Kind.BINARY;
    }
    if (before.bytes > MAX_BYTES || after.bytes > MAX_BYTES) {
      return Kind.TOO_LARGE;
    }
    boolean text = diff != null && diff.getState() == Attribute.State.SET;
    boolean binary = looksBinary(before.content) || looksBinary(after.content);
    return binary && !text ? Kind.BINARY : Kind.LINES;
  }

  private static boolean looksBinary(byte[] content) {
    for (int i = 0; i < Math.min(content.length, TEXT_PROBE_BYTES); i++) {
      if (content[i] == 0) {
        return true;
      }
    }
    return false;
  }

  private static EditList edits(RawText a, RawText b) {
    HistogramDiff fast = new HistogramDiff();
    fast.setFallbackAlgorithm(null);
    boolean small = Math.max(a.size(), b.size()) <= MAX_LINES_FOR_LEAST;
    DiffAlgorithm algorithm = small ? MyersDiff.INSTANCE : fast;
    return algorithm.diff(RawTextComparator.DEFAULT, a, b);
  }

  /** A version: its size, and its content unless it is too large. */
  private record Side(byte[] content, long bytes) {}

  private static Side side(DiffEntry change, DiffEntry.Side side, ContentSource.Pair contents)
      throws IOException {
    FileMode mode = change.getMode(side);
    if (mode.equals(FileMode.MISSING)) {
      return new Side(new byte[0], 0);
    }
    if (mode.equals(FileMode.GITLINK)) {
      byte[] line =
          Constants.encodeASCII(
              "Subproject commit "
                  + change.getId(side).toObjectId().name()
                  + (side == DiffEntry.Side.NEW && Change.isDirty(change) ? "-dirty" : "")
                  + "\n");
      return new Side(line, line.length);
    }
    ObjectLoader loader = contents.open(side, change);
    long size = loader.getSize();
    if (size > MAX_BYTES) {
      return new Side(new byte[0], size);
    }
    try (var in = loader.openStream()) {
      byte[] content = in.readNBytes(MAX_BYTES + 1);
      return new Side(content, content.length);
    }
  }
}
