package harness.workspace.git;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import org.eclipse.jgit.diff.DiffFormatter;
import org.eclipse.jgit.diff.EditList;
import org.eclipse.jgit.diff.HistogramDiff;
import org.eclipse.jgit.diff.RawText;
import org.eclipse.jgit.diff.RawTextComparator;

/**
 * Two contents of a file, compared by lines without a repository: the hunks as {@code git diff}
 * prints them.
 *
 * @param hunks cut at the bound that was asked for
 * @param whole whether nothing was cut
 * @param added how many lines were added
 * @param deleted how many lines were deleted
 */
public record ContentDiff(String hunks, boolean whole, int added, int deleted) {
  /** The largest content that is compared by lines, in bytes. */
  public static final int MAX_BYTES = 2 * 1024 * 1024;

  /**
   * Compares UTF-8 text.
   *
   * @param maxBytes the most bytes of hunks
   * @throws InterruptedException when interrupted while the hunks are written
   */
  public static ContentDiff of(byte[] before, byte[] after, int maxBytes)
      throws InterruptedException {
    QuietSystem.install();
    RawText a = new RawText(before);
    RawText b = new RawText(after);
    // Without its fallback it takes linear time, and now and then shows more than the least.
    HistogramDiff linear = new HistogramDiff();
    linear.setFallbackAlgorithm(null);
    EditList edits = linear.diff(RawTextComparator.DEFAULT, a, b);
    BoundedOutput out = new BoundedOutput(maxBytes);
    try (DiffFormatter formatter = new PatchWriter.Headed(out, a)) {
      formatter.format(edits, a, b);
    } catch (InterruptedIOException e) {
      InterruptedException interrupted = new InterruptedException(e.getMessage());
      interrupted.initCause(e);
      throw interrupted;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ContentDiff(
        out.text(),
        out.written() <= maxBytes,
        edits.stream().mapToInt(org.eclipse.jgit.diff.Edit::getLengthB).sum(),
        edits.stream().mapToInt(org.eclipse.jgit.diff.Edit::getLengthA).sum());
  }
}
