package harness.workspace.git;

import harness.workspace.FileHandle;
import harness.workspace.Handles;
import harness.workspace.Name;
import harness.workspace.OpenDirectory;
import harness.workspace.PathException;
import harness.workspace.Root;
import harness.workspace.Way;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Ref;

/**
 * Makes a slot of the workspace from a mirror in it: {@code SLOT/default}, a clone that borrows the
 * mirror's objects, {@code SLOT/BRANCH}, a worktree of it, and {@code SLOT/review-SHA}, a
 * repository of its own with a detached HEAD, in which no branch of the clone can be moved. What is
 * there already stays as it is. Each is built beside its place and gets its name when it is whole,
 * so that an interrupt, also of the process, leaves nothing but what the next try removes.
 */
public final class Placement {
  private static final int MAX_HEAD_BYTES = 4 * 1024;
  private static final int MAX_REFS_BYTES = 64 * 1024 * 1024;
  private static final int MAX_SHALLOW_BYTES = 4 * 1024 * 1024;
  private static final int MAX_POINTER_BYTES = 4 * 1024;
  private static final int MAX_ADMIN_NAMES = 1_000;
  private static final String BUILDING = ".attach-";
  private static final String HEADS = "refs/heads/";

  /** Without it git takes objects that the mirror was not sent for lost ones. */
  private static final String PARTIAL_CONFIG =
      Worktrees.CONFIG.replace("version = 0", "version = 1")
          + "[extensions]\n\tpartialClone = origin\n";

  private static final String PROMISED = "\tpromisor = true\n\tpartialclonefilter = ";

  /** Who is named in the log of a branch that an attach makes. */
  private static final String MAKER = "harness";

  /** One at a time in a slot of this process, however many hosts it has. */
  private static final Map<String, ReentrantLock> LOCKS = new ConcurrentHashMap<>();

  private final Handles handles;
  private final Root root;
  private final PlaceOrder order;
  private final InstantSource clock;

  private Placement(Handles handles, Root root, PlaceOrder order, InstantSource clock) {
    this.handles = handles;
    this.root = root;
    this.order = order;
    this.clock = clock;
  }

  /**
   * Makes what is missing of a slot.
   *
   * @param readRoot the workspace root
   * @param clock the time that the log of a branch tells
   * @throws GitException with a sentence that says what is in the way; also {@link PathException}
   */
  public static Placed run(Handles handles, String readRoot, PlaceOrder order, InstantSource clock)
      throws IOException, InterruptedException {
    ReentrantLock lock =
        LOCKS.computeIfAbsent(readRoot + "/" + order.slot(), slot -> new ReentrantLock());
    lock.lockInterruptibly();
    try (Root root = Root.open(handles, readRoot, readRoot)) {
      return new Placement(handles, root, order, clock).run();
    } finally {
      lock.unlock();
    }
  }

  private Placed run() throws IOException, InterruptedException {
    Branches.checkName(order.branch());
    OpenDirectory top = root.way().directory();
    try (OpenDirectory slot = SlotFiles.enter(top, order.slot())) {
      for (Name left : SlotFiles.directories(slot, BUILDING)) {
        SlotFiles.remove(slot, left);
      }
      if (!SlotFiles.has(slot, PlaceOrder.DEFAULT)) {
        makeDefault(slot);
      }
      worktree(slot);
      return new Placed(review(slot));
    }
  }

  private String path(String below) {
    return root.readRoot() + "/" + order.slot() + "/" + below;
  }

  private ObjectId id(String hex) {
    return ObjectId.fromString(hex);
  }

  // The clone

  private void makeDefault(OpenDirectory slot) throws IOException, InterruptedException {
    String building = BUILDING + PlaceOrder.DEFAULT;
    try (OpenDirectory top = SlotFiles.enter(slot, building);
        OpenDirectory git = SlotFiles.enter(top, ".git")) {
      repository(git, "");
      SlotFiles.put(git, "HEAD", "ref: " + HEADS + order.headBranch() + "\n");
      put(git, HEADS + order.headBranch(), order.head() + "\n");
      put(git, "refs/remotes/origin/HEAD", "ref: refs/remotes/origin/" + order.headBranch() + "\n");
    }
    checkOut(building, id(order.head()));
    finish(slot, building, slot, PlaceOrder.DEFAULT);
  }

