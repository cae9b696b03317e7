package harness.workspace.git;

import harness.workspace.FileHandle;
import harness.workspace.Name;
import harness.workspace.OpenDirectory;
import harness.workspace.PathException;
import harness.workspace.Root;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.InstantSource;
import java.util.Optional;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;

/** {@code SLOT/BRANCH}: a worktree of the clone. */
final class SlotWorktree {
  private static final int MAX_POINTER_BYTES = 4 * 1024;
  private static final int MAX_ADMIN_NAMES = 1_000;

  /** Who is named in the log of a branch that an attach makes. */
  private static final String MAKER = "harness";

  private final SlotPlace place;
  private final SlotClone clone;
  private final InstantSource clock;

  /**
   * @param clock the time that the log of a branch tells
   */
  SlotWorktree(SlotPlace place, SlotClone clone, InstantSource clock) {
    this.place = place;
    this.clone = clone;
    this.clock = clock;
  }

  /** Makes it where it is missing. */
  void make(OpenDirectory slot) throws IOException, InterruptedException {
    String branch = place.order().branch();
    if (isThere(branch)) {
      return;
    }
    clone.borrow();
    try (Root there = place.open(PlaceOrder.DEFAULT);
        GitDirs dirs = SlotPlace.repository(there, PlaceOrder.DEFAULT)) {
      clone.checkOrigin(dirs);
      clone.shallow(dirs.commonDir().directory());
      ObjectId commit = branch(dirs);
      try (OpenDirectory all = SlotFiles.enter(dirs.commonDir().directory(), "worktrees")) {
        build(
            slot, dirs.commonDir().path() + "/worktrees/" + admin(all, place.path(branch)), commit);
      }
    }
  }

  /** Whether the worktree is there already. */
  private boolean isThere(String branch) throws IOException {
    try (Root there = place.open(branch)) {
      Optional<GitDirs> dirs = GitDirs.at(there.way());
      if (dirs.isEmpty()) {
        throw inTheWay(place.path(branch));
      }
      try (GitDirs found = dirs.get()) {
        if (!found.commonDir().path().equals(place.path(PlaceOrder.DEFAULT) + "/.git")) {
          throw inTheWay(place.path(branch));
        }
        clone.checkOrigin(found);
        return true;
      }
    } catch (PathException e) {
      if (e.kind() != PathException.Kind.NOT_FOUND) {
        throw e;
      }
      return false;
    }
  }

  private GitException inTheWay(String path) {
    return new GitException(
        path
            + " is there and is no worktree of "
            + place.path(PlaceOrder.DEFAULT)
            + "; move it away or take another branch");
  }

  /** The commit of the branch, which is made where it is missing. */
  private ObjectId branch(GitDirs dirs) throws IOException, InterruptedException {
    String name = SlotPlace.HEADS + place.order().branch();
    Optional<Ref> there = new RefFiles(dirs).ref(name);
    try (OpenRepository repository = OpenRepository.open(dirs)) {
      Branches branches = new Branches(repository, dirs);
      Optional<String> head =
          new RefFiles(dirs)
              .ref(Constants.HEAD)
              .filter(Ref::isSymbolic)
              .map(r -> r.getLeaf().getName());
      String elsewhere = branches.elsewhere().getOrDefault(name, "");
      if (head.filter(name::equals).isPresent()) {
        elsewhere = place.path(PlaceOrder.DEFAULT);
      }
      if (!elsewhere.isEmpty() && !elsewhere.equals(place.path(place.order().branch()))) {
        throw new GitException(
            "the branch "
                + place.order().branch()
                + " is checked out in "
                + elsewhere
                + "; take another");
      }
      if (there.isEmpty()) {
        branches.create(
            place.order().branch(),
            Optional.of(place.order().start()),
            new Signature(MAKER, MAKER + "@localhost", clock.instant()),
            new LockWait(LockWait.USUAL, clock));
      }
    }
    return there.map(Ref::getObjectId).orElseGet(() -> ObjectId.fromString(place.order().start()));
  }

  /** Where git keeps what belongs to the worktree: that of a try before, or a new one. */
  private String admin(OpenDirectory all, String path) throws IOException, InterruptedException {
    String dotGit = path + "/.git\n";
    for (Name left : SlotFiles.directories(all, "")) {
      if (pointer(all, left).equals(dotGit)) {
        SlotFiles.remove(all, left);
      }
    }
    String last = place.order().branch().substring(place.order().branch().lastIndexOf('/') + 1);
    for (int i = 0; i < MAX_ADMIN_NAMES; i++) {
      String name = i == 0 ? last : last + i;
      try {
        all.makeDirectory(SlotFiles.name(name));
      } catch (FileAlreadyExistsException e) {
        continue;
      }
      try (OpenDirectory admin = all.directory(SlotFiles.name(name))) {
        // First, so that a try that ends here is known by it.
        SlotFiles.put(admin, "gitdir", dotGit);
        SlotFiles.put(admin, "commondir", "../..\n");
        SlotFiles.put(admin, "HEAD", "ref: " + SlotPlace.HEADS + place.order().branch() + "\n");
      }
      return name;
    }
    throw new GitException("git keeps too many worktrees named " + last + "; git worktree prune");
  }

  private static String pointer(OpenDirectory all, Name admin) throws IOException {
    try (OpenDirectory directory = all.directory(admin);
        FileHandle file = directory.file(Name.of("gitdir"))) {
      return new String(GitFile.bytes(file, "gitdir", MAX_POINTER_BYTES), StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  private void build(OpenDirectory slot, String admin, ObjectId commit)
      throws IOException, InterruptedException {
    String building = SlotPlace.BUILDING + "worktree";
    try (OpenDirectory top = SlotFiles.enter(slot, building)) {
      SlotFiles.put(top, ".git", "gitdir: " + admin + "\n");
    }
    place.checkOut(building, commit);
    String branch = place.order().branch();
    int slash = branch.lastIndexOf('/');
    try (OpenDirectory parent =
        slash < 0 ? slot.again() : SlotPlace.enter(slot, branch.substring(0, slash))) {
      SlotPlace.finish(slot, building, parent, branch.substring(slash + 1));
    }
  }
}
