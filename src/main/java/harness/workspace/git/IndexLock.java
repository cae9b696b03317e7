package harness.workspace.git;

import java.io.IOException;

/** The index of a worktree, which nobody else changes until this is closed. */
final class IndexLock implements AutoCloseable {
  private static final String INDEX = "index";

  private final GitOwnFiles.Lock lock;

  private IndexLock(GitOwnFiles.Lock lock) {
    this.lock = lock;
  }

  /**
   * Waits for the lock.
   *
   * @throws GitException where another process keeps it
   */
  static IndexLock take(GitDirs dirs, LockWait wait) throws IOException, InterruptedException {
    GitOwnFiles own = new GitOwnFiles(dirs.gitDir());
    return new IndexLock(wait.until(dirs.gitDir(), INDEX + ".lock", () -> own.lock(INDEX)));
  }

  /** Puts an index in the place of the old one, on stable storage, and gives the lock back. */
  void commit(byte[] index) throws IOException, InterruptedException {
    write(index);
    // A call that was told to end, and whose end nobody waits for, changes nothing any more.
    Interrupts.check();
    commit();
  }

  /** Makes an index durable beside the old one, and keeps the lock. */
  void write(byte[] index) throws IOException {
    lock.write(index);
  }

  /** Puts the index that was written in the place of the old one, and gives the lock back. */
  void commit() throws IOException {
    lock.commit();
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
