package harness.workspace.git;

import java.util.List;

/**
 * The state of a worktree, in the words of {@code git status --porcelain}.
 *
 * @param branch what follows {@code ## }: the branch and how far it is from its upstream, {@code No
 *     commits yet on BRANCH} or {@code HEAD (no branch)}
 * @param entries changed paths in git's order, untracked ones last
 * @param more how many paths differ besides the entries, where there were too many to keep
 */
public record GitStatus(String branch, List<Entry> entries, long more) {
  public GitStatus {
    entries = List.copyOf(entries);
  }

  /**
   * A path that is not as the last commit has it.
   *
   * @param code two letters: the index against HEAD, then the worktree against the index; {@code
   *     ??} untracked; {@code U}, {@code AA} or {@code DD} in a conflict
   * @param path from the top of the worktree; a directory ends with a slash
   * @param from where it was renamed from; empty where it was not
   */
  public record Entry(String code, String path, String from) {}

  /** The lines as git prints them, with paths from the top of the worktree. */
  public List<String> lines() {
    return lines(new PathDisplay(""));
  }

  List<String> lines(PathDisplay display) {
    return entries.stream()
        .map(
            entry ->
                entry.code()
                    + " "
                    + (entry.from().isEmpty() ? "" : display.shown(entry.from()) + " -> ")
                    + display.shown(entry.path()))
        .toList();
  }
}
