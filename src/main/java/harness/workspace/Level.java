package harness.workspace;

import java.io.IOException;
import java.util.List;

/** An open directory on the way from the read root down, and the name it was opened by. */
final class Level {
  private final Name name;
  private final OpenDirectory directory;

  Level(Name name, OpenDirectory directory) {
    this.name = name;
    this.directory = directory;
  }

  Name name() {
    return name;
  }

  OpenDirectory directory() {
    return directory;
  }

  /** Where a directory lies on a way: its place, or -1 where the way does not lead through it. */
  static int indexOf(Object key, List<Level> way) throws IOException {
    for (int i = way.size() - 1; i >= 0; i--) {
      if (way.get(i).directory.key().equals(key)) {
        return i;
      }
    }
    return -1;
  }

  static void close(List<Level> levels) {
    levels.forEach(level -> level.directory.close());
  }
}
