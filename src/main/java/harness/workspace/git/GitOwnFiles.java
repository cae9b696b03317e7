package harness.workspace.git;

import harness.workspace.FileKind;
import harness.workspace.FileStatus;
import harness.workspace.Name;
import harness.workspace.OpenDirectory;
import harness.workspace.PathException;
import harness.workspace.TemporaryOutput;
import harness.workspace.Way;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;

/**
 * Writes what git keeps in a git directory, which is open, by its names and through no link: there
 * a link could have been put to make a commit write elsewhere.
 */
final class GitOwnFiles {
  private static final String LOCK = ".lock";

  private final Way top;

  /**
   * @param top a git directory; stays open as long as this is used
   */
  GitOwnFiles(Way top) {
    this.top = top;
  }

  Way top() {
    return top;
  }

  private interface Use<T> {
    T on(OpenDirectory parent, Name name) throws IOException;
  }

  private <T> T at(String path, boolean make, Use<T> use) throws IOException {
    String[] names = path.split("/", -1);
    OpenDirectory at = top.directory().again();
    try {
      for (int i = 0; i < names.length - 1; i++) {
        OpenDirectory inner = enter(at, name(names[i]), make, path);
        at.close();
        at = inner;
      }
      return use.on(at, name(names[names.length - 1]));
    } finally {
      at.close();
    }
  }

  private static Name name(String name) throws IOException {
    // No escapes here: a ref has the bytes that it has.
    Name step = Name.of(name.getBytes(StandardCharsets.UTF_8));
    if (name.isEmpty() || step.isDot() || step.isDotDot()) {
      throw new PathException(
          PathException.Kind.OUTSIDE,
          "git's own is written under names that lead down alone, and '" + name + "' is none");
    }
    return step;
  }

  private OpenDirectory enter(OpenDirectory at, Name name, boolean make, String path)
      throws IOException {
    try {
      return at.directory(name);
    } catch (NotDirectoryException e) {
      throw new PathException(
          PathException.Kind.NOT_A_DIRECTORY,
          top.path()
              + "/"
              + path
              + " can't be reached: "
              + name
              + " is a link or a file on the way to it, and git's own is written only where it lies"
              + " in its git directory itself",
          e);
    } catch (NoSuchFileException e) {
      if (!make) {
        throw e;
      }
      try {
        at.makeDirectory(name);
        at.sync();
      } catch (FileAlreadyExistsException made) {
        // Somebody else was faster.
      }
      return at.directory(name);
    }
  }

  /** What lies there; empty where nothing does. */
  Optional<FileStatus> status(String path) throws IOException {
    try {
      return at(path, false, OpenDirectory::status);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Removes a file; nothing where there is none. */
  void remove(String path) throws IOException {
    try {
      at(
          path,
          false,
          (parent, name) -> {
            parent.unlink(name);
            parent.sync();
            return name;
          });
    } catch (NoSuchFileException e) {
      // It is not there, as asked.
    }
  }

  /** Adds a line at the end of a file, which is made with its directories where it is missing. */
  void append(String path, String line) throws IOException {
    at(
        path,
        true,
        (parent, name) -> {
          clear(parent, name);
          parent.append(name, line.getBytes(StandardCharsets.UTF_8));
          return name;
        });
  }

  /**
   * Removes an empty directory in the place of a file: what is left of refs whose names began so.
   * One that still holds any is not removed, which fails.
   */
  private static void clear(OpenDirectory parent, Name name) throws IOException {
    Optional<FileKind> kind = parent.status(name).map(FileStatus::kind);
    if (kind.isPresent() && kind.get() == FileKind.DIRECTORY) {
      parent.removeDirectory(name);
    }
  }

  /** Locks a file as git does, by a file beside it; empty where somebody else has the lock. */
  Optional<Lock> lock(String path) throws IOException {
    return at(
        path,
        true,
        (parent, name) -> {
          Name lock = name(path.substring(path.lastIndexOf('/') + 1) + LOCK);
          OpenDirectory kept = parent.again();
          boolean held = false;
          try {
            Lock taken = new Lock(kept, name, lock, kept.create(lock));
            held = true;
            return Optional.of(taken);
          } catch (FileAlreadyExistsException e) {
            return Optional.empty();
          } finally {
            if (!held) {
              kept.close();
            }
          }
        });
  }

  /** A file that nobody else changes until this is closed. */
  static final class Lock implements AutoCloseable {
    private final OpenDirectory parent;
    private final Name name;
    private final Name lock;
    private final OpenDirectory.Temporary file;
    private boolean done;

    private Lock(OpenDirectory parent, Name name, Name lock, OpenDirectory.Temporary file) {
      this.parent = parent;
      this.name = name;
      this.lock = lock;
      this.file = file;
    }

    /** Makes the new content durable beside the old. */
    void write(byte[] content) throws IOException {
      try (OutputStream out = TemporaryOutput.of(file)) {
        out.write(content);
      }
      file.sync();
    }

    /** Puts it in the place of the old, for good. */
    void commit() throws IOException {
      clear(parent, name);
      parent.rename(lock, name);
      done = true;
      parent.sync();
    }

    @Override
    public void close() throws IOException {
      try (parent;
          file) {
        if (!done) {
          done = true;
          parent.unlink(lock);
        }
      }
    }
  }
}
