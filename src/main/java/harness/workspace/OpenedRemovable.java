package harness.workspace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** An entry that a walk led to and whose place this process holds. */
final class OpenedRemovable implements Removable {
  private final Spot spot;
  private final Wording wording;
  private final Held held;
  private final FileKind kind;
  private final List<FileHandle> opened = new ArrayList<>();

  /**
   * Takes what is held over.
   *
   * @throws PathException where nothing is there; then it takes nothing over
   */
  OpenedRemovable(Held held) throws PathException {
    this.spot = held.spots().getFirst();
    this.wording = spot.wording();
    this.held = held;
    this.kind = spot.kind().orElseThrow(() -> wording.notFound(spot.shown()));
  }

  @Override
  public FileKind kind() {
    return kind;
  }

  @Override
  public FileHandle file() throws IOException {
    try {
      FileHandle file = spot.directory().file(spot.name());
      opened.add(file);
      return file;
    } catch (IOException e) {
      throw wording.failed(Wording.OPENED, e);
    }
  }

  @Override
  public Deleted delete() throws IOException {
    OpenDirectory parent = spot.directory();
    try {
      Deleted deleted;
      if (kind == FileKind.DIRECTORY) {
        try (OpenDirectory top = parent.directory(spot.name())) {
          deleted = new Subtree(spot, MAX_DELETED).delete(top, parent, spot.name());
        }
      } else {
        spot.fence().check();
        parent.unlink(spot.name());
        deleted = new Deleted(1, 0);
      }
      parent.sync();
      return deleted;
    } catch (IOException e) {
      throw wording.failed(Wording.DELETED, e);
    }
  }

  @Override
  public String shown() {
    return spot.shown();
  }

  @Override
  public void close() {
    opened.forEach(FileHandle::close);
    opened.clear();
    held.close();
  }
}