  /** What a repository is without a HEAD; its objects are the mirror's, and those of others. */
  private void repository(OpenDirectory git, String alternates) throws IOException {
    for (String directory : List.of("objects/pack", "objects/info", "refs/heads", "refs/tags")) {
      enter(git, directory).close();
    }
    try (OpenDirectory info = enter(git, "objects/info")) {
      SlotFiles.put(info, "alternates", alternate() + alternates);
    }
    SlotFiles.put(git, "packed-refs", refs());
    shallow(git);
    SlotFiles.put(git, "config", config());
  }

  /** Relative, so that it holds wherever the workspace is mounted. */
  private String alternate() {
    return "../../../../" + PlaceOrder.MIRRORS + "/" + order.mirror() + "/objects\n";
  }

  /**
   * Lets the clone borrow from this mirror too, which may be another than the one it began with.
   */
  private void borrow() throws IOException {
    try (Way info =
        root.way()
            .to("the clone", order.slot() + "/" + PlaceOrder.DEFAULT + "/.git/objects/info")) {
      String known = GitFile.text(info, "alternates", MAX_REFS_BYTES).orElse("");
      if (!known.contains(alternate())) {
        SlotFiles.put(info.directory(), "alternates", known + alternate());
      }
    }
  }

  private String config() {
    return (order.filter().isPresent() ? PARTIAL_CONFIG : Worktrees.CONFIG)
        + "[remote \"origin\"]\n\turl = "
        + quoted(order.url())
        + "\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n"
        + order.filter().map(filter -> PROMISED + filter + "\n").orElse("");
  }

  private static String quoted(String value) {
    return "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  private byte[] refs() throws IOException {
    try (Way mirror = mirror()) {
      String text =
          GitFile.text(mirror, PlaceOrder.REFS, MAX_REFS_BYTES)
              .orElseThrow(
                  () ->
                      new GitException(
                          "the mirror " + mirror.path() + " is not whole; attach again"));
      StringBuilder packed = new StringBuilder("# pack-refs with: sorted \n");
      TreeMap<String, String> refs = new TreeMap<>();
      for (String line : (Iterable<String>) text.lines()::iterator) {
        int space = line.indexOf(' ');
        String name = line.substring(space + 1);
        boolean known = name.startsWith("refs/remotes/origin/") || name.startsWith("refs/tags/");
        if (known && space > 0 && ObjectId.isId(line.substring(0, space))) {
          refs.put(name, line.substring(0, space));
        }
      }
      refs.forEach((name, id) -> packed.append(id).append(' ').append(name).append('\n'));
      return packed.toString().getBytes(StandardCharsets.UTF_8);
    }
  }

  private Way mirror() throws IOException {
    String path = PlaceOrder.MIRRORS + "/" + order.mirror();
    try {
      return root.way().to("the mirror", path);
    } catch (PathException e) {
      if (e.kind() != PathException.Kind.NOT_FOUND) {
        throw e;
      }
      throw new GitException(
          "the workspace shows no mirror at "
              + root.readRoot()
              + "/"
              + path
              + "; mount the directory of mirrors there, read-only",
          e);
    }
  }

  /** Where history was cut in the mirror, it is cut here. */
  private void shallow(OpenDirectory git) throws IOException {
    TreeSet<String> cut = new TreeSet<>();
    try (Way mirror = mirror()) {
      GitFile.text(mirror, "shallow", MAX_SHALLOW_BYTES).orElse("").lines().forEach(cut::add);
    }
    if (cut.isEmpty()) {
      return;
    }
    if (SlotFiles.has(git, "shallow")) {
      try (FileHandle known = git.file(Name.of("shallow"))) {
        byte[] bytes = GitFile.bytes(known, "shallow", MAX_SHALLOW_BYTES);
        new String(bytes, StandardCharsets.UTF_8).lines().forEach(cut::add);
      }
    }
    cut.removeIf(line -> !ObjectId.isId(line));
    SlotFiles.put(git, "shallow", String.join("\n", cut) + "\n");
  }

