package harness.workspace.git;

import harness.workspace.FileKind;
import harness.workspace.Inode;
import harness.workspace.Listing;
import harness.workspace.OpenDirectory;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;

/** Goes through directories that an index has nothing of. */
final class Untracked {
  /** How deep it goes. */
  private static final int MAX_DEPTH = 128;

  private final WorktreeFiles files;
  private final IgnoreFiles ignores;
  private final PathFilter filter;
  private final Found found;

  /** What is found: files and links that are asked for and not ignored, and repositories. */
  interface Found {
    void file(byte[] path) throws IOException;

    void repository(byte[] path) throws IOException;
  }

  Untracked(WorktreeFiles files, IgnoreFiles ignores, PathFilter filter, Found found) {
    this.files = files;
    this.ignores = ignores;
    this.filter = filter;
    this.found = found;
  }

  /** All in a directory, which is given without a slash at its end. */
  void directory(byte[] path) throws IOException, InterruptedException {
    directory(path, 0);
  }

  private void directory(byte[] path, int depth) throws IOException, InterruptedException {
    if (depth > MAX_DEPTH) {
      throw new GitException(
          Wanted.text(path) + " is more than " + MAX_DEPTH + " directories deep");
    }
    try (OpenDirectory directory = files.directory(path)) {
      if (Scan.isRepository(directory)) {
        found.repository(path);
        return;
      }
      String prefix = Wanted.latin(path) + "/";
      for (Listing.Entry entry : directory.listing().entries()) {
        Interrupts.check();
        Optional<FileKind> kind = directory.inode(entry.name()).map(Inode::kind);
        boolean isDirectory = kind.equals(Optional.of(FileKind.DIRECTORY));
        boolean isFile =
            kind.equals(Optional.of(FileKind.FILE)) || kind.equals(Optional.of(FileKind.LINK));
        if ((!isDirectory && !isFile)
            || entry.name().isIgnoringCase(".git")
            || ignores.ignores(prefix, Wanted.latin(entry.name().bytes()), isDirectory)) {
          continue;
        }
        byte[] below = Wanted.below(path, entry.name().bytes());
        if (isFile && filter.takes(below)) {
          found.file(below);
        } else if (isDirectory && filter.reaches(below)) {
          directory(below, depth + 1);
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      // It went away meanwhile, so there is nothing of it.
    }
  }
}
