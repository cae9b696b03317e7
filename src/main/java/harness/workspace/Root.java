package harness.workspace;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The one place where a path argument becomes an open file. Relative means the working directory.
 * Reads stay under the read root (the workspace), writes under the write root (the working
 * directory), through links and whatever is swapped meanwhile; git's own files are out of reach.
 *
 * <p>A path is text in which a byte that is no UTF-8 is written {@code \xNN}. It is walked name by
 * name on open directories, so that there is no moment between a check and the use. A link is
 * followed where it ends inside; an absolute path or link has to start with the read root, as
 * configured or as it really is. What is refused is a {@link PathException}.
 *
 * <p>Two things it can't see: a hard link inside to a file that has another name outside, and a
 * directory that is moved out while it is open.
 */
public final class Root implements AutoCloseable {
  private static final int MAX_CHANGES = 8;

  private final Ground ground;
  private final String readRootGiven;
  private final String cwdGiven;
  private final String readRoot;
  private final String cwd;
  private final Fence fence = new Fence();

  private Root(Ground ground, String readRootGiven, String cwdGiven) {
    this.ground = ground;
    this.readRootGiven = readRootGiven;
    this.cwdGiven = cwdGiven;
    this.readRoot = text(ground.prefixes().getFirst());
    List<Name> names = new ArrayList<>(ground.prefixes().getFirst());
    ground.way().stream().skip(1).map(Level::name).forEach(names::add);
    this.cwd = text(names);
  }

  private static String text(List<Name> names) {
    StringBuilder text = new StringBuilder();
    names.forEach(name -> text.append('/').append(name));
    return text.isEmpty() ? "/" : text.toString();
  }

  /**
   * Opens both directories and holds them until it is closed.
   *
   * @param handles the system's files
   * @param readRoot the workspace root, absolute
   * @param cwd the Frame's working directory, absolute and normalised, under the read root; a link
   *     on the way to it may lead elsewhere under the read root
   */
  public static Root open(Handles handles, String readRoot, String cwd) throws PathException {
    Ground outer = openReadRoot(handles, readRoot);
    try {
      Wording wording = new Wording("the working directory ", cwd, readRoot, cwd);
      List<Level> way = openWay(outer, wording, Steps.normalised("the working directory", cwd));
      return new Root(new Ground(way, outer.prefixes(), true, true), readRoot, cwd);
    } catch (PathException | RuntimeException e) {
      Level.close(outer.way());
      throw e;
    }
  }

  /**
   * Checks a Frame's working directory as {@link #open} does, and holds nothing afterwards.
   *
   * @throws PathException that says what of it fails: absolute, normalised, inside the read root,
   *     there, a directory, not through a link that leaves the read root, none of git's own
   */
  public static void checkDirectory(Handles handles, String readRoot, String cwd)
      throws PathException {
    open(handles, readRoot, cwd).close();
  }

  /** The read root is the operator's word: links on the way to it are followed anywhere. */
  private static Ground openReadRoot(Handles handles, String readRoot) throws PathException {
    Wording wording = new Wording("the workspace root ", readRoot, "/", "/");
    Steps steps = Steps.normalised("the workspace root", readRoot);
    Level top;
    try {
      top = new Level(Name.of("/"), handles.top());
    } catch (IOException e) {
      throw wording.failed(Wording.OPENED, e);
    }
    Ground system = new Ground(List.of(top), List.of(List.of()), false, false);
    List<Level> way;
    try {
      way = openWay(system, wording, steps);
    } catch (PathException | RuntimeException e) {
      top.directory().close();
      throw e;
    }
    try {
      if (GitOwn.looks(way.getLast().directory())) {
        throw wording.gitOwn(readRoot);
      }
    } catch (IOException e) {
      Level.close(way);
      throw wording.failed(Wording.OPENED, e);
    }
    List<Name> real = way.stream().skip(1).map(Level::name).toList();
    Level.close(way.subList(0, way.size() - 1));
    return new Ground(List.of(way.getLast()), List.of(real, steps.names()), true, false);
  }

  private static List<Level> openWay(Ground ground, Wording wording, Steps steps)
      throws PathException {
    try (Walk walk = new Walk(ground, wording, false)) {
      return switch (walk.along(steps)) {
        case Walk.End.AtDirectory() -> walk.keepWay();
        case Walk.End.At(Name name, FileStatus status) ->
            throw wording.notADirectory(wording.path());
        case Walk.End.Missing(Name name) -> throw wording.notFound(wording.path());
      };
    } catch (IOException e) {
      throw wording.failed(Wording.OPENED, e);
    }
  }

