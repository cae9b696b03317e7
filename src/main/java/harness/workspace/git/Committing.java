package harness.workspace.git;

import harness.workspace.FileKind;
import harness.workspace.FileStatus;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.CanonicalTreeParser;
import org.eclipse.jgit.treewalk.EmptyTreeIterator;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.filter.TreeFilter;

/** Makes a commit of an index, under its lock, and moves HEAD's branch to it. */
final class Committing {
  private static final int MAX_MERGE_BYTES = 64 * 1024;
  private static final int MAX_NAMED = 20;
  private static final int MAX_SUBJECT_CHARS = 200;
  private static final int EXECUTABLE = 0111;
  private static final int SHORT_ID = 7;

  /** What other commands leave for the commit that ends them, and would take from git itself. */
  private static final List<String> UNFINISHED = List.of("CHERRY_PICK_HEAD", "REVERT_HEAD");

  private static final List<String> OF_MERGE =
      List.of("MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "AUTO_MERGE", "SQUASH_MSG");

  private static final List<String> HOOKS =
      List.of("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit");

  private final Worktree worktree;
  private final Repository repository;
  private final GitDirs dirs;
  private final GitOwnFiles own;
  private final LockWait wait;

  Committing(Worktree worktree, LockWait wait) {
    this.worktree = worktree;
    this.repository = worktree.repository();
    this.dirs = worktree.dirs();
    this.own = new GitOwnFiles(dirs.gitDir());
    this.wait = wait;
  }

  GitReport run(IndexLock lock, CommitOrder order) throws IOException, InterruptedException {
    CommitMessage message = CommitMessage.of(order.message(), order.trailers());
    checkFinished(worktree.index());
    Ref head = head();
    Optional<ObjectId> parent = Optional.ofNullable(head.getObjectId());
    List<ObjectId> merged = merged(parent);
    ObjectId commit;
    TreeWriter.Made made;
    int changed;
    try (ObjectReader reader = repository.newObjectReader();
        LooseObjects objects =
            new LooseObjects(dirs.objects().getFirst().directory(), repository)) {
      made = TreeWriter.write(worktree.index(), objects, reader);
      ObjectId tree = made.id();
      changed = changed(reader, parent, tree);
      if (changed == 0 && merged.isEmpty() && !order.allowEmpty()) {
        throw new GitException(
            "nothing is staged, so there is nothing to commit; git_add stages files, git_status"
                + " lists them, and 'allow_empty' makes a commit without a change");
      }
      commit = objects.insert(builder(order, message, tree, parent, merged));
      objects.flush();
    }
    lock.write(IndexWriter.bytes(worktree, made.known()));
    String kind = parent.isEmpty() ? " (initial)" : merged.isEmpty() ? "" : " (merge)";
    RefWriter.Step step =
        new RefWriter.Step(
            head.getLeaf().getName(),
            parent,
            commit,
            person(order.committer()),
            "commit" + kind + ": " + message.subject());
    new RefWriter(dirs, repository.getConfig(), wait).take(step, true);
    // Not before the branch has moved: the lock keeps the next commit from starting at the old one.
    lock.commit();
    for (String file : OF_MERGE) {
      own.remove(file);
    }
    return report(head, commit, parent, message, changed);
  }

  private Ref head() throws IOException {
    Ref head =
        new RefFiles(dirs)
            .ref(Constants.HEAD)
            .orElseThrow(() -> new GitException("the repository has no HEAD; git fsck says more"));
    String leaf = head.getLeaf().getName();
    if (head.isSymbolic() && !leaf.startsWith(Constants.R_HEADS)) {
      throw new GitException(
          "HEAD leads to " + leaf + ", which is no branch; check one out in the shell first");
    }
    return head;
  }

  private void checkFinished(IndexFile index) throws IOException {
    TreeSet<String> conflicts = new TreeSet<>();
    for (int i = 0; i < index.size(); i++) {
      if (index.stage(i) > 0) {
        conflicts.add(index.text(i));
      }
    }
    if (!conflicts.isEmpty()) {
      throw new GitException(
          "there are conflicts in "
              + String.join(", ", conflicts.stream().limit(MAX_NAMED).toList())
              + (conflicts.size() > MAX_NAMED ? " and others" : "")
              + "; put the files right and git_add them, then commit");
    }
    for (String file : UNFINISHED) {
      if (own.status(file).isPresent()) {
        String command = file.startsWith("CHERRY") ? "cherry-pick" : "revert";
        throw new GitException(
            "a "
                + command
                + " is not finished; 'git "
                + command
                + " --continue' in the shell ends it");
      }
    }
  }

  /** The other parents of a merge that waits for its commit. */
  private List<ObjectId> merged(Optional<ObjectId> parent) throws IOException {
    Optional<String> text = GitFile.text(dirs.gitDir(), "MERGE_HEAD", MAX_MERGE_BYTES);
    List<ObjectId> merged = new ArrayList<>();
    for (String line : text.orElse("").lines().toList()) {
      if (!ObjectId.isId(line.strip()) || parent.isEmpty()) {
        throw new GitException(
            "a merge is not finished, and MERGE_HEAD is damaged; 'git merge --abort' in the shell"
                + " ends it");
      }
      merged.add(ObjectId.fromString(line.strip()));
    }
    return merged;
  }

  /** How many files a tree changes. */
  private static int changed(ObjectReader reader, Optional<ObjectId> parent, ObjectId tree)
      throws IOException, InterruptedException {
    try (RevWalk commits = new RevWalk(reader);
        TreeWalk walk = new TreeWalk(reader)) {
      walk.addTree(
          parent.isPresent()
              ? new CanonicalTreeParser(null, reader, commits.parseCommit(parent.get()).getTree())
              : new EmptyTreeIterator());
      walk.addTree(tree);
      walk.setRecursive(true);
      walk.setFilter(TreeFilter.ANY_DIFF);
      int changed = 0;
      while (walk.next()) {
        if (Thread.interrupted()) {
          throw new InterruptedException("stopped before anything was committed");
        }
        changed++;
      }
      return changed;
    }
  }

  private static CommitBuilder builder(
      CommitOrder order,
      CommitMessage message,
      ObjectId tree,
      Optional<ObjectId> parent,
      List<ObjectId> merged) {
    CommitBuilder builder = new CommitBuilder();
    builder.setTreeId(tree);
    parent.ifPresent(builder::addParentId);
    merged.forEach(builder::addParentId);
    builder.setAuthor(person(order.author()));
    builder.setCommitter(person(order.committer()));
    builder.setMessage(message.text());
    return builder;
  }

  static PersonIdent person(Signature by) {
    return new PersonIdent(by.name(), by.email(), by.when(), ZoneOffset.UTC);
  }

  private GitReport report(
      Ref head, ObjectId commit, Optional<ObjectId> parent, CommitMessage message, int changed)
      throws IOException, InterruptedException {
    String branch =
        head.isSymbolic() ? Repository.shortenRefName(head.getLeaf().getName()) : "detached HEAD";
    String subject = message.subject();
    List<String> lines = new ArrayList<>();
    lines.add(
        "["
            + branch
            + (parent.isEmpty() ? " (first commit) " : " ")
            + commit.name().substring(0, SHORT_ID)
            + "] "
            + subject.substring(0, Math.min(subject.length(), MAX_SUBJECT_CHARS)));
    lines.add(changed == 1 ? "1 file changed" : changed + " files changed");
    List<String> notes = new ArrayList<>();
    if (repository.getConfig().getBoolean("commit", null, "gpgsign", false)) {
      notes.add("the repository asks for signed commits, but none is signed here");
    }
    List<String> hooks = new ArrayList<>();
    GitOwnFiles common = new GitOwnFiles(dirs.commonDir());
    for (String hook : HOOKS) {
      if (common.status("hooks/" + hook).filter(Committing::runs).isPresent()) {
        hooks.add(hook);
      }
    }
    if (!hooks.isEmpty()) {
      notes.add("the repository has hooks, which are not run here: " + String.join(", ", hooks));
    }
    return new GitReport(lines, notes);
  }

  private static boolean runs(FileStatus status) {
    return status.kind() == FileKind.FILE && (status.mode() & EXECUTABLE) != 0;
  }
}
