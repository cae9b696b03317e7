package harness.workspace.git;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.filter.AndTreeFilter;
import org.eclipse.jgit.treewalk.filter.TreeFilter;

/** Lists the commits that HEAD leads to. */
final class LogReader {
  /** The most of a commit's subject that is kept, in characters. */
  private static final int MAX_SUBJECT_CHARS = 400;

  private LogReader() {}

  static GitLog read(Repository repository, int max, PathFilter paths)
      throws IOException, InterruptedException {
    ObjectId head = repository.resolve(Constants.HEAD);
    if (head == null) {
      return new GitLog(List.of(), false);
    }
    List<GitLog.Commit> commits = new ArrayList<>();
    try (RevWalk walk = new RevWalk(repository)) {
      walk.markStart(walk.parseCommit(head));
      if (!paths.isAll()) {
        walk.setTreeFilter(AndTreeFilter.create(paths.forTrees(), TreeFilter.ANY_DIFF));
      }
      int digits = PatchWriter.abbreviation(repository);
      for (RevCommit commit = walk.next(); commit != null; commit = walk.next()) {
        if (Thread.interrupted()) {
          throw new InterruptedException("stopped while reading the log");
        }
        if (commits.size() == max) {
          return new GitLog(commits, true);
        }
        String shortId = walk.getObjectReader().abbreviate(commit, digits).name();
        commits.add(commit(commit, shortId));
      }
    }
    return new GitLog(commits, false);
  }

  static GitLog.Commit commit(RevCommit commit, String shortId) {
    Moment author = Moment.author(commit);
    String subject = commit.getShortMessage();
    return new GitLog.Commit(
        commit.name(),
        shortId,
        author.when().toLocalDate().toString(),
        author.name(),
        subject.length() > MAX_SUBJECT_CHARS
            ? subject.substring(0, MAX_SUBJECT_CHARS) + "..."
            : subject);
  }
}
