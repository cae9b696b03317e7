package harness.workspace;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;

/**
 * What lies below a directory that is moved or deleted as a whole. It is walked by handles, no link
 * is followed, and an interrupt ends the walk.
 */
final class Subtree {
  private final String shown;
  private final Wording wording;
  private final Fence fence;
  private final int maxEntries;
  private long files;
  private long directories;
  private long gone;

  /**
   * @param spot where the directory is
   */
  Subtree(Spot spot, int maxEntries) {
    this.shown = spot.shown();
    this.wording = spot.wording();
    this.fence = spot.fence();
    this.maxEntries = maxEntries;
  }

  private record Child(Name name, FileKind kind) {}

  /**
   * Looks through it all.
   *
   * @throws PathException where it holds git's own, or more than the most entries
   */
  void look(OpenDirectory top) throws IOException {
    files = 0;
    directories = 0;
    look(top, shown, 0);
  }

  private void look(OpenDirectory directory, String place, int depth) throws IOException {
    if (GitOwn.looks(directory)) {
      throw wording.holdsGit(place);
    }
    List<Name> below = new ArrayList<>();
    each(
        directory,
        (name, kind) -> {
          if (GitOwn.isNamed(name)) {
            throw wording.holdsGit(place + "/" + name);
          }
          if (kind == FileKind.DIRECTORY) {
            directories++;
            below.add(name);
          } else {
            files++;
          }
          if (files + directories > maxEntries) {
            throw wording.tooMany(maxEntries);
          }
        });
    for (Name name : below) {
      try (OpenDirectory next = entered(directory, name, depth)) {
        look(next, place + "/" + name, depth + 1);
      }
    }
  }

  private OpenDirectory entered(OpenDirectory directory, Name name, int depth) throws IOException {
    if (depth == Walk.MAX_DEPTH) {
      throw wording.tooDeep(Walk.MAX_DEPTH);
    }
    return directory.directory(name);
  }

  private interface Visit {
    void at(Name name, FileKind kind) throws IOException;
  }

  private static void each(OpenDirectory directory, Visit visit) throws IOException {
    try (OpenDirectory.Entries entries = directory.entries()) {
      while (entries.hasNext()) {
        checkInterrupt();
        Directory.Entry entry = entries.next();
        visit.at(Name.of(Name.bytesOf(entry.name())), entry.kind());
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Deletes it and the directory itself, after a look through it all.
   *
   * @param parent where it lies
   */
  Removable.Deleted delete(OpenDirectory top, OpenDirectory parent, Name name) throws IOException {
    look(top);
    long all = files + directories + 1;
    files = 0;
    directories = 0;
    try {
      empty(top, shown, 0);
      parent.removeDirectory(name);
    } catch (IOException e) {
      if (gone == 0) {
        throw e;
      }
      throw wording.deletedInPart(gone, all, e);
    }
    return new Removable.Deleted(files, directories + 1);
  }

  private void empty(OpenDirectory directory, String place, int depth) throws IOException {
    List<Child> children = new ArrayList<>();
    each(
        directory,
        (name, kind) -> {
          children.add(new Child(name, kind));
          if (gone + children.size() > maxEntries) {
            throw wording.tooMany(maxEntries);
          }
        });
    for (Child child : children) {
      checkInterrupt();
      fence.check();
      if (GitOwn.isNamed(child.name)) {
        throw wording.holdsGit(place + "/" + child.name);
      }
      try {
        if (child.kind == FileKind.DIRECTORY) {
          try (OpenDirectory next = entered(directory, child.name, depth)) {
            empty(next, place + "/" + child.name, depth + 1);
          }
          directory.removeDirectory(child.name);
          directories++;
        } else {
          directory.unlink(child.name);
          files++;
        }
      } catch (NoSuchFileException e) {
        // Somebody else has deleted it: that is what was asked for.
        continue;
      }
      gone++;
    }
  }

  private static void checkInterrupt() throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("stopped while going through a directory");
    }
  }
}
