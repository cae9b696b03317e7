package harness.tool;

import harness.workspace.Directory;
import harness.workspace.Ignores;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A directory that a {@link Walk} is in: open until the last of those that need it has let it go.
 *
 * @param path what stands before the names in it, from where the walk began
 * @param absolute its absolute path
 * @param room how many more names may be held below it
 */
record WalkLevel(
    Directory directory,
    String path,
    String absolute,
    Ignores ignores,
    int depth,
    int room,
    AtomicInteger users) {
  WalkLevel held() {
    users.incrementAndGet();
    return this;
  }

  void letGo() {
    if (users.decrementAndGet() == 0) {
      directory.close();
    }
  }

  WalkLevel with(Ignores own) {
    return new WalkLevel(directory, path, absolute, own, depth, room, users);
  }

  WalkLevel withRoom(int left) {
    return new WalkLevel(directory, path, absolute, ignores, depth, left, users);
  }

  /** The absolute path of an entry. */
  String absolute(String name) {
    return absolute.endsWith("/") ? absolute + name : absolute + "/" + name;
  }
}
