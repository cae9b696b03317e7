package harness.workspace.git;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.treewalk.AbstractTreeIterator;
import org.eclipse.jgit.treewalk.FileTreeIterator;
import org.eclipse.jgit.util.FS;

/**
 * The files of a worktree, for a tree walk. A repository in it is opened as carefully as the outer
 * one, and only to learn its HEAD.
 */
final class Checkout extends FileTreeIterator {
  private final GitPlaces places;

  Checkout(Repository repository, GitPlaces places, DirCache index) {
    super(repository, new Modes(places.worktree(), index));
    this.places = places;
  }

  private Checkout(Checkout parent, File directory, FS fs) {
    super(parent, directory, fs);
    this.places = parent.places;
  }

  @Override
  protected AbstractTreeIterator enterSubtree() {
    return new Checkout(this, ((FileEntry) current()).getFile(), fs);
  }

  /** The commit that a repository in this directory is at; zero where it can't be told. */
  @Override
  protected byte[] idSubmodule(Entry entry) {
    byte[] id = new byte[Constants.OBJECT_ID_LENGTH];
    Path directory = ((FileEntry) entry).getFile().toPath();
    head(places.readRoot(), directory).orElse(ObjectId.zeroId()).copyRawTo(id, 0);
    return id;
  }

  private static Optional<ObjectId> head(Path readRoot, Path directory) {
    try {
      Optional<GitPlaces> inner = GitPlaces.at(readRoot, directory);
      if (inner.isEmpty()) {
        return Optional.empty();
      }
      try (Repository repository = GitRepository.open(inner.get())) {
        return Optional.ofNullable(repository.resolve(Constants.HEAD));
      }
    } catch (IOException e) {
      // One that may not be opened counts as unchanged: the outer status must not fail over it.
      return Optional.empty();
    }
  }

  /** A directory with a {@code .git} is a repository of its own, unless the index has its files. */
  private record Modes(Path worktree, DirCache index) implements FileModeStrategy {
    @Override
    public FileMode getMode(File file, FS.Attributes attributes) {
      if (attributes.isDirectory() && isRepository(file.toPath())) {
        return FileMode.GITLINK;
      }
      return NoGitlinksStrategy.INSTANCE.getMode(file, attributes);
    }

    private boolean isRepository(Path directory) {
      if (!Files.exists(directory.resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
        return false;
      }
      return !Tracked.below(index, worktree.relativize(directory).toString());
    }
  }
}
