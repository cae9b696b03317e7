package harness.tool;

import harness.workspace.Directory;
import harness.workspace.FileKind;
import harness.workspace.IgnoreFiles;
import harness.workspace.Ignores;
import harness.workspace.PathException;
import harness.workspace.Root;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Goes through all that lies below a directory without following a link and without git's own
 * files; what ignore files exclude is left out unless asked for. Several threads look at what they
 * come to, each at the earliest that no other has; what they find is taken in the order of names,
 * whoever was faster, so that a walk has one result alone.
 *
 * @param <F> what is found in an entry
 */
final class Walk<F> {
  /** How deep it goes. */
  static final int MAX_DEPTH = 200;

  /** How many names the directories on the way to one hold, itself included. */
  static final int MAX_HELD_NAMES = 250_000;

  /** How many entries it looks at in all, but for the last directory. */
  static final int MAX_ENTRIES = 2_000_000;

  /** How many entries one thread looks at in one go. */
  private static final int RUN = 32;

  private static final int MAX_NOTES = 10;
  private static final String GIT = ".git";

  /** Looks at what is found; each thread has one of its own. */
  interface Visitor<F> {
    /** Whether to look into a directory. */
    boolean enters(String path);

    /** Whether to look at an entry, directories too. */
    boolean wants(Directory.Entry entry, String path);

    /**
     * Looks at an entry.
     *
     * @throws IOException where it can't be read; the walk notes that and goes on
     */
    F visit(Directory directory, Directory.Entry entry, String path)
        throws IOException, InterruptedException;
  }

  /** Takes what was found, in order, one at a time. */
  interface Taker<F> {
    /** False ends the walk. */
    boolean take(String path, F found);

    /** About how much memory it takes until then, in characters. */
    int weight(F found);
  }

  private final Root root;
  private final boolean ignored;
  private final Crew crew;
  private final IgnoreFiles files;
  private final ThreadLocal<Visitor<F>> visitor;
  private final Taker<F> taker;
  private final Set<String> notes = new LinkedHashSet<>();
  private int unreadable;
  private String firstUnreadable = "";
  private boolean leftOut;
  private int seen;

  /**
   * @param ignored whether to go through what ignore files exclude, too
   * @param visitors makes one for each thread
   */
  Walk(Root root, boolean ignored, Crew crew, Supplier<Visitor<F>> visitors, Taker<F> taker) {
    this.root = root;
    this.ignored = ignored;
    this.crew = crew;
    this.files = new IgnoreFiles(root);
    this.visitor = ThreadLocal.withInitial(visitors);
    this.taker = taker;
  }

  /** How paths below a directory are shown: what to put before them. */
  static String prefix(Directory base) {
    String shown = base.shown();
    if (shown.equals(".")) {
      return "";
    }
    return shown.endsWith("/") ? shown : shown + "/";
  }

  /**
   * Goes through what lies below a directory, and closes it.
   *
   * @return false where time ended it
   */
  boolean through(Directory base) throws IOException, InterruptedException {
    String shown = base.shown();
    String absolute =
        shown.equals(".") ? root.cwd() : shown.startsWith("/") ? shown : root.cwd() + "/" + shown;
    Top top = new Top(base, absolute);
    Ordered<Found<F>> parts = new Ordered<>(top, this::take);
    boolean inTime;
    try {
      inTime = crew.run(parts::work);
    } finally {
      parts.close();
    }
    if (top.failure instanceof IOException e) {
      throw e;
    }
    return inTime;
  }

  /** Whether something was left out because ignore files exclude it. */
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

  /** What came of a part of the walk, in order. */
  private static final class Found<F> {
    private final List<Entry<F>> entries = new ArrayList<>(0);
    private final List<String> notes = new ArrayList<>(0);
    private int looked;
    private boolean leftOut;
  }

  /** What came of an entry. */
  private sealed interface Entry<F> {
    record Seen<F>(String path, F found) implements Entry<F> {}

    record Unreadable<F>(String path, IOException why) implements Entry<F> {}
  }

  private boolean take(Found<F> found) {
    seen += found.looked;
    leftOut |= found.leftOut;
    found.notes.stream().limit(Math.max(0, MAX_NOTES - notes.size())).forEach(notes::add);
    for (Entry<F> entry : found.entries) {
      switch (entry) {
        case Entry.Seen<F>(String path, F what) -> {
          if (!taker.take(path, what)) {
            return false;
          }
        }
        case Entry.Unreadable<F>(String path, IOException why) -> unreadable(path, why);
      }
    }
    if (seen >= MAX_ENTRIES) {
      notes.add("nothing was looked at after " + MAX_ENTRIES + " entries; give a narrower path");
    }
    return seen < MAX_ENTRIES;
  }

  private void unreadable(String path, IOException e) {
    if (unreadable++ == 0) {
      firstUnreadable =
          e instanceof PathException
              ? String.valueOf(e.getMessage())
              : path + ": " + e.getMessage();
    }
  }

  /** The directory where the walk begins. */
  private final class Top implements Ordered.Part<Found<F>> {
    private final Directory base;
    private final String absolute;
    private volatile @Nullable IOException failure;

    Top(Directory base, String absolute) {
      this.base = base;
      this.absolute = absolute;
    }

    @Override
    public Ordered.Done<Found<F>> run() throws InterruptedException {
      WalkLevel level =
          new WalkLevel(base, "", absolute, Ignores.NONE, 0, MAX_HELD_NAMES, new AtomicInteger(1));
      try {
        Ignores outer = ignored ? Ignores.NONE : files.above(absolute);
        return new Expansion(level.with(outer)).expand();
      } catch (IOException e) {
        failure = e;
        return new Ordered.Done<>(new Found<>(), 0, List.of());
      } finally {
        level.letGo();
      }
    }