  // The worktree of the branch

  private void worktree(OpenDirectory slot) throws IOException, InterruptedException {
    String place = path(order.branch());
    if (isThere(place)) {
      return;
    }
    borrow();
    try (Root clone = Root.open(handles, root.readRoot(), path(PlaceOrder.DEFAULT));
        GitDirs dirs = dirs(clone, PlaceOrder.DEFAULT)) {
      checkOrigin(dirs);
      shallow(dirs.commonDir().directory());
      ObjectId commit = branch(dirs);
      try (OpenDirectory all = SlotFiles.enter(dirs.commonDir().directory(), "worktrees")) {
        build(slot, dirs.commonDir().path() + "/worktrees/" + admin(all, place), commit);
      }
    }
  }

  /** Whether the worktree is there already. */
  private boolean isThere(String place) throws IOException {
    try (Root there = Root.open(handles, root.readRoot(), place)) {
      Optional<GitDirs> dirs = GitDirs.at(there.way());
      if (dirs.isEmpty()) {
        throw inTheWay(place);
      }
      try (GitDirs found = dirs.get()) {
        if (!found.commonDir().path().equals(path(PlaceOrder.DEFAULT) + "/.git")) {
          throw inTheWay(place);
        }
        checkOrigin(found);
        return true;
      }
    } catch (PathException e) {
      if (e.kind() != PathException.Kind.NOT_FOUND) {
        throw e;
      }
      return false;
    }
  }

  private GitException inTheWay(String place) {
    return new GitException(
        place
            + " is there and is no worktree of "
            + path(PlaceOrder.DEFAULT)
            + "; move it away or take another branch");
  }

  private void checkOrigin(GitDirs dirs) throws IOException {
    String config = GitFile.text(dirs.commonDir(), "config", SafeConfig.MAX_BYTES).orElse("");
    if (!config.contains("url = " + quoted(order.url()) + "\n")) {
      throw new GitException(
          dirs.commonDir().path()
              + " is no clone of "
              + order.url()
              + "; name another slot, or move that away");
    }
    if (order.filter().isPresent() && !config.contains(PROMISED)) {
      throw new GitException(
          dirs.commonDir().path()
              + " is a clone without a filter; attach without one, or name another slot");
    }
  }

  private static GitDirs dirs(Root of, String name) throws IOException {
    return GitDirs.at(of.way())
        .orElseThrow(() -> new GitException(name + " is there and is no repository; move it away"));
  }

