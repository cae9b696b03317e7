package harness.tool;

import harness.workspace.git.ContentDiff;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Shows what a call changed in a file, as the hunks of a unified diff. */
final class Change {
  /** The most bytes of a diff in a result: it is to confirm, not to be read through. */
  static final int MAX_DIFF_BYTES = 8 * 1024;

  private static final String MARK = "\uFEFF";

  private Change() {}

  /** Adds what changed to a result; the encoding is that of what was there. */
  static void show(Output output, byte[] before, byte[] after) throws InterruptedException {
    Encoding encoding = Encoding.of(before.length == 0 ? after : before);
    if (Math.max(before.length, after.length) > ContentDiff.MAX_BYTES) {
      output.note(
          "the change is not shown: only files of at most "
              + ContentDiff.MAX_BYTES
              + " bytes are compared by lines");
      return;
    }
    if (!encoding.utf16() && (binary(before) || binary(after))) {
      output.note("the change is not shown: the file is binary");
      return;
    }
    ContentDiff diff =
        ContentDiff.of(utf8(before, encoding), utf8(after, encoding), MAX_DIFF_BYTES);
    diff.hunks().lines().forEach(output::line);
    if (!diff.whole()) {
      output.note(
          "the diff is cut at "
              + MAX_DIFF_BYTES
              + " bytes; in all "
              + diff.added()
              + " lines were added and "
              + diff.deleted()
              + " deleted; read shows what is there now");
    }
  }

  /**
   * The hunks of a change, whole.
   *
   * @param maxBytes the most bytes that they may have
   * @return empty where they have more, or where the contents are not compared by lines
   */
  static Optional<String> hunks(byte[] before, byte[] after, int maxBytes)
      throws InterruptedException {
    Encoding encoding = Encoding.of(before.length == 0 ? after : before);
    boolean lines = encoding.utf16() || !(binary(before) || binary(after));
    if (!lines || Math.max(before.length, after.length) > ContentDiff.MAX_BYTES) {
      return Optional.empty();
    }
    ContentDiff diff = ContentDiff.of(utf8(before, encoding), utf8(after, encoding), maxBytes);
    return diff.whole() ? Optional.of(diff.hunks()) : Optional.empty();
  }

  private static boolean binary(byte[] content) {
    for (byte b : content) {
      if (b == 0) {
        return true;
      }
    }
    return false;
  }

  private static byte[] utf8(byte[] content, Encoding encoding) {
    if (encoding.equals(Encoding.UTF_8)) {
      return content;
    }
    String text = new String(content, encoding.charset());
    return (text.startsWith(MARK) ? text.substring(1) : text).getBytes(StandardCharsets.UTF_8);
  }
}
