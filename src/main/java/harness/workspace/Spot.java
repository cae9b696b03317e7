package harness.workspace;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where a walk led to in order to write: a name in an open directory. Where that directory does not
 * have it, more names may follow, which are to be made below it.
 */
final class Spot implements AutoCloseable {
  private final OpenDirectory directory;
  private final Name first;
  private final List<Name> rest;
  private final String shown;
  private final Wording wording;
  private final Aim aim;
  private final Fence fence;
  private Optional<FileKind> kind;

  private Spot(
      Walk walk, Name first, Optional<FileKind> kind, Wording wording, Aim aim, Fence fence)
      throws IOException {
    this.first = first;
    this.rest = kind.isPresent() ? List.of() : walk.rest();
    StringBuilder place = new StringBuilder(walk.place(first));
    rest.forEach(name -> place.append('/').append(name));
    this.shown = place.toString();
    this.wording = wording;
    this.aim = aim;
    this.fence = fence;
    this.kind = kind;
    this.directory = walk.keepDirectory();
  }

  /**
   * @param aim {@link Aim#FILE} or {@link Aim#ENTRY}
   */
  static Spot walked(Ground ground, Fence fence, String path, Wording wording, Aim aim)
      throws IOException {
    try (Walk walk = new Walk(ground, wording, aim)) {
      return switch (walk.along(Steps.of(path))) {
        case Walk.End.AtDirectory() ->
            throw aim == Aim.ENTRY
                ? wording.namesNoEntry()
                : wording.notAFile(walk.place(), FileKind.DIRECTORY);
        case Walk.End.At(Name name, FileStatus status) ->
            new Spot(walk, name, Optional.of(status.kind()), wording, aim, fence);
        case Walk.End.Missing(Name name) ->
            new Spot(walk, name, Optional.empty(), wording, aim, fence);
      };
    }
  }

  Places.Place place() throws IOException {
    return new Places.Place(directory.key(), first);
  }

  /**
   * Whether the walk would lead here now too. Asked when the place is held: only then is it certain
   * that nobody else of this process changes what is there.
   */
  boolean still() throws IOException {
    Optional<FileKind> now = directory.status(first).map(FileStatus::kind);
    if (!rest.isEmpty()) {
      return now.isEmpty();
    }
    if (aim == Aim.FILE && now.isPresent() && now.get() != FileKind.FILE) {
      if (now.get() == FileKind.LINK) {
        return false;
      }
      throw wording.notAFile(shown, now.get());
    }
    kind = now;
    return true;
  }

  /** The deepest directory on the way that is there. */
  OpenDirectory directory() {
    return directory;
  }

  /** The directories that are missing below it, from the top down. */
  List<Name> missingDirectories() {
    return rest.isEmpty()
        ? List.of()
        : Stream.concat(Stream.of(first), rest.stream().limit(rest.size() - 1L)).toList();
  }

  /** The last name of the path. */
  Name name() {
    return rest.isEmpty() ? first : rest.getLast();
  }

  /** What is there; empty where nothing is. */
  Optional<FileKind> kind() {
    return kind;
  }

  String shown() {
    return shown;
  }

  /** Asked before anything is changed there. */
  Fence fence() {
    return fence;
  }

  Wording wording() {
    return wording;
  }

  @Override
  public void close() {
    directory.close();
  }
}
