package harness.workspace.git;

import harness.workspace.OpenDirectory;
import harness.workspace.Way;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.errors.LockFailedException;

/** The index of a worktree, which nobody else changes until this is closed. */
final class IndexLock implements AutoCloseable {
  private static final String LOCK = "index.lock";

  private final OpenDirectory directory;
  private final Path lock;
  private final DirCache index;

  private IndexLock(OpenDirectory directory, Path lock, DirCache index) {
    this.directory = directory;
    this.lock = lock;
    this.index = index;
  }

  /**
   * Waits for the lock and reads the index.
   *
   * @param gitDir stays open as long as this is used
   * @throws GitException where another process keeps it
   */
  static IndexLock take(Way gitDir, LockWait wait) throws IOException, InterruptedException {
    // By its descriptor, so that JGit can't be led elsewhere by a directory of that name.
    Path place = Path.of(gitDir.directory().pinned().orElse(gitDir.path()));
    DirCache index = wait.until(gitDir, LOCK, () -> locked(place.resolve("index").toFile()));
    return new IndexLock(gitDir.directory(), place.resolve(LOCK), index);
  }

  private static Optional<DirCache> locked(File file) throws IOException {
    try {
      return Optional.of(DirCache.lock(file, new QuietFs()));
    } catch (LockFailedException e) {
      return Optional.empty();
    }
  }

  DirCache index() {
    return index;
  }

  /** Puts the index in the place of the old one, on stable storage, and gives the lock back. */
  void commit() throws IOException {
    index.write();
    try (FileChannel written =
        FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      written.force(true);
    }
    if (!index.commit()) {
      throw new GitException("the index can't be put in place; git_status shows what is there");
    }
    directory.sync();
  }

  @Override
  public void close() {
    index.unlock();
  }
}
