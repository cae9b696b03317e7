package harness.workspace.git;

import harness.workspace.FileKind;
import harness.workspace.FileStatus;
import harness.workspace.Name;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.blame.BlameGenerator;
import org.eclipse.jgit.diff.RawText;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.jspecify.annotations.Nullable;

/** Finds the commits that the lines of a file came with. */
final class BlameReader {
  private final Repository repository;
  private final GitDirs dirs;
  private final InstantSource clock;

  BlameReader(Repository repository, GitDirs dirs, InstantSource clock) {
    this.repository = repository;
    this.dirs = dirs;
    this.clock = clock;
  }

  /** A version of the file. */
  private record Version(RawText text, boolean committed) {}

  /**
   * @param path from the top of the worktree
   * @param from the first line, from 1
   * @param to the last one; those behind the end of the file are not there
   */
  GitBlame read(String path, int from, int to, Duration limit)
      throws IOException, InterruptedException {
    try (ObjectReader reader = repository.newObjectReader();
        BoundedRepository bounded =
            new BoundedRepository(repository, clock, clock.instant().plus(limit))) {
      Optional<ObjectId> head = Optional.ofNullable(repository.resolve(Constants.HEAD));
      Version version = version(reader, path, head);
      int all = version.text.size();
      if (from > Math.max(1, all)) {
        throw new GitException(path + " has " + all + " lines, so there is no line " + from);
      }
      int end = Math.min(to, all);
      @Nullable RevCommit[] origins = new RevCommit[all];
      boolean known = true;
      if (head.isPresent() && from <= end) {
        known = find(bounded, path, head.get(), version, from - 1, end, origins);
      }
      int digits = PatchWriter.abbreviation(repository);
      List<GitBlame.Line> lines = new ArrayList<>();
      for (int i = from - 1; i < end; i++) {
        RevCommit origin = origins[i];
        Optional<GitLog.Commit> commit =
            origin == null
                ? Optional.empty()
                : Optional.of(LogReader.commit(origin, reader.abbreviate(origin, digits).name()));
        lines.add(new GitBlame.Line(i + 1, commit, version.text.getString(i)));
      }
      return new GitBlame(lines, all, version.committed, known);
    }
  }

  /** False where the time was over before the lines' origins were all found. */
  private static boolean find(
      Repository bounded,
      String path,
      ObjectId head,
      Version version,
      int from,
      int end,
      @Nullable RevCommit[] origins)
      throws IOException, InterruptedException {
    boolean[] found = new boolean[end - from];
    int missing = found.length;
    try (BlameGenerator generator = new BlameGenerator(bounded, path)) {
      generator.push(null, head);
      if (!version.committed) {
        generator.push("not committed", version.text);
      }
      while (missing > 0 && generator.next()) {
        if (Thread.interrupted()) {
          throw new InterruptedException("stopped while the origins of lines were looked for");
        }
        int first = Math.max(from, generator.getResultStart());
        int last = Math.min(end, generator.getResultEnd());
        for (int i = first; i < last; i++) {
          origins[i] = generator.getSourceCommit();
          missing -= found[i - from] ? 0 : 1;
          found[i - from] = true;
        }
      }
      return missing == 0;
    } catch (BoundedReader.OverException e) {
      return false;
    }
  }

  private Version version(ObjectReader reader, String path, Optional<ObjectId> head)
      throws IOException {
    Worktree worktree = Worktree.open(dirs, repository);
    Optional<FileStatus> status = worktree.files().status(Constants.encode(path));
    if (status.isEmpty()) {
      return new Version(text(path, committed(reader, path, head)), true);
    }
    if (status.get().kind() != FileKind.FILE) {
      throw new GitException(
          path
              + " is "
              + (status.get().kind() == FileKind.DIRECTORY ? "a directory" : "no regular file")
              + "; only the lines of files have an origin");
    }
    if (status.get().size() > Patch.MAX_BYTES) {
      throw tooLarge(path);
    }
    WorktreeContent files = new WorktreeContent(worktree.files(), worktree.storedForm());
    String shown = Name.textOf(Constants.encode(path));
    return new Version(text(path, files.open(shown, ObjectId.zeroId())), false);
  }

  private static ObjectLoader committed(ObjectReader reader, String path, Optional<ObjectId> head)
      throws IOException {
    if (head.isPresent()) {
      try (var walk = new org.eclipse.jgit.revwalk.RevWalk(reader);
          @Nullable TreeWalk found =
              TreeWalk.forPath(reader, path, walk.parseCommit(head.get()).getTree())) {
        if (found != null && (found.getRawMode(0) & FileMode.TYPE_MASK) == FileMode.TYPE_FILE) {
          return reader.open(found.getObjectId(0), Constants.OBJ_BLOB);
        }
      }
    }
    throw new GitException(path + " is no file, neither in the worktree nor in HEAD");
  }

  private static RawText text(String path, ObjectLoader loader) throws IOException {
    if (loader.getSize() > Patch.MAX_BYTES) {
      throw tooLarge(path);
    }
    byte[] content;
    try (InputStream in = loader.openStream()) {
      content = in.readNBytes(Patch.MAX_BYTES + 1);
    }
    if (content.length > Patch.MAX_BYTES) {
      throw tooLarge(path);
    }
    if (RawText.isBinary(content)) {
      throw new GitException(path + " is binary, so it has no lines");
    }
    return new RawText(content);
  }

  private static GitException tooLarge(String path) {
    return new GitException(
        path
            + " is larger than "
            + Patch.MAX_BYTES
            + " bytes; git_log with 'path' lists the commits that changed it");
  }
}