  /** The working directory as a real, absolute path without links. */
  public String cwd() {
    return cwd;
  }

  /** The workspace root as a real, absolute path without links. */
  public String readRoot() {
    return readRoot;
  }

  /**
   * The open working directory.
   *
   * @param descriptor its number in this process
   * @param path where it is now, as the system's bytes
   * @param device with {@code inode}, which directory it is
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Entry(int descriptor, byte[] path, long device, long inode) {}

  /** What is started in the working directory. */
  public interface Entering<T> {
    T in(Entry entry) throws IOException;
  }

  /**
   * Hands the working directory to what starts a program in it; valid until the use returns.
   *
   * @throws IOException of the use, or where the handles are none of the system's own
   */
  public <T> T enter(Entering<T> use) throws IOException {
    return ground.start().directory().enter(use);
  }

  /** The way to the working directory, for git alone; good as long as this is open. */
  public Way way() {
    return Way.along(ground, ground.way(), readRootGiven);
  }

  /** Opens a regular file for reading. */
  public FileHandle file(String path) throws IOException {
    Wording wording = wording(path);
    try {
      for (int change = 0; change < MAX_CHANGES; change++) {
        Optional<FileHandle> file = tryFile(path, wording);
        if (file.isPresent()) {
          return file.get();
        }
      }
    } catch (IOException e) {
      throw wording.failed(Wording.OPENED, e);
    }
    throw wording.changing();
  }

  /** Empty where what was a file when it was looked at is none when it is opened. */
  private Optional<FileHandle> tryFile(String path, Wording wording) throws IOException {
    try (Walk walk = new Walk(ground, wording, false)) {
      switch (walk.along(Steps.of(path))) {
        case Walk.End.AtDirectory() -> throw wording.notAFile(walk.place(), FileKind.DIRECTORY);
        case Walk.End.Missing(Name name) -> throw wording.notFound(walk.place(name));
        case Walk.End.At(Name name, FileStatus status) -> {
          if (status.kind() != FileKind.FILE) {
            throw wording.notAFile(walk.place(name), status.kind());
          }
          try {
            return Optional.of(walk.directory().file(name));
          } catch (OpenDirectory.NotAFileException e) {
            return Optional.empty();
          }
        }
      }
    }
  }

  /** Opens a directory to walk through. */
  public Directory directory(String path) throws IOException {
    Wording wording = wording(path);
    try (Walk walk = new Walk(ground, wording, false)) {
      return switch (walk.along(Steps.of(path))) {
        case Walk.End.AtDirectory() -> {
          String shown = walk.place();
          yield new OpenedDirectory(walk.keepDirectory(), shown, wording);
        }
        case Walk.End.At(Name name, FileStatus status) ->
            throw wording.notADirectory(walk.place(name));
        case Walk.End.Missing(Name name) -> throw wording.notFound(walk.place(name));
      };
    } catch (IOException e) {
      throw wording.failed(Wording.OPENED, e);
    }
  }

  /** What lies at the path, links followed. */
  public FileStatus status(String path) throws IOException {
    Wording wording = wording(path);
    try (Walk walk = new Walk(ground, wording, false)) {
      return switch (walk.along(Steps.of(path))) {
        case Walk.End.AtDirectory() -> walk.directory().status();
        case Walk.End.At(Name name, FileStatus status) -> status;
        case Walk.End.Missing(Name name) -> throw wording.notFound(walk.place(name));
      };
    } catch (IOException e) {
      throw wording.failed(Wording.LOOKED_AT, e);
    }
  }

  /**
   * How a path is shown: relative to the working directory where it lies in it, else absolute;
   * links followed. Its last name need not be there.
   */
  public String shown(String path) throws IOException {
    Wording wording = wording(path);
    try (Walk walk = new Walk(ground, wording, false)) {
      return switch (walk.along(Steps.of(path))) {
        case Walk.End.AtDirectory() -> walk.place();
        case Walk.End.At(Name name, FileStatus status) -> walk.place(name);
        case Walk.End.Missing(Name name) -> walk.place(name);
      };
    } catch (IOException e) {
      throw wording.failed(Wording.LOOKED_AT, e);
    }
  }

  /**
   * Opens a place to write a file. A link that ends inside is followed. Waits while another target
   * is open at the same place, at most 60 s.
   *
   * @throws InterruptedIOException when interrupted in that wait, with the interrupt status kept
   */
  public Target target(String path) throws IOException {
    Held held = Held.of(ground, fence, List.of(wanted(path, Aim.FILE, Wording.WRITTEN)));
    return new OpenedTarget(held.spots().getFirst(), held.hold(), false);
  }

