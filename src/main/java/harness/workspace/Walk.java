package harness.workspace;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * One walk along a path, name by name, each opened in the directory before it and none through a
 * link: a link is read, and what it says is walked instead of it. {@code ..} goes back to the
 * directory that the walk came from, which is still open. So where the walk is, is known by what it
 * holds, and nothing that is swapped meanwhile can lead it elsewhere.
 */
final class Walk implements AutoCloseable {
  /** How many links a path may go through, as on Linux. */
  static final int MAX_LINKS = 40;

  /** How many directories deep a path may lead; each is an open descriptor during the walk. */
  static final int MAX_DEPTH = 256;

  /** Where a walk ended. */
  sealed interface End {
    /** At a directory, the last one of the way. */
    record AtDirectory() implements End {}

    /**
     * At something else in the last directory of the way, which was no link when looked at; where
     * the entry itself is the aim, at whatever has the name.
     */
    record At(Name name, FileStatus status) implements End {}

    /**
     * At a name that the last directory of the way does not have. What follows it, where the aim is
     * to write, is {@link #rest()}.
     */
    record Missing(Name name) implements End {}
  }

  private final Ground ground;
  private final Wording wording;
  private final Aim aim;
  private final List<Level> way;
  private final Deque<Name> todo = new ArrayDeque<>();
  private int links;
  private boolean directoryMeant;

  /**
   * @param writing whether what is missing may be made, and only the write root is the place
   */
  Walk(Ground ground, Wording wording, boolean writing) {
    this(ground, wording, writing ? Aim.FILE : Aim.READ);
  }

  Walk(Ground ground, Wording wording, Aim aim) {
    this.ground = ground;
    this.wording = wording;
    this.aim = aim;
    this.way = new ArrayList<>(ground.way());
  }

  /** Walks. Called once. */
  End along(Steps steps) throws IOException {
    plan(aim == Aim.ENTRY ? entry(steps) : steps);
    End end = walk();
    if (writing() && !insideWriteRoot()) {
      throw wording.outsideWrite(links > 0);
    }
    return end;
  }

  private boolean writing() {
    return aim != Aim.READ;
  }

  /** Without the dots at the end, which only say that a directory is meant. */
  private Steps entry(Steps steps) throws PathException {
    List<Name> names = steps.names();
    while (!names.isEmpty() && names.getLast().isDot()) {
      directoryMeant = true;
      names = names.subList(0, names.size() - 1);
    }
    if (names.isEmpty() || names.getLast().isDotDot()) {
      throw wording.namesNoEntry();
    }
    return new Steps(steps.absolute(), names);
  }

  private End walk() throws IOException {
    while (!todo.isEmpty()) {
      Name name = todo.removeFirst();
      if (name.isDot()) {
        continue;
      }
      if (name.isDotDot()) {
        leave();
        continue;
      }
      if (ground.guarded() && GitOwn.isNamed(name)) {
        throw wording.gitOwn(name.toString());
      }
      if (!todo.isEmpty()) {
        if (!enter(name)) {
          return missing(name);
        }
        continue;
      }
      Optional<FileStatus> status = directory().status(name);
      if (status.isEmpty()) {
        return new End.Missing(name);
      }
      if (aim == Aim.ENTRY) {
        return entry(name, status.get());
      }
      switch (status.get().kind()) {
        case LINK -> follow(name);
        case DIRECTORY -> {
          if (!enter(name)) {
            return new End.Missing(name);
          }
        }
        case FILE, FIFO, SOCKET, DEVICE, OTHER -> {
          return new End.At(name, status.get());
        }
      }
    }
    return new End.AtDirectory();
  }

  private void plan(Steps steps) throws PathException {
    List<Name> names = steps.names();
    if (steps.absolute()) {
      names = ground.below(steps).orElseThrow(this::outside);
      while (way.size() > 1) {
        drop();
      }
    }
    for (Name name : names.reversed()) {
      todo.addFirst(name);
    }
    if (aim == Aim.FILE
        && !todo.isEmpty()
        && (todo.getLast().isDot() || todo.getLast().isDotDot())) {
      throw wording.namesADirectory();
    }
  }

