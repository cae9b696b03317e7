package harness.workspace.git;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jgit.diff.ContentSource;
import org.eclipse.jgit.diff.DiffEntry;
import org.eclipse.jgit.lib.BranchConfig;
import org.eclipse.jgit.lib.BranchTrackingStatus;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;

/** Turns rows into the two letters of git's short status. */
final class StatusReader {
  /** By the stages that an unmerged path has, what git calls it. */
  private static final List<String> UNMERGED =
      List.of("", "DD", "AU", "UD", "UA", "DU", "AA", "UU");

  private StatusReader() {}

  static GitStatus read(GitDirs dirs, Repository repository)
      throws IOException, InterruptedException {
    Worktree worktree = Worktree.open(dirs, repository);
    Scanners.Found found =
        Scanners.scan(worktree.task(PathFilter.ALL, false, Submodules.Looks.AT_ALL));
    try (ObjectReader reader = repository.newObjectReader()) {
      List<BaseDiff.Found> base =
          BaseDiff.between(reader, GitView.headTree(repository), worktree.index(), PathFilter.ALL);
      Rows rows = Rows.of(base, worktree.index(), Optional.of(found), PathFilter.ALL, false);
      List<DiffEntry> staged = staged(repository, reader, rows.changed());
      return status(branch(repository), rows, staged, filtered(worktree, rows.changed()));
    }
  }

  private static int filtered(Worktree worktree, List<Row> rows) throws IOException {
    int filtered = 0;
    for (Row row : rows) {
      boolean changed = !row.work().missing() && !row.work().equals(row.index());
      if (changed && CheckIn.filter(worktree.attributes().of(row.bytes())).isPresent()) {
        filtered++;
      }
    }
    return filtered;
  }

  /** What is renamed can only be where something is added and something else deleted. */
  private static List<DiffEntry> staged(Repository repository, ObjectReader reader, List<Row> rows)
      throws IOException {
    List<DiffEntry> staged = new ArrayList<>();
    for (Row row : rows) {
      if (!row.unmerged() && !row.intended() && (row.base().missing() != row.index().missing())) {
        Change.add(staged, row.path(), row.base(), row.index(), null);
      }
    }
    ContentSource objects = ContentSource.create(reader);
    return Change.renamed(repository, reader, new ContentSource.Pair(objects, objects), staged);
  }

  private static GitStatus status(String branch, Rows rows, List<DiffEntry> staged, int filtered) {
    Map<String, String> renamed = new HashMap<>();
    Set<String> gone = new HashSet<>();
    for (DiffEntry entry : staged) {
      if (entry.getChangeType() == DiffEntry.ChangeType.RENAME) {
        renamed.put(entry.getNewPath(), entry.getOldPath());
        gone.add(entry.getOldPath());
      }
    }
    List<GitStatus.Entry> entries = new ArrayList<>();
    for (Row row : rows.changed()) {
      String from = renamed.getOrDefault(row.path(), "");
      String code = from.isEmpty() ? code(row) : "R" + workCode(row);
      boolean renamedAway = gone.contains(row.path()) && row.index().missing();
      if (!code.isBlank() && !renamedAway) {
        entries.add(new GitStatus.Entry(code, row.path(), from));
      }
    }
    rows.untracked().forEach(path -> entries.add(new GitStatus.Entry("??", path, "")));
    return new GitStatus(branch, entries, rows.beyond(), filtered);
  }

  private static String code(Row row) {
    return row.unmerged() ? UNMERGED.get(row.stages()) : indexCode(row) + workCode(row);
  }

  private static String indexCode(Row row) {
    if (row.intended()) {
      return row.base().missing() ? " " : "D";
    }
    return code(row.base(), row.index());
  }

  private static String workCode(Row row) {
    return row.intended() && !row.work().missing() ? "A" : code(row.index(), row.work());
  }

  private static String code(Row.Blob before, Row.Blob after) {
    if (before.equals(after)) {
      return " ";
    }
    if (before.missing()) {
      return "A";
    }
    if (after.missing()) {
      return "D";
    }
    if (FileMode.GITLINK.equals(after.mode()) && before.id().equals(after.id())) {
      return after.dirt() == Dirt.MODIFIED ? "m" : "?";
    }
    return before.sameType(after) ? "M" : "T";
  }

  private static String branch(Repository repository) throws IOException {
    Ref head = repository.exactRef(Constants.HEAD);
    if (head == null || !head.isSymbolic()) {
      return "HEAD (no branch)";
    }
    String full = head.getTarget().getName();
    String name = Repository.shortenRefName(full);
    if (head.getObjectId() == null) {
      return "No commits yet on " + name;
    }
    String upstream = new BranchConfig(repository.getConfig(), name).getTrackingBranch();
    if (upstream == null) {
      return name;
    }
    String shown = name + "..." + Repository.shortenRefName(upstream);
    Optional<BranchTrackingStatus> tracking =
        Optional.ofNullable(BranchTrackingStatus.of(repository, name));
    return shown + tracking.map(StatusReader::distance).orElse(" [gone]");
  }

  private static String distance(BranchTrackingStatus tracking) {
    List<String> parts = new ArrayList<>();
    if (tracking.getAheadCount() > 0) {
      parts.add("ahead " + tracking.getAheadCount());
    }
    if (tracking.getBehindCount() > 0) {
      parts.add("behind " + tracking.getBehindCount());
    }
    return parts.isEmpty() ? "" : " [" + String.join(", ", parts) + "]";
  }
}