  /**
   * Opens places to change together.
   *
   * @param written where a file is to be written, each as {@link #target}
   * @param removed where a file is to be removed; a link there is none
   */
  public Targets targets(List<String> written, List<String> removed) throws IOException {
    List<Held.Wanted> wanted = new ArrayList<>();
    written.forEach(path -> wanted.add(wanted(path, Aim.FILE, Wording.WRITTEN)));
    removed.forEach(path -> wanted.add(wanted(path, Aim.ENTRY, Wording.DELETED)));
    return new Targets(Held.of(ground, fence, wanted));
  }

  /** Opens an entry of a directory, to delete it. A link is the entry itself. */
  public Removable removable(String path) throws IOException {
    Held held = Held.of(ground, fence, List.of(wanted(path, Aim.ENTRY, Wording.DELETED)));
    try {
      return new OpenedRemovable(held);
    } catch (PathException e) {
      held.close();
      throw e;
    }
  }

  /**
   * What was moved.
   *
   * @param from where it was, as it is shown
   * @param to where it is now
   * @param kind what it is
   */
  public record Moved(String from, String to, FileKind kind) {}

  /**
   * Gives an entry of a directory another place, where nothing is; missing directories on the way
   * to it are made. A link is moved itself. What holds a git repository or worktree stays.
   */
  public Moved move(String from, String to) throws IOException {
    try (Moving moving = moving(from, to)) {
      moving.move();
      return new Moved(moving.from(), moving.to(), moving.kind());
    }
  }

  /** The same, and it can be looked at before. */
  public Moving moving(String from, String to) throws IOException {
    Held held =
        Held.of(
            ground,
            fence,
            List.of(
                wanted(from, Aim.ENTRY, Wording.MOVED), wanted(to, Aim.ENTRY, Wording.WRITTEN)));
    try {
      return new Moving(held);
    } catch (PathException e) {
      held.close();
      throw e;
    }
  }

  /**
   * Makes a directory, and the missing ones on the way to it; a link that ends inside is followed.
   *
   * @return how it is shown where it was made; empty where a directory is there already
   */
  public Optional<String> makeDirectory(String path) throws IOException {
    Wording wording = wording(path);
    try (Walk walk = new Walk(ground, wording, Aim.DIRECTORY)) {
      return switch (walk.along(Steps.of(path))) {
        case Walk.End.AtDirectory() -> Optional.empty();
        case Walk.End.At(Name name, FileStatus status) ->
            throw wording.exists(walk.place(name), status.kind());
        case Walk.End.Missing(Name name) -> {
          List<Name> names = new ArrayList<>(List.of(name));
          names.addAll(walk.rest());
          StringBuilder shown = new StringBuilder(walk.place(name));
          walk.rest().forEach(next -> shown.append('/').append(next));
          try (NewDirectories made = new NewDirectories(walk.directory(), wording, fence)) {
            made.make(names);
            made.keep();
          }
          yield Optional.of(shown.toString());
        }
      };
    } catch (IOException e) {
      throw wording.failed(Wording.MADE, e);
    }
  }

  private Held.Wanted wanted(String path, Aim aim, String doing) {
    return new Held.Wanted(path, aim, doing, wording(path));
  }

  /**
   * A path for git, which takes it by its letters: relative to the working directory, {@code .} and
   * {@code ..} worked out, whatever is there; {@code .} for the working directory itself.
   *
   * @throws PathException where it leaves the working directory or names git's own
   */
  public String literal(String path) throws PathException {
    return literal(path, wording(path)).toString();
  }

  /**
   * Opens a place where git keeps a file or a link; missing directories on the way are made. Waits
   * as {@link #target} does.
   *
   * @param path taken by its letters, see {@link #literal}
   * @throws PathException where anything on the way is no directory, or a directory is there
   */
  public WorktreeEntry entry(String path) throws IOException {
    Wording wording = wording(path);
    try {
      return WorktreeEntry.open(ground.start().directory(), literal(path, wording), wording, fence);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      throw wording.failed(Wording.WRITTEN, e);
    }
  }

  private Literal literal(String path, Wording wording) throws PathException {
    return Literal.of(ground, cwdGiven, wording, path);
  }

  private Wording wording(String path) {
    return new Wording("", path, readRootGiven, cwdGiven);
  }

  /**
   * From now on nothing more is opened by it, and what is open replaces no file; from any thread.
   */
  @Override
  public void close() {
    fence.drop();
    Level.close(ground.way());
  }
}
