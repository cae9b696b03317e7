package harness.workspace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A place that a walk led to and that this process holds. */
final class OpenedTarget implements Target {
  private static final int COPIED_BYTES = 64 * 1024;
  private static final int READ_BITS = 0444;
  private static final int RUN_BITS = 0111;
  private static final int KEPT_MODE = 0777;

  private final Spot spot;
  private final Wording wording;
  private final Places.Hold hold;
  private final Fence fence;
  private final boolean undoable;
  private final NewDirectories parents;
  private final List<FileHandle> opened = new ArrayList<>();
  private boolean reached;
  private boolean mustBeNew;
  private boolean removal;
  private Optional<OpenDirectory.Temporary> staged = Optional.empty();

  /** What was there at the last look. */
  private Optional<FileHandle> before = Optional.empty();

  /** To put back what was there: an empty file with its mode and owner. */
  private Optional<OpenDirectory.Temporary> spare = Optional.empty();

  /**
   * Takes the spot and the hold over.
   *
   * @param undoable whether a commit may be undone
   */
  OpenedTarget(Spot spot, Places.Hold hold, boolean undoable) {
    this.undoable = undoable;
    this.spot = spot;
    this.wording = spot.wording();
    this.hold = hold;
    this.fence = spot.fence();
    this.parents = new NewDirectories(spot.directory(), wording, fence);
    this.reached = spot.missingDirectories().isEmpty();
  }

  private OpenDirectory parent() {
    return parents.deepest();
  }

  @Override
  public synchronized Optional<FileHandle> current() throws IOException {
    mustBeNew = true;
    before = Optional.empty();
    if (!reached) {
      return before;
    }
    try {
      FileHandle file = parent().file(spot.name());
      opened.add(file);
      mustBeNew = false;
      before = Optional.of(file);
      return before;
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw wording.failed(Wording.READ, e);
    }
  }

  @Override
  public void stage(byte[] content) throws IOException {
    drop();
    try {
      fence.check();
      prepareUndo();
      if (!reached) {
        parents.make(spot.missingDirectories());
        reached = true;
      }
      OpenDirectory.Temporary temporary = parent().temporary(Optional.of(spot.name()));
      staged = Optional.of(temporary);
      temporary.write(content);
      temporary.sync();
      Leftovers.OF_PROCESS.sweep(parent(), temporary.name());
    } catch (IOException e) {
      throw wording.failed(Wording.WRITTEN, e);
    }
  }

  @Override
  public void stageMode(boolean executable) throws IOException {
    try {
      staged
          .orElseThrow(() -> new IllegalStateException("no content is staged"))
          .mode(mode -> executable ? mode | (mode & READ_BITS) >> 2 : mode & KEPT_MODE & ~RUN_BITS);
    } catch (IOException e) {
      throw wording.failed(Wording.WRITTEN, e);
    }
  }

  @Override
  public void stageRemoval() throws IOException {
    drop();
    try {
      prepareUndo();
    } catch (IOException e) {
      throw wording.failed(Wording.DELETED, e);
    }
    removal = true;
  }

  private void prepareUndo() throws IOException {
    if (undoable && before.isPresent()) {
      spare = Optional.of(parent().temporary(Optional.of(spot.name())));
    }
  }

  boolean removes() {
    return removal;
  }

  @Override
  public void commit() throws IOException {
    put();
    settle();
  }

  /** Commits, without waiting for stable storage. */
  void put() throws IOException {
    try {
      fence.check();
      if (removal) {
        parent().unlink(spot.name());
        return;
      }
      OpenDirectory.Temporary temporary =
          staged.orElseThrow(() -> new IllegalStateException("nothing is staged"));
      if (GitOwn.completes(parent(), spot.name())) {
        throw wording.completesGit(spot.name().toString());
      }
      if (mustBeNew) {
        parent().move(temporary.name(), parent(), spot.name());
      } else {
        parent().rename(temporary.name(), spot.name());
      }
      staged = Optional.empty();
      temporary.close();
    } catch (FileAlreadyExistsException e) {
      throw wording.appeared();
    } catch (IOException e) {
      throw wording.failed(removal ? Wording.DELETED : Wording.WRITTEN, e);
    }
  }

  /** Puts back what was there before {@link #put()}. */
  void undo() throws IOException {
    if (before.isEmpty()) {
      parent().unlink(spot.name());
      return;
    }
    OpenDirectory.Temporary copy = spare.orElseThrow();
    ByteBuffer block = ByteBuffer.allocate(COPIED_BYTES);
    long position = 0;
    for (int read; (read = before.get().read(block, position)) >= 0; position += read) {
      copy.write(Arrays.copyOf(block.array(), read));
      block.clear();
    }
    copy.sync();
    parent().rename(copy.name(), spot.name());
    spare = Optional.empty();
    copy.close();
  }

  /** A commit is to stay: waits for stable storage. */
  void settle() throws IOException {
    parents.keep();
    drop();
    try {
      parent().sync();
    } catch (IOException e) {
      throw wording.notSurelyKept(e);
    }
  }

  /** Forgets what was staged and not committed. */
  void drop() {
    removal = false;
    for (Optional<OpenDirectory.Temporary> file : List.of(staged, spare)) {
      try {
        if (file.isPresent()) {
          remove(file.get());
        }
      } catch (IOException e) {
        // It is one that a later write in this directory sweeps away.
        continue;
      }
    }
    staged = Optional.empty();
    spare = Optional.empty();
  }

  private void remove(OpenDirectory.Temporary file) throws IOException {
    try (file) {
      parent().unlink(file.name());
    }
  }

  @Override
  public String shown() {
    return spot.shown();
  }

  @Override
  public synchronized void close() {
    opened.forEach(FileHandle::close);
    opened.clear();
    drop();
    parents.close();
    spot.close();
    hold.close();
  }
}
