package harness.workspace;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A place that a walk led to and that this process holds. */
final class OpenedTarget implements Target {
  private final OpenDirectory parent;
  private final Name name;
  private final String shown;
  private final Wording wording;
  private final Places.Hold hold;
  private final Fence fence;
  private final List<FileHandle> opened = new ArrayList<>();

  /** Takes the handle and the hold over. */
  OpenedTarget(
      OpenDirectory parent,
      Name name,
      String shown,
      Wording wording,
      Places.Hold hold,
      Fence fence) {
    this.parent = parent;
    this.name = name;
    this.shown = shown;
    this.wording = wording;
    this.hold = hold;
    this.fence = fence;
  }

  @Override
  public Optional<FileHandle> current() throws IOException {
    try {
      FileHandle file = parent.file(name);
      synchronized (opened) {
        opened.add(file);
      }
      return Optional.of(file);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw wording.failed(Wording.READ, e);
    }
  }

  @Override
  public void replace(byte[] content) throws IOException {
    try {
      fence.check();
      OpenDirectory.Temporary temporary = parent.temporary(Optional.of(name));
      try (temporary) {
        temporary.write(content);
        temporary.sync();
        fence.check();
        parent.rename(temporary.name(), name);
      } catch (IOException | RuntimeException e) {
        remove(temporary.name(), e);
        throw e;
      }
    } catch (IOException e) {
      throw wording.failed(Wording.WRITTEN, e);
    }
    try {
      parent.sync();
    } catch (IOException e) {
      throw wording.notSurelyKept(e);
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
  public String shown() {
    return shown;
  }

  @Override
  public void close() {
    synchronized (opened) {
      opened.forEach(FileHandle::close);
      opened.clear();
    }
    parent.close();
    hold.close();
  }
}
