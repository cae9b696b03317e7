package harness.workspace.git;

import java.util.List;

/**
 * Commits, the newest first.
 *
 * @param more whether there are older ones
 */
public record GitLog(List<Commit> commits, boolean more) {
  public GitLog {
    commits = List.copyOf(commits);
  }

  /**
   * A commit.
   *
   * @param id its whole id in hexadecimal
   * @param shortId as many of its digits as git shows
   * @param date the author's day, {@code 2026-01-31}, in the author's time zone
   * @param author the author's name
   * @param subject the first paragraph of its message, in one line
   */
  public record Commit(String id, String shortId, String date, String author, String subject) {}
}
