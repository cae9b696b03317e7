package harness.workspace.git;

import harness.workspace.FileHandle;
import harness.workspace.Name;
import harness.workspace.OpenDirectory;
import harness.workspace.PathException;
import harness.workspace.Root;
import harness.workspace.Way;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;

/** {@code SLOT/default}: a clone that borrows the mirror's objects. */
final class SlotClone {
  private static final int MAX_REFS_BYTES = 64 * 1024 * 1024;
  private static final int MAX_SHALLOW_BYTES = 4 * 1024 * 1024;

  /** Without it git takes objects that the mirror was not sent for lost ones. */
  private static final String PARTIAL_CONFIG =
      Worktrees.CONFIG.replace("version = 0", "version = 1")
          + "[extensions]\n\tpartialClone = origin\n";

  private static final String PROMISED = "\tpromisor = true\n\tpartialclonefilter = ";

  private final SlotPlace place;

  SlotClone(SlotPlace place) {
    this.place = place;
  }

  /** Makes it. */
  void make(OpenDirectory slot) throws IOException, InterruptedException {
    String building = SlotPlace.BUILDING + PlaceOrder.DEFAULT;
    try (OpenDirectory top = SlotFiles.enter(slot, building);
        OpenDirectory git = SlotFiles.enter(top, ".git")) {
      repository(git, "");
      SlotFiles.put(git, "HEAD", "ref: " + SlotPlace.HEADS + place.order().headBranch() + "\n");
      SlotPlace.put(git, SlotPlace.HEADS + place.order().headBranch(), place.order().head() + "\n");
      SlotPlace.put(
          git,
          "refs/remotes/origin/HEAD",
          "ref: refs/remotes/origin/" + place.order().headBranch() + "\n");
    }
    place.checkOut(building, ObjectId.fromString(place.order().head()));
    SlotPlace.finish(slot, building, slot, PlaceOrder.DEFAULT);
  }

  /** What a repository is without a HEAD; its objects are the mirror's, and those of others. */
  void repository(OpenDirectory git, String alternates) throws IOException {
    for (String directory : List.of("objects/pack", "objects/info", "refs/heads", "refs/tags")) {
      SlotPlace.enter(git, directory).close();
    }
    try (OpenDirectory info = SlotPlace.enter(git, "objects/info")) {
      SlotFiles.put(info, "alternates", alternate() + alternates);
    }
    SlotFiles.put(git, "packed-refs", refs());
    shallow(git);
    SlotFiles.put(git, "config", config());
  }

  /** Relative, so that it holds wherever the workspace is mounted. */
  private String alternate() {
    return "../../../../" + PlaceOrder.MIRRORS + "/" + place.order().mirror() + "/objects\n";
  }

  /**
   * Lets the clone borrow from this mirror too, which may be another than the one it began with.
   */
  void borrow() throws IOException {
    try (Way info =
        place
            .root()
            .way()
            .to(
                "the clone",
                place.order().slot() + "/" + PlaceOrder.DEFAULT + "/.git/objects/info")) {
      String known = GitFile.text(info, "alternates", MAX_REFS_BYTES).orElse("");
      if (!known.contains(alternate())) {
        SlotFiles.put(info.directory(), "alternates", known + alternate());
      }
    }
  }

  private String config() {
    return (place.order().filter().isPresent() ? PARTIAL_CONFIG : Worktrees.CONFIG)
        + "[remote \"origin\"]\n\turl = "
        + quoted(place.order().url())
        + "\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n"
        + place.order().filter().map(filter -> PROMISED + filter + "\n").orElse("");
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
    String path = PlaceOrder.MIRRORS + "/" + place.order().mirror();
    try {
      return place.root().way().to("the mirror", path);
    } catch (PathException e) {
      if (e.kind() != PathException.Kind.NOT_FOUND) {
        throw e;
      }
      throw new GitException(
          "the workspace shows no mirror at "
              + place.root().readRoot()
              + "/"
              + path
              + "; mount the directory of mirrors there, read-only",
          e);
    }
  }

  /** Where history was cut in the mirror, it is cut here. */
  void shallow(OpenDirectory git) throws IOException {
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

  /** Refuses what is no clone of the ordered repository. */
  void checkOrigin(GitDirs dirs) throws IOException {
    String config = GitFile.text(dirs.commonDir(), "config", SafeConfig.MAX_BYTES).orElse("");
    if (!config.contains("url = " + quoted(place.order().url()) + "\n")) {
      throw new GitException(
          dirs.commonDir().path()
              + " is no clone of "
              + place.order().url()
              + "; name another slot, or move that away");
    }
    if (place.order().filter().isPresent() && !config.contains(PROMISED)) {
      throw new GitException(
          dirs.commonDir().path()
              + " is a clone without a filter; attach without one, or name another slot");
    }
  }

  /** Whether the clone has a commit, its own or a borrowed one. */
  boolean holds(ObjectId commit) throws IOException {
    try (Root clone = place.open(PlaceOrder.DEFAULT);
        GitDirs dirs = SlotPlace.repository(clone, PlaceOrder.DEFAULT);
        OpenRepository repository = OpenRepository.open(dirs);
        ObjectReader reader = repository.newObjectReader()) {
      return reader.has(commit) && reader.open(commit).getType() == Constants.OBJ_COMMIT;
    }
  }
}
