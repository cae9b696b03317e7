package harness.workspace.git;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The message of a commit, tidied as git does it: no space at the ends of lines, no empty line at
 * either end, never two in a row; its trailers in one block at the end.
 *
 * @param text ends in a line feed
 */
record CommitMessage(String text) {
  /** The longest message that is taken, in characters. */
  static final int MAX_CHARS = 64 * 1024;

  private static final Pattern TRAILER = Pattern.compile("[A-Za-z0-9-]+: \\S.*|[ \\t]+\\S.*");

  /**
   * @param written what the author wrote
   * @param trailers lines {@code Name: value}; one that is there already is not repeated
   * @throws GitException where the message says nothing, or can't be kept
   */
  static CommitMessage of(String written, List<String> trailers) throws GitException {
    if (written.length() > MAX_CHARS) {
      throw new GitException(
          "the message has "
              + written.length()
              + " characters; at most "
              + MAX_CHARS
              + " are taken");
    }
    if (written.indexOf('\0') >= 0) {
      throw new GitException("the message holds a NUL, which git can't keep; leave it out");
    }
    List<String> lines = new ArrayList<>();
    for (String line : written.split("\\r?\\n|\\r", -1)) {
      String tidy = line.stripTrailing();
      if (!tidy.isEmpty() || (!lines.isEmpty() && !lines.getLast().isEmpty())) {
        lines.add(tidy);
      }
    }
    if (!lines.isEmpty() && lines.getLast().isEmpty()) {
      lines.removeLast();
    }
    if (lines.isEmpty()) {
      throw new GitException("the message is empty; say in a line what the commit does");
    }
    List<String> missing = trailers.stream().filter(trailer -> !lines.contains(trailer)).toList();
    if (!missing.isEmpty() && !endsInTrailers(lines)) {
      lines.add("");
    }
    lines.addAll(missing);
    return new CommitMessage(String.join("\n", lines) + "\n");
  }

  /** Whether its last paragraph, which is not its only one, is a block of trailers. */
  private static boolean endsInTrailers(List<String> lines) {
    int empty = lines.lastIndexOf("");
    return empty > 0
        && lines.subList(empty + 1, lines.size()).stream()
            .allMatch(line -> TRAILER.matcher(line).matches());
  }

  /** Its first line. */
  String subject() {
    return text.lines().findFirst().orElse("");
  }
}
