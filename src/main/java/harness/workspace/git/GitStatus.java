package harness.workspace.git;

import java.util.List;

/**
 * The state of a worktree, in the words of {@code git status --short}.
 *
 * @param branch what follows {@code ## }: the branch and how far it is from its upstream, {@code No
 *     commits yet on BRANCH} or {@code HEAD (no branch)}
 * @param entries changed paths in git's order, untracked ones last
 * @param more how many paths differ besides the entries, where there were too many to keep
 * @param filtered how many changed paths have a filter, which is not run, so that the file counts
 *     as it is
 */
public record GitStatus(String branch, List<Entry> entries, long more, int filtered) {
  public GitStatus {
    entries = List.copyOf(entries);
  }

  /**
   * A path that is not as the last commit has it.
   *
   * @param code two letters: the index against HEAD, then the worktree against the index; {@code
   *     ??} untracked; {@code U}, {@code AA} or {@code DD} in a conflict; of a repository inside
   *     {@code m} where its files are changed, {@code ?} where it has untracked ones
   * @param path from the top of the worktree; a directory ends with a slash
   * @param from where it was renamed from; empty where it was not
   */
  public record Entry(String code, String path, String from) {}

  /**
   * The lines as {@code git status --porcelain} prints them: with paths from the top of the
   * worktree, and without telling apart how a repository inside is changed.
   */
  public List<String> lines() {
    PathDisplay display = new PathDisplay("");
    return entries.stream().map(entry -> porcelain(entry.code()) + shown(entry, display)).toList();
  }

  /** The lines as {@code git status --short} prints them. */
  List<String> lines(PathDisplay display) {
    return entries.stream().map(entry -> entry.code() + shown(entry, display)).toList();
  }

  private static String porcelain(String code) {
    return code.equals("??") ? code : code.replace('m', 'M').replace('?', 'M');
  }

  private static String shown(Entry entry, PathDisplay display) {
    String from = entry.from().isEmpty() ? "" : display.shown(entry.from()) + " -> ";
    return " " + from + display.shown(entry.path());
  }
}
