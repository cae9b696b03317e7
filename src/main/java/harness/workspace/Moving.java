package harness.workspace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * An entry that may be given another place, where nothing is. Between opening and closing no target
 * of this process is open at either place.
 */
public final class Moving implements AutoCloseable {
  private final Held held;
  private final Move move;
  private final FileKind kind;
  private final List<FileHandle> opened = new ArrayList<>();

  /**
   * Takes what is held over.
   *
   * @throws PathException where it can't be moved there; then it takes nothing over
   */
  Moving(Held held) throws PathException {
    this.held = held;
    this.move = new Move(held.spots().getFirst(), held.spots().getLast());
    this.kind = move.check();
  }

  /** What it is. */
  public FileKind kind() {
    return kind;
  }

  /** How it is shown where it is: relative to the working directory. */
  public String from() {
    return move.from().shown();
  }

  /** How it will be shown. */
  public String to() {
    return move.to().shown();
  }

  /** Opens it for reading, where it is a file. Closed with this. */
  public FileHandle file() throws IOException {
    try {
      FileHandle file = move.from().directory().file(move.from().name());
      opened.add(file);
      return file;
    } catch (IOException e) {
      throw move.from().wording().failed(Wording.OPENED, e);
    }
  }

  /** Moves it; missing directories on the way are made. */
  public void move() throws IOException {
    move.run();
  }

  @Override
  public void close() {
    opened.forEach(FileHandle::close);
    opened.clear();
    held.close();
  }
}
