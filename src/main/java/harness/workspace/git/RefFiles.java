package harness.workspace.git;

import harness.workspace.Directory;
import harness.workspace.FileKind;
import harness.workspace.Name;
import harness.workspace.OpenDirectory;
import harness.workspace.PathException;
import harness.workspace.Way;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectIdRef;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.SymbolicRef;

/** The refs of a repository: one in a file, or many in {@code packed-refs}. */
final class RefFiles {
  private static final int MAX_REF_BYTES = 4 * 1024;
  private static final int MAX_PACKED_BYTES = 64 * 1024 * 1024;

  /** How many refs may name the next one, as in git. */
  private static final int MAX_SYMBOLIC = 5;

  /** The most loose refs that are listed. */
  private static final int MAX_LISTED = 100_000;

  private static final int MAX_DEPTH = 64;

  private static final String SYMBOLIC = "ref:";
  private static final List<String> OF_WORKTREE =
      List.of("refs/bisect/", "refs/worktree/", "refs/rewritten/");

  private final Way gitDir;
  private final Way commonDir;
  private Optional<Map<String, Ref>> packed = Optional.empty();

  RefFiles(GitDirs dirs) {
    this.gitDir = dirs.gitDir();
    this.commonDir = dirs.commonDir();
  }

  /** The ref of exactly that name; empty where there is none. One without an object is unborn. */
  Optional<Ref> ref(String name) throws IOException {
    return ref(name, 0);
  }

  private Optional<Ref> ref(String name, int hops) throws IOException {
    if (!isName(name)) {
      return Optional.empty();
    }
    Optional<String> text = loose(name);
    if (text.isEmpty()) {
      return Optional.ofNullable(packed().get(name));
    }
    String line = text.get().strip();
    if (!line.startsWith(SYMBOLIC)) {
      return ObjectId.isId(line)
          ? Optional.of(
              new ObjectIdRef.Unpeeled(Ref.Storage.LOOSE, name, ObjectId.fromString(line)))
          : damaged(name);
    }
    String target = line.substring(SYMBOLIC.length()).strip();
    if (!isName(target)) {
      // What is written under such a name would be written elsewhere.
      throw new GitException(
          "the ref "
              + name
              + " leads to '"
              + target
              + "', which is no ref; git symbolic-ref mends it");
    }
    if (hops == MAX_SYMBOLIC) {
      throw new GitException("the ref " + name + " leads in circles; git symbolic-ref mends it");
    }
    Ref to =
        ref(target, hops + 1)
            .orElseGet(() -> new ObjectIdRef.Unpeeled(Ref.Storage.NEW, target, null));
    return Optional.of(new SymbolicRef(name, to));
  }

  private static Optional<Ref> damaged(String name) throws GitException {
    // FETCH_HEAD and its like hold more than an id and are no refs.
    if (name.startsWith(Constants.R_REFS) || name.equals(Constants.HEAD)) {
      throw new GitException(
          "the ref " + name + " is damaged: it holds no id; git update-ref mends it");
    }
    return Optional.empty();
  }

  /** Whether it is a name that stays in the git directory, by its form. */
  private static boolean isName(String name) {
    return name.equals(Constants.HEAD)
        || Repository.isValidRefName(name)
        || name.matches("[A-Z_]{1,100}");
  }

  private Optional<String> loose(String name) throws IOException {
    boolean own =
        !name.startsWith(Constants.R_REFS) || OF_WORKTREE.stream().anyMatch(name::startsWith);
    try {
      Optional<byte[]> bytes = GitFile.bytes(own ? gitDir : commonDir, path(name), MAX_REF_BYTES);
      return bytes.map(read -> new String(read, StandardCharsets.UTF_8));
    } catch (PathException e) {
      if (e.kind() == PathException.Kind.NOT_A_FILE && !name.equals(Constants.HEAD)) {
        // A directory of other refs.
        return Optional.empty();
      }
      throw e;
    }
  }

  /** A name as a path argument: no backslash is in it, so that nothing reads as an escape. */
  private static String path(String name) {
    return Name.textOf(name.getBytes(StandardCharsets.UTF_8));
  }

  private Map<String, Ref> packed() throws IOException {
    if (packed.isEmpty()) {
      Optional<byte[]> bytes = GitFile.bytes(commonDir, "packed-refs", MAX_PACKED_BYTES);
      packed = Optional.of(parse(new String(bytes.orElse(new byte[0]), StandardCharsets.UTF_8)));
    }
    return packed.get();
  }

  private static Map<String, Ref> parse(String text) {
    SortedMap<String, Ref> refs = new TreeMap<>();
    Optional<Ref> last = Optional.empty();
    for (String line : (Iterable<String>) text.lines()::iterator) {
      if (line.startsWith("^") && last.isPresent() && ObjectId.isId(line.substring(1))) {
        Ref tag = last.get();
        ObjectId peeled = ObjectId.fromString(line.substring(1));
        refs.put(
            tag.getName(),
            new ObjectIdRef.PeeledTag(
                Ref.Storage.PACKED, tag.getName(), tag.getObjectId(), peeled));
        continue;
      }
      int space = line.indexOf(' ');
      if (!line.startsWith("#") && space > 0 && ObjectId.isId(line.substring(0, space))) {
        String name = line.substring(space + 1);
        ObjectId id = ObjectId.fromString(line.substring(0, space));
        Ref ref = new ObjectIdRef.Unpeeled(Ref.Storage.PACKED, name, id);
        refs.put(name, ref);
        last = Optional.of(ref);
      }
    }
    return refs;
  }

  /** All refs whose names begin so, by their names; one that is damaged is left out. */
  SortedMap<String, Ref> all(String prefix) throws IOException {
    SortedMap<String, Ref> refs = new TreeMap<>();
    for (Map.Entry<String, Ref> ref : packed().entrySet()) {
      if (ref.getKey().startsWith(prefix)) {
        refs.put(ref.getKey(), ref.getValue());
      }
    }
    List<String> names = new ArrayList<>();
    list(commonDir, "refs", names, 0);
    if (gitDir != commonDir) {
      list(gitDir, "refs", names, 0);
    }
    for (String name : names) {
      if (name.startsWith(prefix)) {
        add(refs, name);
      }
    }
    return refs;
  }

  private void add(SortedMap<String, Ref> refs, String name) throws IOException {
    try {
      ref(name).ifPresent(ref -> refs.put(name, ref));
    } catch (GitException e) {
      // git too goes on with the others; asked for by its name, it is said.
      refs.remove(name);
    }
  }

  private static void list(Way top, String directory, List<String> names, int depth)
      throws IOException {
    if (depth > MAX_DEPTH || names.size() >= MAX_LISTED) {
      return;
    }
    try (Way way = top.to("git's own", directory);
        OpenDirectory.Entries entries = way.directory().entries()) {
      while (entries.hasNext()) {
        Directory.Entry entry = entries.next();
        String name = directory + "/" + entry.name();
        if (entry.kind() == FileKind.DIRECTORY) {
          list(top, name, names, depth + 1);
        } else if (names.size() < MAX_LISTED) {
          names.add(name);
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (PathException e) {
      if (e.kind() != PathException.Kind.NOT_FOUND) {
        throw e;
      }
    }
  }
}