  /** The commit of the branch, which is made where it is missing. */
  private ObjectId branch(GitDirs dirs) throws IOException, InterruptedException {
    String name = HEADS + order.branch();
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
        elsewhere = path(PlaceOrder.DEFAULT);
      }
      if (!elsewhere.isEmpty() && !elsewhere.equals(path(order.branch()))) {
        throw new GitException(
            "the branch " + order.branch() + " is checked out in " + elsewhere + "; take another");
      }
      if (there.isEmpty()) {
        branches.create(
            order.branch(),
            Optional.of(order.start()),
            new Signature(MAKER, MAKER + "@localhost", clock.instant()),
            new LockWait(LockWait.USUAL, clock));
      }
    }
    return there.map(Ref::getObjectId).orElseGet(() -> id(order.start()));
  }

  /** Where git keeps what belongs to the worktree: that of a try before, or a new one. */
  private String admin(OpenDirectory all, String place) throws IOException, InterruptedException {
    String dotGit = place + "/.git\n";
    for (Name left : SlotFiles.directories(all, "")) {
      if (pointer(all, left).equals(dotGit)) {
        SlotFiles.remove(all, left);
      }
    }
    String last = order.branch().substring(order.branch().lastIndexOf('/') + 1);
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
        SlotFiles.put(admin, "HEAD", "ref: " + HEADS + order.branch() + "\n");
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
    String building = BUILDING + "worktree";
    try (OpenDirectory top = SlotFiles.enter(slot, building)) {
      SlotFiles.put(top, ".git", "gitdir: " + admin + "\n");
    }
    checkOut(building, commit);
    String branch = order.branch();
    int slash = branch.lastIndexOf('/');
    try (OpenDirectory parent =
        slash < 0 ? slot.again() : enter(slot, branch.substring(0, slash))) {
      finish(slot, building, parent, branch.substring(slash + 1));
    }
  }

  // The detached one

  private boolean review(OpenDirectory slot) throws IOException, InterruptedException {
    if (order.review().isEmpty()) {
      return false;
    }
    String sha = order.review().get();
    String name = PlaceOrder.REVIEW + sha;
    if (isReview(name, sha)) {
      return true;
    }
    if (!holds(id(sha))) {
      return false;
    }
    String building = BUILDING + "review";
    try (OpenDirectory top = SlotFiles.enter(slot, building);
        OpenDirectory git = SlotFiles.enter(top, ".git")) {
      repository(git, "../../../" + PlaceOrder.DEFAULT + "/.git/objects\n");
      SlotFiles.put(git, "HEAD", sha + "\n");
    }
    checkOut(building, id(sha));
    finish(slot, building, slot, name);
    return true;
  }

  /** Whether the worktree is there already, with nothing but the commit checked out. */
  private boolean isReview(String name, String sha) throws IOException {
    try (Root there = Root.open(handles, root.readRoot(), path(name))) {
      Optional<GitDirs> dirs = GitDirs.at(there.way());
      if (dirs.isPresent()) {
        try (GitDirs found = dirs.get()) {
          if (GitFile.text(found.gitDir(), "HEAD", MAX_HEAD_BYTES)
              .filter(head -> head.strip().equals(sha))
              .isPresent()) {
            return true;
          }
        }
      }
      throw notReview(name, sha);
    } catch (PathException e) {
      if (e.kind() != PathException.Kind.NOT_FOUND) {
        GitException refused = notReview(name, sha);
        refused.initCause(e);
        throw refused;
      }
      return false;
    }
  }

  private GitException notReview(String name, String sha) {
    return new GitException(
        path(name) + " is there and has not " + sha + " checked out; move it away, then attach");
  }

  /** Whether the clone has a commit, its own or a borrowed one. */
  private boolean holds(ObjectId commit) throws IOException {
    try (Root clone = Root.open(handles, root.readRoot(), path(PlaceOrder.DEFAULT));
        GitDirs dirs = dirs(clone, PlaceOrder.DEFAULT);
        OpenRepository repository = OpenRepository.open(dirs);
        ObjectReader reader = repository.newObjectReader()) {
      return reader.has(commit) && reader.open(commit).getType() == Constants.OBJ_COMMIT;
    }
  }

  // What all of them need

  private void checkOut(String building, ObjectId commit) throws IOException, InterruptedException {
    try (Root there = Root.open(handles, root.readRoot(), path(building));
        GitDirs dirs = dirs(there, building)) {
      byte[] index = FreshCheckout.run(dirs, commit);
      SlotFiles.put(dirs.gitDir().directory(), "index", index);
    }
  }

  /** Gives what was built its name. */
  private static void finish(OpenDirectory from, String building, OpenDirectory to, String name)
      throws IOException, InterruptedException {
    Interrupts.check();
    from.move(SlotFiles.name(building), to, SlotFiles.name(name));
  }

  private static OpenDirectory enter(OpenDirectory in, String path) throws IOException {
    OpenDirectory at = in.again();
    for (String name : path.split("/", -1)) {
      try (OpenDirectory left = at) {
        at = SlotFiles.enter(left, name);
      }
    }
    return at;
  }

  private static void put(OpenDirectory in, String path, String content) throws IOException {
    int slash = path.lastIndexOf('/');
    try (OpenDirectory parent = enter(in, path.substring(0, slash))) {
      SlotFiles.put(parent, path.substring(slash + 1), content);
    }
  }
}