    @Override
    public void drop() {
      base.close();
    }
  }

  /** Some entries of one directory. */
  private final class Run implements Ordered.Part<Found<F>> {
    private final WalkLevel level;
    private final List<Directory.Entry> entries;

    Run(WalkLevel level, List<Directory.Entry> entries) {
      this.level = level.held();
      this.entries = entries;
    }

    @Override
    public Ordered.Done<Found<F>> run() throws InterruptedException {
      try {
        Found<F> found = new Found<>();
        int weight = 0;
        for (Directory.Entry entry : entries) {
          Blocks.checkInterrupt();
          String path = level.path() + entry.name();
          try {
            F what = visitor.get().visit(level.directory(), entry, path);
            weight += taker.weight(what);
            found.entries.add(new Entry.Seen<>(path, what));
          } catch (IOException e) {
            found.entries.add(new Entry.Unreadable<>(path, e));
          }
        }
        return new Ordered.Done<>(found, weight, List.of());
      } finally {
        level.letGo();
      }
    }

    @Override
    public void drop() {
      level.letGo();
    }
  }

  /** A directory to open and look into. */
  private final class Inner implements Ordered.Part<Found<F>> {
    private final WalkLevel outer;
    private final String name;

    Inner(WalkLevel outer, String name) {
      this.outer = outer.held();
      this.name = name;
    }

    @Override
    public Ordered.Done<Found<F>> run() throws InterruptedException {
      String path = outer.path() + name;
      try {
        Directory opened = outer.directory().directory(name);
        WalkLevel level =
            new WalkLevel(
                opened,
                path + "/",
                outer.absolute(name),
                outer.ignores(),
                outer.depth() + 1,
                outer.room(),
                new AtomicInteger(1));
        try {
          return new Expansion(level).expand();
        } finally {
          level.letGo();
        }
      } catch (IOException e) {
        Found<F> found = new Found<>();
        if (!(e instanceof PathException own && own.kind() == PathException.Kind.GIT_OWN)) {
          found.entries.add(new Entry.Unreadable<>(path, e));
        }
        return new Ordered.Done<>(found, 0, List.of());
      } finally {
        outer.letGo();
      }
    }

    @Override
    public void drop() {
      outer.letGo();
    }
  }

  /** What lies in one directory, as parts of the walk. */
  private final class Expansion {
    private final WalkLevel level;
    private final Found<F> found = new Found<>();
    private final List<Ordered.Part<Found<F>>> parts = new ArrayList<>();
    private boolean git;
    private boolean ruled;

    Expansion(WalkLevel level) {
      this.level = level;
    }

    Ordered.Done<Found<F>> expand() throws IOException, InterruptedException {
      List<Directory.Entry> entries = sorted();
      WalkLevel inner = level;
      if (!ignored && (git || ruled)) {
        // The directory where the walk begins may be the top of a repository, too.
        Ignores own = files.in(level.directory(), level.absolute(), level.ignores(), git, ruled);
        inner = level.with(own);
        if (own.partial()) {
          found.notes.add("some ignore rules were left out, because they are too many or too long");
        }
      }
      inner = inner.withRoom(level.room() - entries.size());
      boolean whole = false;
      try {
        add(entries, inner);
        whole = true;
      } finally {
        if (!whole) {
          parts.forEach(Ordered.Part::drop);
        }
      }
      return new Ordered.Done<>(found, 0, parts);
    }

    private List<Directory.Entry> sorted() throws IOException, InterruptedException {
      List<Directory.Entry> entries = new ArrayList<>();
      try {
        for (Iterator<Directory.Entry> all = level.directory().entries(); all.hasNext(); ) {
          Blocks.checkInterrupt();
          if (entries.size() >= level.room()) {
            found.notes.add(
                Shown.path(level.directory().shown())
                    + " has too many entries to look at all of them");
            break;
          }
          Directory.Entry entry = all.next();
          git |= entry.name().equals(GIT);
          ruled |= entry.name().equals(Ignores.FILE_NAME);
          entries.add(entry);
        }
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
      found.looked = entries.size();
      entries.sort(Comparator.comparing(Directory.Entry::name));
      return entries;
    }

    private void add(List<Directory.Entry> entries, WalkLevel inner) throws InterruptedException {
      Visitor<F> own = visitor.get();
      String inside = IgnoreFiles.inside(inner.absolute());
      List<Directory.Entry> run = new ArrayList<>();
      for (Directory.Entry entry : entries) {
        Blocks.checkInterrupt();
        boolean isDirectory = entry.kind() == FileKind.DIRECTORY;
        if (entry.name().equalsIgnoreCase(GIT)) {
          continue;
        }
        if (inner.ignores().ignores(inside, Ignores.bytes(entry.name()), isDirectory)) {
          found.leftOut = true;
          continue;
        }
        String path = inner.path() + entry.name();
        if (own.wants(entry, path)) {
          run.add(entry);
        }
        boolean enters = isDirectory && own.enters(path);
        if (enters && inner.depth() + 1 >= MAX_DEPTH) {
          found.notes.add("nothing deeper than " + MAX_DEPTH + " directories was looked at");
          enters = false;
        }
        if (run.size() == RUN || enters) {
          run = flush(run, inner);
        }
        if (enters) {
          parts.add(new Inner(inner, entry.name()));
        }
      }
      flush(run, inner);
    }

    private List<Directory.Entry> flush(List<Directory.Entry> run, WalkLevel inner) {
      if (run.isEmpty()) {
        return run;
      }
      parts.add(new Run(inner, run));
      return new ArrayList<>();
    }
  }
}