  private PathException outside() {
    return writing() ? wording.outsideWrite(links > 0) : wording.outsideRead(links > 0);
  }

  private void leave() throws PathException {
    if (way.size() == 1) {
      throw outside();
    }
    drop();
  }

  private void drop() {
    Level level = way.removeLast();
    if (!ground.holds(level)) {
      level.directory().close();
    }
  }

  /** False where it is missing and may be made. */
  private boolean enter(Name name) throws IOException {
    try {
      open(name);
    } catch (NotDirectoryException e) {
      follow(name);
    } catch (NoSuchFileException e) {
      if (!writing()) {
        throw wording.notFound(place(name));
      }
      return false;
    }
    return true;
  }

  private End entry(Name name, FileStatus status) throws IOException {
    if (directoryMeant && status.kind() != FileKind.DIRECTORY) {
      throw wording.notADirectory(place(name));
    }
    return new End.At(name, status);
  }

  private void open(Name name) throws IOException {
    if (way.size() > MAX_DEPTH) {
      throw wording.tooDeep(MAX_DEPTH);
    }
    OpenDirectory directory = directory().directory(name);
    way.add(new Level(name, directory));
    if (ground.guarded() && GitOwn.looks(directory)) {
      throw wording.gitOwn(place());
    }
  }

  private void follow(Name name) throws IOException {
    byte[] target;
    try {
      target = directory().readLink(name);
    } catch (OpenDirectory.NotALinkException e) {
      throw wording.notADirectory(place(name));
    }
    links++;
    if (links > MAX_LINKS) {
      throw wording.linkLoop(MAX_LINKS);
    }
    plan(Steps.ofLink(target));
  }

  /** What follows a missing directory must be good before any of it is made. */
  private End missing(Name missing) throws IOException {
    if (!insideWriteRoot()) {
      throw wording.outsideWrite(links > 0);
    }
    for (Name name : todo) {
      if (name.isDotDot()) {
        throw wording.backFromMissing(place(missing));
      }
      if (GitOwn.isNamed(name)) {
        throw wording.gitOwn(name.toString());
      }
    }
    if (way.size() + todo.size() - 1 > MAX_DEPTH) {
      throw wording.tooDeep(MAX_DEPTH);
    }
    return new End.Missing(missing);
  }

  /** The names that follow the missing one. */
  List<Name> rest() {
    return todo.stream().filter(name -> !name.isDot()).toList();
  }

  /** The directory where the walk is. */
  OpenDirectory directory() {
    return way.getLast().directory();
  }

  /** A handle of the directory where the walk is, which stays open after the walk. */
  OpenDirectory keepDirectory() throws IOException {
    Level last = way.getLast();
    if (ground.holds(last)) {
      return last.directory().again();
    }
    way.removeLast();
    return last.directory();
  }

  /** All open directories from the read root down; they stay open after the walk. */
  List<Level> keepWay() {
    List<Level> kept = List.copyOf(way);
    way.clear();
    return kept;
  }

  private boolean insideWriteRoot() throws IOException {
    return startIndex() >= 0;
  }

  private int startIndex() throws IOException {
    int usual = ground.way().size() - 1;
    if (usual < way.size() && way.get(usual) == ground.start()) {
      return usual;
    }
    return Level.indexOf(ground.start().directory().key(), way);
  }

  /** How the place of a name in the last directory is shown. */
  String place(Name name) throws IOException {
    String parent = place();
    return switch (parent) {
      case "." -> name.toString();
      case "/" -> "/" + name;
      default -> parent + "/" + name;
    };
  }

  /** How the last directory is shown: relative to the write root in it, else absolute. */
  String place() throws IOException {
    int start = ground.relative() ? startIndex() : -1;
    StringBuilder text = new StringBuilder();
    if (start < 0) {
      ground.prefixes().getFirst().forEach(name -> text.append('/').append(name));
    }
    for (Level level : way.subList(Math.max(start, 0) + 1, way.size())) {
      text.append(start >= 0 && text.isEmpty() ? "" : "/").append(level.name());
    }
    return text.isEmpty() ? (start >= 0 ? "." : "/") : text.toString();
  }

  @Override
  public void close() {
    while (!way.isEmpty()) {
      drop();
    }
  }
}
