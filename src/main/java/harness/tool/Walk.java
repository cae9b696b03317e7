package harness.tool;

import harness.workspace.Directory;
import harness.workspace.FileKind;
import harness.workspace.PathException;
import harness.workspace.Root;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;

/**
 * Goes through all that lies below a directory, in the order of names, without following a link and
 * without git's own files; what {@code .gitignore} files exclude is left out unless asked for.
 */
final class Walk {
  /** How deep it goes; each level holds a directory open. */
  static final int MAX_DEPTH = 200;

  /** How many names it holds at once, over all levels. */
  static final int MAX_HELD_NAMES = 250_000;

  /** How many entries it looks at in all. */
  static final int MAX_ENTRIES = 2_000_000;

  private static final String GIT = ".git";

  /** What is done with what is found. Paths are relative to where the walk began. */
  interface Visitor {
    /** Whether to look into a directory. */
    boolean enters(String path);

    /**
     * Takes an entry, directories too; false ends the walk.
     *
     * @throws IOException where it can't be read; the walk notes that and goes on
     */
    boolean takes(Directory directory, Directory.Entry entry, String path)
        throws IOException, InterruptedException;
  }

  private final Root root;
  private final boolean ignored;
  private final Visitor visitor;
  private final List<String> notes = new ArrayList<>();
  private int unreadable;
  private String firstUnreadable = "";
  private boolean leftOut;
  private int held;
  private int seen;

  /**
   * @param ignored whether to go through what {@code .gitignore} excludes, too
   */
  Walk(Root root, boolean ignored, Visitor visitor) {
    this.root = root;
    this.ignored = ignored;
    this.visitor = visitor;
  }

  /** How paths below a directory are shown: what to put before them. */
  static String prefix(Directory base) {
    String shown = base.shown();
    if (shown.equals(".")) {
      return "";
    }
    return shown.endsWith("/") ? shown : shown + "/";
  }

  void through(Directory base) throws IOException, InterruptedException {
    String absolute = absolute(base);
    directory(base, "", absolute, ignored ? Ignores.NONE : above(absolute), 0);
  }

  /** Whether something was left out because {@code .gitignore} excludes it. */
  boolean leftOut() {
    return leftOut;
  }

  /** Sentences about what was not looked at. */
  List<String> notes() {
    List<String> all = new ArrayList<>(notes);
    if (unreadable > 0) {
      all.add(unreadable + " could not be read, the first: " + firstUnreadable);
    }
    return all;
  }

  private void unreadable(String path, IOException e) {
    if (unreadable++ == 0) {
      firstUnreadable =
          e instanceof PathException
              ? String.valueOf(e.getMessage())
              : path + ": " + e.getMessage();
    }
  }

  private boolean directory(
      Directory directory, String path, String absolute, Ignores outer, int depth)
      throws IOException, InterruptedException {
    List<Directory.Entry> entries = sorted(directory);
    try {
      Ignores ignores = outer;
      if (!ignored) {
        // Another repository inside this one has its own rules alone.
        Ignores here = depth > 0 && has(entries, GIT) ? Ignores.NONE : outer;
        ignores = has(entries, Ignores.FILE_NAME) ? here.with(directory, absolute) : here;
      }
      for (Directory.Entry entry : entries) {
        Blocks.checkInterrupt();
        if (!entry(directory, entry, path, absolute, ignores, depth)) {
          return false;
        }
      }
      return true;
    } finally {
      held -= entries.size();
    }
  }

  private boolean entry(
      Directory directory,
      Directory.Entry entry,
      String path,
      String absolute,
      Ignores ignores,
      int depth)
      throws IOException, InterruptedException {
    if (entry.name().equalsIgnoreCase(GIT)) {
      return true;
    }
    String below = path + entry.name();
    String full = absolute.endsWith("/") ? absolute + entry.name() : absolute + "/" + entry.name();
    boolean isDirectory = entry.kind() == FileKind.DIRECTORY;
    if (ignores.ignores(full, isDirectory)) {
      leftOut = true;
      return true;
    }
    try {
      if (!visitor.takes(directory, entry, below)) {
        return false;
      }
    } catch (IOException e) {
      unreadable(below, e);
      return true;
    }
    if (!isDirectory || !visitor.enters(below)) {
      return true;
    }
    if (depth + 1 >= MAX_DEPTH) {
      note("nothing deeper than " + MAX_DEPTH + " directories was looked at");
      return true;
    }
    Directory inner;
    try {
      inner = directory.directory(entry.name());
    } catch (PathException e) {
      if (e.kind() != PathException.Kind.GIT_OWN) {
        unreadable(below, e);
      }
      return true;
    } catch (IOException e) {
      unreadable(below, e);
      return true;
    }
    try (inner) {
      return directory(inner, below + "/", full, ignores, depth + 1);
    }
  }

  private List<Directory.Entry> sorted(Directory directory)
      throws IOException, InterruptedException {
    List<Directory.Entry> entries = new ArrayList<>();
    for (Iterator<Directory.Entry> all = directory.entries(); all.hasNext(); ) {
      Blocks.checkInterrupt();
      if (held >= MAX_HELD_NAMES || seen >= MAX_ENTRIES) {
        note(
            seen >= MAX_ENTRIES
                ? "nothing was looked at after " + MAX_ENTRIES + " entries; give a narrower path"
                : Shown.path(directory.shown()) + " has too many entries to look at all of them");
        break;
      }
      entries.add(all.next());
      held++;
      seen++;
    }
    entries.sort(Comparator.comparing(Directory.Entry::name));
    return entries;
  }

  private void note(String note) {
    if (!notes.contains(note) && notes.size() < 10) {
      notes.add(note);
    }
  }

  private static boolean has(List<Directory.Entry> entries, String name) {
    return entries.stream().anyMatch(entry -> entry.name().equals(name));
  }

  private String absolute(Directory base) {
    String shown = base.shown();
    if (shown.equals(".")) {
      return root.cwd();
    }
    return shown.startsWith("/") ? shown : root.cwd() + "/" + shown;
  }

  /** The rules of the directories above, from the workspace root down. */
  private Ignores above(String absolute) throws IOException, InterruptedException {
    Ignores ignores = Ignores.NONE;
    String top = root.readRoot();
    for (int end = top.length(); end < absolute.length() && absolute.startsWith(top); ) {
      String ancestor = absolute.substring(0, Math.max(1, end));
      try (Directory directory = root.directory(ancestor)) {
        ignores = ignores.with(directory, ancestor);
      } catch (PathException e) {
        // One that can't be opened has no rules that hold here.
        return ignores;
      }
      int next = absolute.indexOf('/', end + 1);
      end = next < 0 ? absolute.length() : next;
    }
    return ignores;
  }
}
