package harness.workspace;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;

/** Gives what is at one held spot the place of another, where nothing is. */
record Move(Spot from, Spot to) {
  /** The most entries below a directory that is moved: they are looked through for git's own. */
  static final int MAX_ENTRIES = 300_000;

  /** What it is that can be moved there, as far as can be told before. */
  FileKind check() throws PathException {
    FileKind kind = from.kind().orElseThrow(() -> from.wording().notFound(from.shown()));
    if (to.kind().isPresent()) {
      throw to.wording().exists(to.shown(), to.kind().get());
    }
    if (kind == FileKind.DIRECTORY && (to.shown() + "/").startsWith(from.shown() + "/")) {
      throw to.wording().movedIntoItself(from.shown());
    }
    return kind;
  }

  void run() throws IOException {
    FileKind kind = check();
    try (NewDirectories parents = new NewDirectories(to.directory(), to.wording(), to.fence())) {
      if (kind == FileKind.DIRECTORY) {
        try (OpenDirectory top = from.directory().directory(from.name())) {
          new Subtree(from, MAX_ENTRIES).look(top);
        }
      }
      parents.make(to.missingDirectories());
      if (GitOwn.completes(parents.deepest(), to.name())) {
        throw to.wording().completesGit(to.name().toString());
      }
      to.fence().check();
      from.directory().move(from.name(), parents.deepest(), to.name());
      parents.keep();
      parents.deepest().sync();
      from.directory().sync();
    } catch (FileAlreadyExistsException e) {
      throw to.wording().appeared();
    } catch (IOException e) {
      throw from.wording().failed(Wording.MOVED, e);
    }
  }
}
