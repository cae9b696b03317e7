package harness.workspace.git;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.eclipse.jgit.diff.DiffEntry;
import org.eclipse.jgit.diff.DiffFormatter;
import org.eclipse.jgit.diff.RawText;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;
import org.jspecify.annotations.Nullable;

/** Writes patches as {@code git diff} prints them. */
final class PatchWriter {
  private static final int MIN_ABBREVIATION = 7;
  private static final int MAX_HEADING_BYTES = 80;
  private static final String NOTHING = "/dev/null";

  private final ObjectReader reader;
  private final OutputStream out;
  private final int abbreviation;

  PatchWriter(Repository repository, ObjectReader reader, OutputStream out) {
    this.reader = reader;
    this.out = out;
    this.abbreviation = abbreviation(repository);
  }

  /** As many digits as git takes for so many objects. */
  static int abbreviation(Repository repository) {
    long objects = Math.max(0, repository.getObjectDatabase().getApproximateObjectCount());
    int bits = Long.SIZE - Long.numberOfLeadingZeros(objects);
    return Math.max(MIN_ABBREVIATION, (bits + 1) / 2);
  }

  void write(Patch patch) throws IOException {
    DiffEntry change = patch.change();
    header(change);
    boolean sameId = change.getOldId().equals(change.getNewId());
    if (sameId && !Change.isDirty(change)) {
      return;
    }
    if (!sameId) {
      index(change);
    }
    boolean added = change.getChangeType() == DiffEntry.ChangeType.ADD;
    boolean deleted = change.getChangeType() == DiffEntry.ChangeType.DELETE;
    String before = added ? NOTHING : quoted("a/" + change.getOldPath());
    String after = deleted ? NOTHING : quoted("b/" + change.getNewPath());
    switch (patch.kind()) {
      case LINES -> {
        if (!patch.edits().isEmpty()) {
          print("--- " + tabbed(before) + "\n+++ " + tabbed(after) + "\n");
          hunks(patch);
        }
      }
      case BINARY -> print("Binary files " + before + " and " + after + " differ\n");
      case TOO_LARGE ->
          print(
              "Files "
                  + before
                  + " and "
                  + after
                  + " differ; they are not compared by lines, since one is larger than "
                  + Patch.MAX_BYTES
                  + " bytes\n");
    }
  }

  private void header(DiffEntry change) throws IOException {
    String path = Change.path(change);
    DiffEntry.ChangeType type = change.getChangeType();
    String old = type == DiffEntry.ChangeType.ADD ? path : change.getOldPath();
    print("diff --git " + quoted("a/" + old) + " " + quoted("b/" + path) + "\n");
    FileMode before = change.getOldMode();
    FileMode after = change.getNewMode();
    switch (type) {
      case ADD -> print("new file mode " + octal(after) + "\n");
      case DELETE -> print("deleted file mode " + octal(before) + "\n");
      case MODIFY, RENAME, COPY -> {
        if (!before.equals(after)) {
          print("old mode " + octal(before) + "\nnew mode " + octal(after) + "\n");
        }
      }
    }
    if (type == DiffEntry.ChangeType.RENAME) {
      print("similarity index " + change.getScore() + "%\n");
      print("rename from " + quoted(old) + "\nrename to " + quoted(path) + "\n");
    }
  }

  private void index(DiffEntry change) throws IOException {
    boolean sameMode = change.getOldMode().equals(change.getNewMode());
    print(
        "index "
            + abbreviated(change.getOldId().toObjectId())
            + ".."
            + abbreviated(change.getNewId().toObjectId())
            + (sameMode ? " " + octal(change.getNewMode()) : "")
            + "\n");
  }

  private void hunks(Patch patch) throws IOException {
    try (DiffFormatter formatter = new Headed(out, patch.before())) {
      formatter.format(patch.edits(), patch.before(), patch.after());
    }
  }

  private String abbreviated(ObjectId id) throws IOException {
    return id.equals(ObjectId.zeroId())
        ? id.name().substring(0, abbreviation)
        : reader.abbreviate(id, abbreviation).name();
  }

  private static String octal(FileMode mode) {
    String octal = Integer.toOctalString(mode.getBits());
    return "0".repeat(Math.max(0, 6 - octal.length())) + octal;
  }

  private static String quoted(String path) {
    return PathDisplay.quoted(path);
  }

  /** git ends such a line with a tab, so that a space in the name is not taken for its end. */
  private static String tabbed(String path) {
    return path.contains(" ") ? path + "\t" : path;
  }

  private void print(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Ends each hunk's header with the last line before it that looks like a function's first. */
  static final class Headed extends DiffFormatter {
    private final RawText before;

    /** What was found for the last hunk, and the line that the search for it began at. */
    private byte[] heading = new byte[0];

    private int searched = -1;

    Headed(OutputStream out, RawText before) {
      super(out);
      this.before = before;
    }

    @Override
    protected void writeHunkHeader(
        int aStart, int aEnd, int bStart, int bEnd, @Nullable String function) throws IOException {
      String range = "@@ -" + range(aStart, aEnd) + " +" + range(bStart, bEnd) + " @@";
      OutputStream out = getOutputStream();
      out.write(range.getBytes(StandardCharsets.US_ASCII));
      for (int line = aStart - 1; line > searched; line--) {
        ByteBuffer content = before.getRawString(line);
        if (content.hasRemaining() && startsFunction(content.get(content.position()))) {
          heading = cut(content);
          break;
        }
      }
      searched = Math.max(searched, aStart - 1);
      if (heading.length > 0) {
        out.write(' ');
        out.write(heading);
      }
      out.write('\n');
    }

    private static String range(int start, int end) {
      int count = end - start;
      int first = count == 0 ? start : start + 1;
      return count == 1 ? String.valueOf(first) : first + "," + count;
    }

    private static boolean startsFunction(byte first) {
      return first == '_'
          || first == '$'
          || (first >= 'a' && first <= 'z')
          || (first >= 'A' && first <= 'Z');
    }

    private static byte[] cut(ByteBuffer content) {
      byte[] line = new byte[Math.min(content.remaining(), MAX_HEADING_BYTES)];
      content.get(line);
      int end = line.length;
      while (end > 0 && Character.isWhitespace(line[end - 1])) {
        end--;
      }
      return Arrays.copyOf(line, end);
    }
  }
}
