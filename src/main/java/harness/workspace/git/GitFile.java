package harness.workspace.git;

import harness.workspace.FileHandle;
import harness.workspace.Name;
import harness.workspace.PathException;
import harness.workspace.Way;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
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
    try (FileHandle opened = file.get()) {
      return Optional.of(bytes(opened, directory.path() + "/" + path, maxBytes));
    }
  }

  /**
   * All that an open file has.
   *
   * @param shown its name, for messages
   */
  static byte[] bytes(FileHandle file, String shown, int maxBytes) throws IOException {
    long size = file.status().size();
    // One more than it has, so that its end is met; it may also grow while it is read.
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(size, maxBytes) + 1);
    int read = 0;
    while (read >= 0) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("stopped while reading " + shown);
      }
      if (!buffer.hasRemaining()) {
        if (buffer.position() > maxBytes) {
          throw new GitException(
              shown + " is larger than " + maxBytes + " bytes, so it is not read");
        }
        int larger = (int) Math.min(maxBytes + 1L, buffer.capacity() * 2L);
        buffer = ByteBuffer.allocate(larger).put(buffer.flip());
      }
      read = file.read(buffer, buffer.position());
    }
    return Arrays.copyOf(buffer.array(), buffer.position());
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
