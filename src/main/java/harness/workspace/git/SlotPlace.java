package harness.workspace.git;

import harness.workspace.Handles;
import harness.workspace.OpenDirectory;
import harness.workspace.Root;
import java.io.IOException;
import org.eclipse.jgit.lib.ObjectId;

/**
 * Where a slot is made, and by what order: what its clone and its worktrees have in common. Each is
 * built beside its place and gets its name when it is whole.
 *
 * @param root the workspace root
 */
record SlotPlace(Handles handles, Root root, PlaceOrder order) {
  /** How the names of what is being built begin. */
  static final String BUILDING = ".attach-";

  static final String HEADS = "refs/heads/";

  /** The absolute path of what lies in the slot. */
  String path(String below) {
    return root.readRoot() + "/" + order.slot() + "/" + below;
  }

  /** Opens what lies in the slot. */
  Root open(String below) throws IOException {
    return Root.open(handles, root.readRoot(), path(below));
  }

  static GitDirs repository(Root of, String name) throws IOException {
    return GitDirs.at(of.way())
        .orElseThrow(() -> new GitException(name + " is there and is no repository; move it away"));
  }

  void checkOut(String building, ObjectId commit) throws IOException, InterruptedException {
    try (Root there = Root.open(handles, root.readRoot(), path(building));
        GitDirs dirs = repository(there, building)) {
      byte[] index = FreshCheckout.run(dirs, commit);
      SlotFiles.put(dirs.gitDir().directory(), "index", index);
    }
  }

  /** Gives what was built its name. */
  static void finish(OpenDirectory from, String building, OpenDirectory to, String name)
      throws IOException, InterruptedException {
    Interrupts.check();
    from.move(SlotFiles.name(building), to, SlotFiles.name(name));
  }

  static OpenDirectory enter(OpenDirectory in, String path) throws IOException {
    OpenDirectory at = in.again();
    for (String name : path.split("/", -1)) {
      try (OpenDirectory left = at) {
        at = SlotFiles.enter(left, name);
      }
    }
    return at;
  }

  static void put(OpenDirectory in, String path, String content) throws IOException {
    int slash = path.lastIndexOf('/');
    try (OpenDirectory parent = enter(in, path.substring(0, slash))) {
      SlotFiles.put(parent, path.substring(slash + 1), content);
    }
  }
}
