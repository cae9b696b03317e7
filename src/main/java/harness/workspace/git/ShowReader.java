package harness.workspace.git;

import harness.workspace.Name;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevBlob;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevObject;
import org.eclipse.jgit.revwalk.RevTag;
import org.eclipse.jgit.revwalk.RevTree;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.TreeWalk;

/** Shows what a revision names. */
final class ShowReader {
  /** The most entries of a directory that are listed. */
  private static final int MAX_NAMES = 50_000;

  /** How many tags may lead to each other. */
  private static final int MAX_TAGS = 5;

  /** The most of a message that is kept, in characters. */
  private static final int MAX_MESSAGE_CHARS = 256 * 1024;

  private static final int SHORT_ID = 7;
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss yyyy Z", Locale.ROOT);

  private final Repository repository;
  private final GitDirs dirs;

  ShowReader(Repository repository, GitDirs dirs) {
    this.repository = repository;
    this.dirs = dirs;
  }

  /**
   * @param prefix where a path that begins with a dot starts, from the top of the worktree
   */
  GitShow read(String revision, String prefix) throws IOException, InterruptedException {
    ObjectId id = resolve(absolute(revision, prefix));
    List<String> tags = new ArrayList<>();
    try (RevWalk walk = new RevWalk(repository)) {
      RevObject object = named(walk, id, revision);
      for (int i = 0; i < MAX_TAGS && object instanceof RevTag tag; i++) {
        tags.addAll(lines(tag));
        object = walk.parseAny(tag.getObject());
      }
      return new GitShow(
          tags,
          switch (object) {
            case RevCommit commit -> commit(walk, commit);
            case RevTree tree -> tree(tree);
            case RevBlob blob -> blob(blob);
            default -> throw new GitException(revision + " is a tag of too many tags");
          });
    }
  }

  /** A whole id resolves by its form alone. */
  private static RevObject named(RevWalk walk, ObjectId id, String revision) throws IOException {
    try {
      return walk.parseAny(id);
    } catch (MissingObjectException e) {
      if (!id.equals(e.getObjectId())) {
        throw e;
      }
      throw new GitException(
          revision + " names nothing in this repository: it has no object " + id.name(), e);
    }
  }

  /** With the path after a colon from the top of the worktree. */
  private static String absolute(String revision, String prefix) throws GitException {
    int colon = revision.indexOf(':');
    if (colon <= 0) {
      return revision;
    }
    String path = revision.substring(colon + 1);
    if (path.equals(".") || path.startsWith("./") || path.startsWith("../")) {
      try {
        Path whole = Path.of(prefix).resolve(path).normalize();
        if (whole.startsWith("..")) {
          throw new GitException(revision + " leads out of the repository");
        }
        path = whole.toString();
      } catch (InvalidPathException e) {
        throw new GitException(revision + " holds no path", e);
      }
    }
    return revision.substring(0, colon + 1) + path.replaceFirst("/+$", "");
  }

  private ObjectId resolve(String revision) throws IOException {
    if (revision.isBlank() || revision.startsWith(":")) {
      throw new GitException(
          "'" + revision + "' names nothing: a revision begins it; HEAD is the last commit");
    }
    ObjectId id = null;
    try {
      id = repository.resolve(revision);
    } catch (RuntimeException | IOException e) {
      throw new GitException(revision + " names nothing in this repository", e);
    }
    if (id == null) {
      throw new GitException(
          revision
              + " names nothing in this repository; git_log lists commits, and a path after a colon"
              + " starts at the top of the worktree, or here with './'");
    }
    return id;
  }

  private static List<String> lines(RevTag tag) {
    List<String> lines = new ArrayList<>();
    lines.add("tag " + tag.getTagName());
    Moment tagged = Moment.tagger(tag);
    if (!tagged.equals(Moment.NOBODY)) {
      lines.add("Tagger: " + tagged.person());
      lines.add("Date:   " + DATE.format(tagged.when()));
    }
    lines.add("");
    lines.addAll(message(tag.getFullMessage(), ""));
    lines.add("");
    return lines;
  }

  private GitShow.Thing commit(RevWalk walk, RevCommit commit)
      throws IOException, InterruptedException {
    List<String> header = new ArrayList<>();
    header.add("commit " + commit.name());
    int parents = commit.getParentCount();
    if (parents > 1) {
      StringBuilder merge = new StringBuilder("Merge:");
      for (RevCommit parent : commit.getParents()) {
        merge.append(' ').append(parent.name(), 0, SHORT_ID);
      }
      header.add(merge.toString());
    }
    Moment author = Moment.author(commit);
    Moment committer = Moment.committer(commit);
    header.add("Author: " + author.person());
    if (!author.person().equals(committer.person())) {
      header.add("Commit: " + committer.person());
    }
    header.add("Date:   " + DATE.format(author.when()));
    header.add("");
    header.addAll(message(commit.getFullMessage(), "    "));
    header.add("");
    Optional<RevCommit> parent =
        parents == 0 ? Optional.empty() : Optional.of(walk.parseCommit(commit.getParent(0)));
    GitDiff diff =
        new DiffReader(Worktree.open(dirs, repository))
            .trees(parent.map(RevCommit::getTree), commit.getTree());
    return new GitShow.Thing.Commit(
        commit.name(), header, parent.map(RevCommit::name).orElse(""), parents, diff);
  }

  private static List<String> message(String message, String indent) {
    String kept =
        message.length() > MAX_MESSAGE_CHARS
            ? message.substring(0, MAX_MESSAGE_CHARS) + "..."
            : message;
    return kept.stripTrailing().lines().map(line -> line.isEmpty() ? "" : indent + line).toList();
  }

  private GitShow.Thing tree(RevTree tree) throws IOException, InterruptedException {
    List<String> names = new ArrayList<>();
    try (TreeWalk walk = new TreeWalk(repository)) {
      walk.addTree(tree);
      while (walk.next()) {
        if (Thread.interrupted()) {
          throw new InterruptedException("stopped while a directory was listed");
        }
        if (names.size() == MAX_NAMES) {
          throw new GitException(
              "the directory has more than " + MAX_NAMES + " entries; name one below it");
        }
        boolean directory = FileMode.TREE.equals(walk.getRawMode(0));
        names.add(Name.textOf(walk.getRawPath()) + (directory ? "/" : ""));
      }
    }
    return new GitShow.Thing.Tree(names);
  }

  private GitShow.Thing blob(RevBlob blob) throws IOException {
    ObjectLoader loader = repository.open(blob, Constants.OBJ_BLOB);
    try (InputStream in = loader.openStream()) {
      byte[] head = in.readNBytes(GitView.MAX_TEXT_BYTES);
      return new GitShow.Thing.Blob(head, loader.getSize(), LfsPointer.is(head));
    }
  }
}
