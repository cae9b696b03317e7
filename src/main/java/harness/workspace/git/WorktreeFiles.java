package harness.workspace.git;

import harness.workspace.FileHandle;
import harness.workspace.FileKind;
import harness.workspace.FileStatus;
import harness.workspace.Inode;
import harness.workspace.Name;
import harness.workspace.OpenDirectory;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Arrays;
import java.util.Optional;
import org.eclipse.jgit.lib.ObjectId;

/**
 * The files of a worktree by their paths from its top. Each is reached from the open directory at
 * the top name by name and never through a link, so that whatever is swapped meanwhile leads
 * nowhere else.
 */
final class WorktreeFiles {
  /** Files larger than this, in bytes, are not read to tell their ids. */
  private static final long MAX_HASHED_BYTES = 256L * 1024 * 1024;

  private final OpenDirectory top;

  /**
   * @param top stays open as long as this is used
   */
  WorktreeFiles(OpenDirectory top) {
    this.top = top;
  }

  /** What is done with a name in its directory, which is closed afterwards. */
  private interface Use<T> {
    T on(OpenDirectory parent, Name name) throws IOException;
  }

  /**
   * Opens a directory.
   *
   * @param path as the bytes that an index has, with slashes; empty for the top
   */
  OpenDirectory directory(byte[] path) throws IOException {
    return path.length == 0 ? top.again() : at(path, OpenDirectory::directory);
  }

  /** Opens a regular file. */
  FileHandle file(byte[] path) throws IOException {
    return at(path, OpenDirectory::file);
  }

  /** What a link says. */
  byte[] readLink(byte[] path) throws IOException {
    return at(path, OpenDirectory::readLink);
  }

  /** What lies there itself; empty where nothing does. */
  Optional<FileStatus> status(byte[] path) throws IOException {
    try {
      return at(path, OpenDirectory::status);
    } catch (NoSuchFileException | NotDirectoryException e) {
      return Optional.empty();
    }
  }

  /** What lies there itself, as finely as the system tells it; empty where nothing does. */
  Optional<Inode> inode(byte[] path) throws IOException {
    try {
      return at(path, OpenDirectory::inode);
    } catch (NoSuchFileException | NotDirectoryException e) {
      return Optional.empty();
    }
  }

  /** The id that its content has as git would store it; zero where it is gone or too large. */
  ObjectId id(byte[] path, StoredForm storedForm) throws IOException {
    try {
      return at(path, (parent, name) -> id(parent, name, path, storedForm));
    } catch (NoSuchFileException | NotDirectoryException e) {
      return ObjectId.zeroId();
    }
  }

  private static ObjectId id(OpenDirectory parent, Name name, byte[] path, StoredForm storedForm)
      throws IOException {
    Optional<FileStatus> status = parent.status(name);
    if (status.isEmpty() || status.get().size() > MAX_HASHED_BYTES) {
      return ObjectId.zeroId();
    }
    return status.get().kind() == FileKind.LINK
        ? StoredForm.id(parent.readLink(name))
        : storedForm.id(parent, name, path);
  }

  private <T> T at(byte[] path, Use<T> use) throws IOException {
    int start = 0;
    OpenDirectory parent = top;
    try {
      for (int slash = slash(path, 0); slash < path.length; slash = slash(path, start)) {
        OpenDirectory inner = parent.directory(name(path, start, slash));
        close(parent);
        parent = inner;
        start = slash + 1;
      }
      return use.on(parent, name(path, start, path.length));
    } finally {
      close(parent);
    }
  }

  private void close(OpenDirectory directory) {
    if (directory != top) {
      directory.close();
    }
  }

  private static int slash(byte[] path, int from) {
    int at = from;
    while (at < path.length && path[at] != '/') {
      at++;
    }
    return at;
  }

  /** A path of an index is no argument: one that names no entry is a broken repository's. */
  private static Name name(byte[] path, int start, int end) throws GitException {
    Name name = Name.of(Arrays.copyOfRange(path, start, end));
    if (start == end || name.isDot() || name.isDotDot() || name.isIgnoringCase(".git")) {
      throw new GitException(
          "the repository names the path " + Name.textOf(path) + ", which is none");
    }
    return name;
  }
}
