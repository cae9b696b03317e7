package harness.workspace.git;

import harness.workspace.Directory;
import harness.workspace.FileKind;
import harness.workspace.Name;
import harness.workspace.OpenDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes and removes what a slot is built of, by names in open directories. */
final class SlotFiles {
  /** How deep what is removed may lie; deeper than a checkout ever is. */
  private static final int MAX_DEPTH = 2 * TreeContents.MAX_DEPTH;

  private SlotFiles() {}

  static Name name(String text) throws IOException {
    return Name.of(Name.bytesOf(text));
  }

  /** Opens a directory, which is made where it is missing. */
  static OpenDirectory enter(OpenDirectory in, String name) throws IOException {
    try {
      return in.directory(name(name));
    } catch (NoSuchFileException e) {
      try {
        in.makeDirectory(name(name));
      } catch (FileAlreadyExistsException made) {
        // Somebody else was faster.
      }
      return in.directory(name(name));
    }
  }

  /**
   * Puts a file there, whole or not at all, over what was there. It is not waited for until it is
   * on stable storage: that would wait for all files of the checkout too, as git does not either.
   */
  static void put(OpenDirectory in, String name, byte[] content) throws IOException {
    OpenDirectory.Temporary file = in.temporary(Optional.empty());
    try (file) {
      file.write(content);
      in.rename(file.name(), name(name));
    } catch (IOException | RuntimeException e) {
      in.unlink(file.name());
      throw e;
    }
  }

  static void put(OpenDirectory in, String name, String content) throws IOException {
    put(in, name, content.getBytes(StandardCharsets.UTF_8));
  }

  /** Whether anything has the name. */
  static boolean has(OpenDirectory in, String name) throws IOException {
    return in.status(name(name)).isPresent();
  }

  /** The directories in it whose names begin so. */
  static List<Name> directories(OpenDirectory in, String prefix) throws IOException {
    List<Name> found = new ArrayList<>();
    for (Directory.Entry entry : entries(in)) {
      if (entry.name().startsWith(prefix) && entry.kind() == FileKind.DIRECTORY) {
        found.add(name(entry.name()));
      }
    }
    return found;
  }

  /** Removes a directory with all that is in it; links are removed and not followed. */
  static void remove(OpenDirectory in, Name name) throws IOException, InterruptedException {
    remove(in, name, 0);
  }

  private static void remove(OpenDirectory in, Name name, int depth)
      throws IOException, InterruptedException {
    if (depth > MAX_DEPTH) {
      throw new GitException(name + " lies too deep to be removed; remove it by hand");
    }
    try (OpenDirectory inner = in.directory(name)) {
      for (Directory.Entry entry : entries(inner)) {
        Interrupts.check();
        if (entry.kind() == FileKind.DIRECTORY) {
          remove(inner, name(entry.name()), depth + 1);
        } else {
          inner.unlink(name(entry.name()));
        }
      }
    }
    in.removeDirectory(name);
  }

  private static List<Directory.Entry> entries(OpenDirectory in) throws IOException {
    List<Directory.Entry> all = new ArrayList<>();
    try (OpenDirectory.Entries entries = in.entries()) {
      entries.forEachRemaining(all::add);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return all;
  }
}
