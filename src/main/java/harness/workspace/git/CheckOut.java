package harness.workspace.git;

import harness.workspace.Content;
import harness.workspace.FileHandle;
import harness.workspace.WorktreeEntry;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;
import org.eclipse.jgit.attributes.Attributes;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;

/** Turns a blob of an index into the file that a worktree has. No filter runs. */
final class CheckOut {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final Repository repository;
  private final ObjectReader reader;
  private final WorktreeFiles files;

  CheckOut(Repository repository, ObjectReader reader, WorktreeFiles files) {
    this.repository = repository;
    this.reader = reader;
    this.files = files;
  }

  /** Why a file can't be written without running what its attributes name. */
  Optional<String> refusal(byte[] path, IndexFile index, int entry, Attributes attributes)
      throws IOException {
    if (FileMode.SYMLINK.equals(index.mode(entry))) {
      return Optional.empty();
    }
    for (String unknown : new String[] {"ident", "working-tree-encoding"}) {
      if (CheckIn.isGiven(attributes, unknown)) {
        return Optional.of(
            "has the attribute "
                + unknown
                + ", which is not applied here; use git restore in the shell");
      }
    }
    Optional<String> filter = CheckIn.filter(attributes);
    if (filter.isEmpty()) {
      return Optional.empty();
    }
    if (!isPointer(index.id(entry))) {
      return Optional.of(
          "has the attribute filter="
              + filter.get()
              + ", a program that is not run here; use git restore in the shell");
    }
    return isPointerOrMissing(path)
        ? Optional.empty()
        : Optional.of(
            "would become the pointer that git LFS keeps in git; use git restore in the shell");
  }

  private boolean isPointer(ObjectId id) throws IOException {
    ObjectLoader blob = reader.open(id, Constants.OBJ_BLOB);
    return blob.getSize() < LfsPointer.MAX_BYTES && LfsPointer.is(blob.getBytes());
  }

  private boolean isPointerOrMissing(byte[] path) throws IOException {
    try (FileHandle file = files.file(path);
        FileStream in = new FileStream(file)) {
      return LfsPointer.is(in.readNBytes(LfsPointer.MAX_BYTES));
    } catch (NoSuchFileException | NotDirectoryException e) {
      return true;
    }
  }

  /** Writes what the index has to its place. */
  void write(IndexFile index, int entry, Attributes attributes, WorktreeEntry place)
      throws IOException {
    ObjectId id = index.id(entry);
    boolean executable = FileMode.EXECUTABLE_FILE.equals(index.mode(entry));
    if (FileMode.SYMLINK.equals(index.mode(entry))) {
      boolean links = repository.getConfig().getBoolean("core", null, "symlinks", true);
      byte[] target = reader.open(id, Constants.OBJ_BLOB).getBytes();
      if (links) {
        place.link(target);
      } else {
        place.write(out -> out.write(target), false);
      }
      return;
    }
    Content blob = out -> copy(id, out);
    LineEnds ends = LineEnds.of(attributes, repository.getConfig());
    if (ends.changes() && ends.crlf()) {
      LineStats stats = new LineStats();
      blob.writeTo(stats);
      if (ends.toCrlf(stats)) {
        place.write(out -> blob.writeTo(LineEnds.crlf(out)), executable);
        return;
      }
    }
    place.write(blob, executable);
  }

  private void copy(ObjectId id, OutputStream out) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = reader.open(id, Constants.OBJ_BLOB).openStream()) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedIOException("stopped while a file was restored");
        }
        out.write(buffer, 0, read);
      }
    }
  }
}
