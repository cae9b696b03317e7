package harness.tool;

import static java.util.stream.Collectors.joining;

import java.util.List;

/**
 * What a call would change. It is accepted by the same call in the mode {@link Mode#ACCEPT}, with
 * {@code madeFrom} as what is seen.
 *
 * @param files at least one; their diffs have at most {@value #MAX_DIFF_BYTES} bytes together
 * @param madeFrom the versions of the files that it was made from
 * @param becomes the versions that the files have once it is accepted; by which one that was
 *     accepted before, and not recorded, is known
 */
public record Proposal(List<Proposed> files, Seen madeFrom, Seen becomes) {
  /** The most bytes of the diffs of one call: more than that nobody would look through. */
  public static final int MAX_DIFF_BYTES = 256 * 1024;

  public Proposal {
    files = List.copyOf(files);
  }

  /** The paths of the files, separated by commas. */
  public String paths() {
    return files.stream().map(Proposed::path).collect(joining(", "));
  }

  /** The diffs of all files as one. */
  public String diff() {
    return files.stream().map(Proposed::diff).collect(joining());
  }

  /**
   * What would become of one file.
   *
   * @param path its path afterwards, or before where it would be gone, relative to the working
   *     directory
   * @param diff as git shows it
   */
  public record Proposed(String path, String diff) {}
}
