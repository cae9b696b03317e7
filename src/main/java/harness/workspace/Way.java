package harness.workspace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An open directory under the read root, with the open directories that lead to it and without a
 * guard over git's own files: what {@link harness.workspace.git} stands on, and nothing else. A
 * path from it is walked as {@link Root} walks one, so that it never leaves the read root.
 */
public final class Way implements AutoCloseable {
  private final Ground ground;
  private final List<Level> own;
  private final String readRoot;

  private Way(Ground ground, List<Level> own, String readRoot) {
    this.ground = ground;
    this.own = own;
    this.readRoot = readRoot;
  }

  /**
   * @param levels the open directories from the read root on, which stay open as long as this is
   *     used
   * @param readRoot the workspace root as it was given
   */
  static Way along(Ground root, List<Level> levels, String readRoot) {
    return new Way(new Ground(levels, root.prefixes(), false, false), List.of(), readRoot);
  }

  /** The directory itself; closed with this way or with the one that it was taken from. */
  public OpenDirectory directory() {
    return ground.start().directory();
  }

  /** Its absolute path, without links as it was opened; the form of {@link Name}. */
  public String path() {
    StringBuilder text = new StringBuilder();
    ground.prefixes().getFirst().forEach(name -> text.append('/').append(name));
    ground.way().stream().skip(1).forEach(level -> text.append('/').append(level.name()));
    return text.isEmpty() ? "/" : text.toString();
  }

  /** The workspace root, for messages. */
  public String readRoot() {
    return readRoot;
  }

  /**
   * The names that lead from the read root to a path taken by its letters: nothing is looked at,
   * and {@code ..} takes the name before it away. Empty where it leads out of the read root.
   *
   * @param path relative to this directory or absolute
   */
  public Optional<List<Name>> letters(String path) throws PathException {
    Steps steps = Steps.of(path);
    List<Name> names = new ArrayList<>();
    Optional<List<Name>> rest = Optional.of(steps.names());
    if (steps.absolute()) {
      rest = ground.below(steps);
    } else {
      ground.way().stream().skip(1).map(Level::name).forEach(names::add);
    }
    for (Name name : rest.orElse(List.of())) {
      if (name.isDotDot()) {
        if (names.isEmpty()) {
          return Optional.empty();
        }
        names.removeLast();
      } else if (!name.isDot()) {
        names.add(name);
      }
    }
    return rest.isEmpty() ? Optional.empty() : Optional.of(List.copyOf(names));
  }

  /** The names that lead to it from a directory on the way. */
  public List<Name> below(Way above) {
    return ground.way().stream().skip(above.ground.way().size()).map(Level::name).toList();
  }

  /** The directory around it; empty at the read root. Not to be closed by itself. */
  public Optional<Way> up() {
    List<Level> levels = ground.way();
    return levels.size() == 1
        ? Optional.empty()
        : Optional.of(along(ground, levels.subList(0, levels.size() - 1), readRoot));
  }

  /**
   * Opens a directory, links followed inside the read root. This way has to stay open as long as
   * the new one.
   *
   * @param subject what it is, for messages, such as {@code the git directory}
   * @param path relative to this directory or absolute
   * @throws PathException where it is not there, no directory, or outside the read root
   */
  public Way to(String subject, String path) throws PathException {
    Wording wording = wording(subject, path);
    try (Walk walk = new Walk(ground, wording, false)) {
      return switch (walk.along(Steps.of(path))) {
        case Walk.End.AtDirectory() -> reached(walk.keepWay());
        case Walk.End.At(Name name, FileStatus status) ->
            throw wording.notADirectory(walk.place(name));
        case Walk.End.Missing(Name name) -> throw wording.notFound(walk.place(name));
      };
    } catch (IOException e) {
      throw wording.failed(Wording.OPENED, e);
    }
  }

  /**
   * Opens a regular file, links followed inside the read root; empty where nothing is there.
   *
   * @param subject what it is, for messages
   * @param path relative to this directory or absolute
   * @throws PathException where it is no regular file or outside the read root
   */
  public Optional<FileHandle> file(String subject, String path) throws PathException {
    Wording wording = wording(subject, path);
    try (Walk walk = new Walk(ground, wording, false)) {
      return switch (walk.along(Steps.of(path))) {
        case Walk.End.AtDirectory() -> throw wording.notAFile(walk.place(), FileKind.DIRECTORY);
        case Walk.End.Missing(Name name) -> Optional.empty();
        case Walk.End.At(Name name, FileStatus status) -> Optional.of(walk.directory().file(name));
      };
    } catch (IOException e) {
      PathException failed = wording.failed(Wording.OPENED, e);
      if (failed.kind() == PathException.Kind.NOT_FOUND) {
        return Optional.empty();
      }
      throw failed;
    }
  }

  private Wording wording(String subject, String path) {
    return new Wording(subject + " ", path, readRoot, path());
  }

  private Way reached(List<Level> levels) {
    List<Level> own = levels.stream().filter(level -> !ground.holds(level)).toList();
    return new Way(new Ground(levels, ground.prefixes(), false, false), own, readRoot);
  }

  /** Closes the directories that only this way opened. */
  @Override
  public void close() {
    Level.close(own);
  }
}
