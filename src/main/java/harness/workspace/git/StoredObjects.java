package harness.workspace.git;

import harness.workspace.Directory;
import harness.workspace.FileHandle;
import harness.workspace.OpenDirectory;
import harness.workspace.PathException;
import harness.workspace.Way;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.eclipse.jgit.lib.AbbreviatedObjectId;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.ObjectDatabase;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ObjectReader;

/**
 * The objects of a repository and of those that it borrows from, to be read only: in packs, and
 * each in a file of its own. All of them are reached by open directories inside the read root. Safe
 * for many threads.
 */
final class StoredObjects extends ObjectDatabase {
  private static final int MAX_PACKS = 1_000;
  private static final int MAX_SHALLOW_BYTES = 4 * 1024 * 1024;
  private static final String INDEX_SUFFIX = ".idx";
  private static final String PACK_SUFFIX = ".pack";
  private static final int FAN_OUT_DIGITS = 2;

  private final GitDirs dirs;
  private final OpenFiles files = new OpenFiles();
  private Optional<List<Indexed>> packs = Optional.empty();

  StoredObjects(GitDirs dirs) {
    this.dirs = dirs;
  }

  /** Where an object lies in a pack. */
  record Packed(Pack pack, long offset) {}

  Optional<Packed> packed(AnyObjectId id) throws IOException {
    try {
      return packed(packs(), id);
    } catch (OpenFiles.Gone e) {
      // Another git process has joined the packs into others meanwhile.
      return packed(packsAnew(), id);
    }
  }

  private static Optional<Packed> packed(List<Indexed> packs, AnyObjectId id) throws IOException {
    for (Indexed pack : packs) {
      long offset = pack.index.find(id);
      if (offset >= 0) {
        return Optional.of(new Packed(pack.pack(), offset));
      }
    }
    return Optional.empty();
  }

  /** A pack, of which the index is looked into first. */
  private final class Indexed {
    private final Way objects;
    private final String stem;
    private final PackIndexFile index;
    private Optional<Pack> pack = Optional.empty();

    Indexed(Way objects, String stem, PackIndexFile index) {
      this.objects = objects;
      this.stem = stem;
      this.index = index;
    }

    synchronized Pack pack() throws IOException {
      if (pack.isEmpty()) {
        String path = stem + PACK_SUFFIX;
        FileHandle file =
            files.open(objects, path).orElseThrow(() -> new OpenFiles.Gone(objects, path));
        pack = Optional.of(new Pack(new PagedFile(file), index));
      }
      return pack.get();
    }
  }

  /** An object in a file of its own, open; empty where there is none. */
  Optional<PagedFile> loose(AnyObjectId id) throws IOException {
    String name = id.name();
    String path = name.substring(0, FAN_OUT_DIGITS) + "/" + name.substring(FAN_OUT_DIGITS);
    for (Way objects : dirs.objects()) {
      Optional<FileHandle> file = GitFile.open(objects, path);
      if (file.isPresent()) {
        return Optional.of(new PagedFile(file.get()));
      }
    }
    return Optional.empty();
  }

  /** The ids that begin so, at most so many. */
  Set<ObjectId> resolve(AbbreviatedObjectId prefix, int limit) throws IOException {
    Set<ObjectId> found = new TreeSet<>();
    for (Indexed pack : packs()) {
      pack.index.resolve(found, prefix, limit);
    }
    String fan = prefix.name().substring(0, FAN_OUT_DIGITS);
    for (Way objects : dirs.objects()) {
      each(
          objects,
          fan,
          name -> {
            if (found.size() < limit && ObjectId.isId(fan + name)) {
              ObjectId id = ObjectId.fromString(fan + name);
              if (prefix.prefixCompare(id) == 0) {
                found.add(id);
              }
            }
          });
    }
    return found;
  }

  private synchronized List<Indexed> packs() throws IOException {
    return packs.isEmpty() ? packsAnew() : packs.get();
  }

  private synchronized List<Indexed> packsAnew() throws IOException {
    List<Indexed> found = new ArrayList<>();
    for (Way objects : dirs.objects()) {
      find(objects, found);
    }
    packs = Optional.of(List.copyOf(found));
    return packs.get();
  }

  private void find(Way objects, List<Indexed> found) throws IOException {
    Set<String> names = new LinkedHashSet<>();
    each(objects, "pack", names::add);
    for (String name : names) {
      if (!name.endsWith(INDEX_SUFFIX)) {
        continue;
      }
      String stem = name.substring(0, name.length() - INDEX_SUFFIX.length());
      if (!names.contains(stem + PACK_SUFFIX)) {
        // Another git process is just removing it.
        continue;
      }
      if (found.size() == MAX_PACKS) {
        throw new GitException(
            objects.path() + " has more than " + MAX_PACKS + " packs; git gc joins them");
      }
      Optional<FileHandle> index = files.open(objects, "pack/" + name);
      if (index.isPresent()) {
        found.add(
            new Indexed(objects, "pack/" + stem, new PackIndexFile(new PagedFile(index.get()))));
      }
    }
  }

  /** The names in a directory of objects; none where it is not there. */
  private static void each(Way objects, String directory, Consumer<String> use) throws IOException {
    try (Way way = objects.to("git's own", directory);
        OpenDirectory.Entries entries = way.directory().entries()) {
      while (entries.hasNext()) {
        Directory.Entry entry = entries.next();
        use.accept(entry.name());
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (PathException e) {
      if (e.kind() != PathException.Kind.NOT_FOUND) {
        throw e;
      }
    }
  }

  @Override
  public Set<ObjectId> getShallowCommits() throws IOException {
    Set<ObjectId> shallow = new TreeSet<>();
    Optional<String> text = GitFile.text(dirs.commonDir(), "shallow", MAX_SHALLOW_BYTES);
    for (String line : (Iterable<String>) text.orElse("").lines()::iterator) {
      if (ObjectId.isId(line)) {
        shallow.add(ObjectId.fromString(line));
      }
    }
    return shallow;
  }

  /** As git counts them to choose how much of an id it shows: those in packs. */
  @Override
  public long getApproximateObjectCount() {
    try {
      return packs().stream().mapToLong(pack -> pack.index.count()).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public ObjectInserter newInserter() {
    throw new UnsupportedOperationException("objects are only read here");
  }

  @Override
  public ObjectReader newReader() {
    return new StoredReader(this);
  }

  @Override
  public void close() {
    files.close();
  }
}
