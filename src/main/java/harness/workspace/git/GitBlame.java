package harness.workspace.git;

import java.util.List;
import java.util.Optional;

/**
 * Who wrote which line of a file.
 *
 * @param lines those that were asked for
 * @param all how many the file has
 * @param committed whether it is HEAD's version, because the worktree has none
 * @param known whether every line's origin was found in the time there was
 */
public record GitBlame(List<Line> lines, int all, boolean committed, boolean known) {
  public GitBlame {
    lines = List.copyOf(lines);
  }

  /**
   * A line.
   *
   * @param number from 1
   * @param origin the commit that it came with; empty where it is in none, or in none that is known
   */
  public record Line(int number, Optional<GitLog.Commit> origin, String text) {}
}
