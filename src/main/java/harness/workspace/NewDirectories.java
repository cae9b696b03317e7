package harness.workspace;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.List;

/** The directories that are made on the way to a place, and unmade where nothing came of it. */
final class NewDirectories implements AutoCloseable {
  /** One that was made, by its name in the directory around it. */
  private record Made(OpenDirectory in, Name name) {}

  private final Wording wording;
  private final Fence fence;
  private final List<OpenDirectory> opened = new ArrayList<>();
  private final List<Made> made = new ArrayList<>();
  private OpenDirectory deepest;

  /**
   * @param start where they are made; not closed here
   */
  NewDirectories(OpenDirectory start, Wording wording, Fence fence) {
    this.deepest = start;
    this.wording = wording;
    this.fence = fence;
  }

  /** The last one, or where they start. */
  OpenDirectory deepest() {
    return deepest;
  }

  /** Makes one in the other; what somebody else made meanwhile is as good. */
  void make(List<Name> names) throws IOException {
    for (Name name : names) {
      if (GitOwn.completes(deepest, name)) {
        throw wording.completesGit(name.toString());
      }
      fence.check();
      try {
        deepest.makeDirectory(name);
        made.add(new Made(deepest, name));
        deepest.sync();
      } catch (FileAlreadyExistsException e) {
        // What is there now is looked at like anything else.
      }
      OpenDirectory next = open(name);
      opened.add(next);
      if (GitOwn.looks(next)) {
        throw wording.gitOwn(name.toString());
      }
      deepest = next;
    }
  }

  private OpenDirectory open(Name name) throws IOException {
    try {
      return deepest.directory(name);
    } catch (NotDirectoryException e) {
      throw wording.changing();
    }
  }

  /** What was made stays. */
  void keep() {
    made.clear();
  }

  /** Closes what it opened, and removes what it made and what is not kept and still empty. */
  @Override
  public void close() {
    for (Made one : made.reversed()) {
      try {
        one.in.removeDirectory(one.name);
      } catch (IOException e) {
        // Somebody has put something there or taken it away: it is theirs now.
        break;
      }
    }
    made.clear();
    opened.forEach(OpenDirectory::close);
    opened.clear();
  }
}
