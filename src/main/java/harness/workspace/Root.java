package harness.workspace;

import java.io.IOException;

/**
 * The one place where a path argument becomes an open file. Relative means the working directory.
 * Reads stay under the read root (the workspace), writes under the write root (the working
 * directory), through links and whatever is swapped meanwhile; git's own files are out of reach.
 */
public final class Root implements AutoCloseable {
  private Root() {}

  /**
   * @param handles the system's files
   * @param readRoot the workspace root, absolute
   * @param cwd the Frame's working directory, absolute and normalised, under the read root
   */
  public static Root open(Handles handles, String readRoot, String cwd) throws PathException {
    throw new PathException(PathException.Kind.SYSTEM, "no such " + handles + readRoot + cwd);
  }

  /** The working directory as a real, absolute path without links. */
  public String cwd() {
    return "";
  }

  /** The workspace root as a real, absolute path without links. */
  public String readRoot() {
    return "";
  }

  /** Opens a regular file for reading. */
  public FileHandle file(String path) throws IOException {
    throw new PathException(PathException.Kind.SYSTEM, path);
  }

  /** Opens a directory to walk through. */
  public Directory directory(String path) throws IOException {
    throw new PathException(PathException.Kind.SYSTEM, path);
  }

  /** What lies at the path, links followed. */
  public FileStatus status(String path) throws IOException {
    throw new PathException(PathException.Kind.SYSTEM, path);
  }

  /** How a path is shown: relative to the working directory where it lies in it, else absolute. */
  public String shown(String path) throws IOException {
    throw new PathException(PathException.Kind.SYSTEM, path);
  }

  /**
   * Opens a place to write a file; missing directories on the way are made under the write root.
   */
  public Target target(String path) throws IOException {
    throw new PathException(PathException.Kind.SYSTEM, path);
  }

  @Override
  public void close() {}
}
