package harness.workspace;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.Optional;

/**
 * A place under the write root where git keeps a file or a link. No link leads to it, and what is
 * there is replaced itself, never what it links to. Between opening and closing no {@link Target}
 * of this process is open at the same place.
 */
public final class WorktreeEntry implements AutoCloseable {
  private static final int READ_BITS = 0444;
  private static final int EXECUTE_BITS = 0111;

  private final OpenDirectory parent;
  private final Name name;
  private final Wording wording;
  private final Places.Hold hold;
  private final Fence fence;

  /** Takes the handle and the hold over. */
  private WorktreeEntry(
      OpenDirectory parent, Name name, Wording wording, Places.Hold hold, Fence fence) {
    this.fence = fence;
    this.parent = parent;
    this.name = name;
    this.wording = wording;
    this.hold = hold;
  }

  /** Opens the place; missing directories on the way are made. */
  static WorktreeEntry open(OpenDirectory root, Literal literal, Wording wording, Fence fence)
      throws IOException {
    List<Name> names = literal.names();
    if (names.isEmpty()) {
      throw wording.notAFile(".", FileKind.DIRECTORY);
    }
    OpenDirectory at = root.again();
    boolean handedOn = false;
    try {
      for (int i = 0; i < names.size() - 1; i++) {
        OpenDirectory inner = enter(at, names.subList(0, i + 1), wording);
        at.close();
        at = inner;
      }
      Name last = names.getLast();
      if (GitOwn.completes(at, last)) {
        throw wording.completesGit(last.toString());
      }
      Optional<FileKind> kind = at.status(last).map(FileStatus::kind);
      if (kind.isPresent() && kind.get() != FileKind.FILE && kind.get() != FileKind.LINK) {
        throw wording.inTheWay(kind.get());
      }
      // It closes the handle where it fails.
      handedOn = true;
      Places.Hold hold = Held.hold(at, last, wording);
      return new WorktreeEntry(at, last, wording, hold, fence);
    } finally {
      if (!handedOn) {
        at.close();
      }
    }
  }

  private static OpenDirectory enter(OpenDirectory at, List<Name> names, Wording wording)
      throws IOException {
    Name name = names.getLast();
    OpenDirectory inner;
    try {
      inner = at.directory(name);
    } catch (NoSuchFileException e) {
      inner = make(at, name, wording);
    } catch (NotDirectoryException e) {
      throw wording.notThrough(new Literal(names).toString());
    }
    try {
      if (GitOwn.looks(inner)) {
        throw wording.gitOwn(new Literal(names).toString());
      }
      return inner;
    } catch (IOException e) {
      inner.close();
      throw e;
    }
  }

  private static OpenDirectory make(OpenDirectory at, Name name, Wording wording)
      throws IOException {
    if (GitOwn.completes(at, name)) {
      throw wording.completesGit(name.toString());
    }
    try {
      at.makeDirectory(name);
      at.sync();
    } catch (FileAlreadyExistsException e) {
      // Somebody else was faster; it is opened like anything else.
    }
    return at.directory(name);
  }

  /**
   * Puts a file there, whole or not at all, as {@link Target#replace} does; of a file that was
   * there the owner is kept, and the mode but for the right to execute.
   *
   * @return what is there now
   */
  public FileStatus write(Content content, boolean executable) throws IOException {
    return replaced(
        () -> {
          OpenDirectory.Temporary temporary = parent.temporary(Optional.of(name));
          try (temporary) {
            OutputStream out = TemporaryOutput.of(temporary);
            content.writeTo(out);
            out.flush();
            temporary.mode(
                mode -> executable ? mode | (mode & READ_BITS) >> 2 : mode & ~EXECUTE_BITS);
            temporary.sync();
            fence.check();
            parent.rename(temporary.name(), name);
          } catch (IOException | RuntimeException e) {
            remove(temporary.name(), e);
            throw e;
          }
        });
  }

  /**
   * Puts a link there, whole or not at all.
   *
   * @return what is there now
   */
  public FileStatus link(byte[] target) throws IOException {
    return replaced(
        () -> {
          Name temporary = parent.temporaryLink(target);
          try {
            fence.check();
            parent.rename(temporary, name);
          } catch (IOException | RuntimeException e) {
            remove(temporary, e);
            throw e;
          }
        });
  }

  private interface Replacing {
    void run() throws IOException;
  }

  private FileStatus replaced(Replacing replacing) throws IOException {
    try {
      replacing.run();
      parent.sync();
      return parent.status(name).orElseThrow(() -> new NoSuchFileException(name.toString()));
    } catch (IOException e) {
      throw wording.failed(Wording.WRITTEN, e);
    }
  }

  private void remove(Name temporary, Exception cause) {
    try {
      parent.unlink(temporary);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  @Override
  public void close() {
    parent.close();
    hold.close();
  }
}
