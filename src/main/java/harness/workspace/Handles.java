package harness.workspace;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.util.random.RandomGenerator;

/**
 * The system's files by handles of directories and single names: the port that {@link Root} stands
 * on. Everything else is reached from the one directory at the top. Safe for many threads.
 */
public interface Handles {
  /** Opens the directory at the top of the file system. */
  OpenDirectory top() throws IOException;

  /**
   * The handles for this machine: the calls of Linux itself on Linux, else those of {@link
   * #nio(FileSystem, RandomGenerator)} with their limits.
   *
   * @param names where the names of temporary files come from; used by many threads
   */
  static Handles system(RandomGenerator names) {
    return LinuxHandles.fits() ? new LinuxHandles(names) : nio(FileSystems.getDefault(), names);
  }

  /**
   * Handles over {@link java.nio.file.SecureDirectoryStream}, for file systems in memory and for
   * other systems than Linux. Reading is as sure as on Linux, with these limits: a name has to be
   * text that the file system can encode; a directory or a link is made, and a link is read and
   * moved, by path (what a link says is then walked by handles all the same); what is opened as a
   * file is looked at just before, so that a FIFO that appears in between can hold the thread;
   * directories are not synced; a move over nothing looks just before whether something is there;
   * whether a temporary file is still written, only its age tells; where the file system can't move
   * a file over another, the old one is removed just before; an interrupt ends a read or a write.
   *
   * @param names where the names of temporary files come from; used by many threads
   */
  static Handles nio(FileSystem files, RandomGenerator names) {
    return new NioHandles(files, names);
  }
}
