package harness.workspace.git;

import harness.workspace.FileHandle;
import harness.workspace.Name;
import harness.workspace.PathException;
import harness.workspace.Way;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/** One of git's own files, read whole, inside the read root and never beyond a bound. */
final class GitFile {
  private GitFile() {}

  /**
   * Its text, in which a byte that is no UTF-8 is written as paths have it; empty where nothing is
   * there.
   *
   * @param path relative to the directory
   * @throws PathException where it is no regular file or outside the read root
   * @throws GitException where it is larger than {@code maxBytes}
   */
  static Optional<String> text(Way directory, String path, int maxBytes) throws IOException {
    return bytes(directory, path, maxBytes).map(Name::textOf);
  }

  /** Its bytes; empty where nothing is there. */
  static Optional<byte[]> bytes(Way directory, String path, int maxBytes) throws IOException {
    Optional<FileHandle> file = open(directory, path);
    if (file.isEmpty()) {
      return Optional.empty();
    }
    try (FileStream in = new FileStream(file.get())) {
      long size = file.get().status().size();
      return Optional.of(bytes(in, size, directory.path() + "/" + path, maxBytes));
    }
  }

  /**
   * All that a stream has.
   *
   * @param size how much that may be; it may grow while it is read
   */
  static byte[] bytes(InputStream in, long size, String shown, int maxBytes) throws IOException {
    byte[] read = in.readNBytes((int) Math.min(size, maxBytes) + 1);
    if (read.length > size) {
      byte[] rest = in.readNBytes(maxBytes + 1 - Math.min(maxBytes, read.length));
      byte[] all = Arrays.copyOf(read, read.length + rest.length);
      System.arraycopy(rest, 0, all, read.length, rest.length);
      read = all;
    }
    if (read.length > maxBytes) {
      throw new GitException(
          shown + " is larger than " + maxBytes + " bytes, so it is not read");
    }
    return read;
  }

  /** Opens it; empty where nothing is there, or what should be a directory on the way is none. */
  static Optional<FileHandle> open(Way directory, String path) throws IOException {
    try {
      return directory.file("git's own", path);
    } catch (PathException e) {
      switch (e.kind()) {
        case NOT_A_DIRECTORY -> {
          return Optional.empty();
        }
        case OUTSIDE ->
            throw new PathException(
                PathException.Kind.OUTSIDE,
                directory.path()
                    + "/"
                    + path
                    + " leads outside the workspace "
                    + directory.readRoot()
                    + ", so it is not read; put the file itself there",
                e);
        case NOT_A_FILE ->
            throw new PathException(
                PathException.Kind.NOT_A_FILE,
                directory.path() + "/" + path + " is no regular file; git needs one there",
                e);
        default -> throw e;
      }
    }
  }
}
