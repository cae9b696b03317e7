package harness.workspace.git;

import harness.workspace.Directory;
import harness.workspace.FileKind;
import harness.workspace.OpenDirectory;
import harness.workspace.PathException;
import harness.workspace.Way;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.jspecify.annotations.Nullable;

/** Lists branches, and makes one. */
final class Branches {
  private static final int MAX_HEAD_BYTES = 4 * 1024;
  private static final int MAX_SUBJECT_CHARS = 200;

  /** The longest name of a branch that is made: of a deeper one the file could not be read. */
  private static final int MAX_NAME_CHARS = 400;

  private static final String SYMBOLIC = "ref:";

  private final Repository repository;
  private final GitDirs dirs;

  Branches(Repository repository, GitDirs dirs) {
    this.repository = repository;
    this.dirs = dirs;
  }

  /** The branches by their names: marked with a star the one here, with a plus one elsewhere. */
  GitReport list() throws IOException, InterruptedException {
    Map<String, String> elsewhere = elsewhere();
    Optional<Ref> head = new RefFiles(dirs).ref(Constants.HEAD);
    List<String> lines = new ArrayList<>();
    try (RevWalk walk = new RevWalk(repository)) {
      int digits = PatchWriter.abbreviation(repository);
      if (head.isPresent() && !head.get().isSymbolic()) {
        lines.add("* (HEAD is detached) " + tip(walk, head.get().getObjectId(), digits));
      }
      String current = head.filter(Ref::isSymbolic).map(ref -> ref.getLeaf().getName()).orElse("");
      for (Ref ref : new RefFiles(dirs).all(Constants.R_HEADS).values()) {
        if (Thread.interrupted()) {
          throw new InterruptedException("stopped while branches were listed");
        }
        String name = ref.getName();
        String mark = name.equals(current) ? "* " : elsewhere.containsKey(name) ? "+ " : "  ";
        String place = mark.equals("+ ") ? " (in " + elsewhere.get(name) + ")" : "";
        lines.add(
            mark
                + name.substring(Constants.R_HEADS.length())
                + place
                + " "
                + tip(walk, ref.getObjectId(), digits));
      }
      if (!current.isEmpty() && head.get().getObjectId() == null) {
        lines.add("* " + Repository.shortenRefName(current) + " (no commit yet)");
      }
    }
    return new GitReport(lines, List.of());
  }

  private static String tip(RevWalk walk, @Nullable ObjectId id, int digits) throws IOException {
    if (id == null) {
      return "(no commit yet)";
    }
    try {
      RevCommit commit = walk.parseCommit(id);
      String subject = commit.getShortMessage();
      return walk.getObjectReader().abbreviate(commit, digits).name()
          + " "
          + subject.substring(0, Math.min(subject.length(), MAX_SUBJECT_CHARS));
    } catch (MissingObjectException | IncorrectObjectTypeException e) {
      return id.name() + ", which is no commit here; git fsck says more";
    }
  }

  /** The branches that other worktrees of the repository have checked out, and which worktree. */
  Map<String, String> elsewhere() throws IOException {
    Map<String, String> elsewhere = new TreeMap<>();
    Way common = dirs.commonDir();
    if (common != dirs.gitDir()) {
      branch(common, "HEAD").ifPresent(name -> elsewhere.put(name, "the main worktree"));
    }
    try (Way worktrees = common.to("what git keeps for other worktrees,", "worktrees");
        OpenDirectory.Entries entries = worktrees.directory().entries()) {
      while (entries.hasNext()) {
        Directory.Entry entry = entries.next();
        if (entry.kind() == FileKind.DIRECTORY) {
          Optional<String> branch = branch(worktrees, entry.name() + "/HEAD");
          if (branch.isPresent()) {
            String place =
                GitFile.text(worktrees, entry.name() + "/gitdir", MAX_HEAD_BYTES).orElse("");
            elsewhere.put(branch.get(), place.strip().replaceFirst("/\\.git$", ""));
          }
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (PathException e) {
      if (e.kind() != PathException.Kind.NOT_FOUND) {
        throw e;
      }
    }
    return elsewhere;
  }

  private static Optional<String> branch(Way directory, String head) throws IOException {
    return GitFile.text(directory, head, MAX_HEAD_BYTES)
        .map(String::strip)
        .filter(line -> line.startsWith(SYMBOLIC))
        .map(line -> line.substring(SYMBOLIC.length()).strip());
  }

  /** Makes a branch; nothing is checked out. */
  GitReport create(String name, Optional<String> from, Signature by, LockWait wait)
      throws IOException, InterruptedException {
    checkName(name);
    String ref = Constants.R_HEADS + name;
    if (new RefFiles(dirs).ref(ref).isPresent()) {
      throw new GitException(
          "the branch " + name + " exists already; git_branch lists them, take another name");
    }
    String start = from.orElse(Constants.HEAD);
    ObjectId commit = commit(start);
    RefWriter.Step step =
        new RefWriter.Step(
            ref, Optional.empty(), commit, Committing.person(by), "branch: Created from " + start);
    new RefWriter(dirs, repository.getConfig(), wait).take(step, false);
    return new GitReport(
        List.of("made the branch " + name + " at " + commit.name()),
        List.of("it is not checked out: the worktree stays on its branch"));
  }

  static void checkName(String name) throws GitException {
    String ref = Constants.R_HEADS + name;
    if (name.length() > MAX_NAME_CHARS) {
      throw new GitException(
          "a name of "
              + name.length()
              + " characters is too long for a branch; at most "
              + MAX_NAME_CHARS
              + " are taken");
    }
    if (name.isEmpty()
        || name.startsWith("-")
        || name.equals(Constants.HEAD)
        || name.equals("@")
        || !Repository.isValidRefName(ref)) {
      throw new GitException(
          "'"
              + name
              + "' is no name for a branch: no spaces or control characters, none of ~^:?*[\\, no"
              + " '..', '@{' or '//', no '-' at its start, no '.', '/' or '.lock' at its end");
    }
  }

  private ObjectId commit(String revision) throws IOException {
    ObjectId id = null;
    try {
      id = repository.resolve(revision + "^{commit}");
    } catch (RuntimeException | IOException e) {
      throw new GitException(revision + " names no commit of this repository", e);
    }
    if (id == null) {
      throw new GitException(
          revision.equals(Constants.HEAD)
              ? "there is no commit yet, so no branch can be made; git_commit makes the first"
              : revision + " names no commit of this repository; git_log lists commits");
    }
    return id;
  }
}
