package harness.workspace.git;

import harness.workspace.Directory;
import harness.workspace.FileHandle;
import harness.workspace.OpenDirectory;
import harness.workspace.PathException;
import harness.workspace.Way;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
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
  private static final int FAN_OUT_DIGITS = 2;

  private final GitDirs dirs;
  private Optional<List<Pack>> packs = Optional.empty();

  StoredObjects(GitDirs dirs) {
    this.dirs = dirs;
  }

  /** Where an object lies in a pack. */
  record Packed(Pack pack, long offset) {}

  Optional<Packed> packed(AnyObjectId id) throws IOException {
    for (Pack pack : packs()) {
      long offset = pack.index().find(id);
      if (offset >= 0) {
        return Optional.of(new Packed(pack, offset));
      }
    }
    return Optional.empty();
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
    for (Pack pack : packs()) {
      pack.index().resolve(found, prefix, limit);
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

  private synchronized List<Pack> packs() throws IOException {
    if (packs.isEmpty()) {
      List<Pack> opened = new ArrayList<>();
      // Known before they are all open, so that those that are get closed in any case.
      packs = Optional.of(opened);
      for (Way objects : dirs.objects()) {
        open(objects, opened);
      }
    }
    return packs.get();
  }

  private static void open(Way objects, List<Pack> opened) throws IOException {
    List<String> names = new ArrayList<>();
    each(objects, "pack", names::add);
    for (String name : names) {
      if (!name.endsWith(INDEX_SUFFIX)) {
        continue;
      }
      if (opened.size() == MAX_PACKS) {
        throw new GitException(
            objects.path() + " has more than " + MAX_PACKS + " packs; git gc joins them");
      }
      String stem = "pack/" + name.substring(0, name.length() - INDEX_SUFFIX.length());
      Optional<FileHandle> pack = GitFile.open(objects, stem + ".pack");
      Optional<FileHandle> index = GitFile.open(objects, stem + INDEX_SUFFIX);
      if (pack.isPresent() && index.isPresent()) {
        opened.add(open(pack.get(), index.get()));
      } else {
        // Another git process is just removing it.
        pack.ifPresent(FileHandle::close);
        index.ifPresent(FileHandle::close);
      }
    }
  }

  private static Pack open(FileHandle pack, FileHandle index) throws IOException {
    try {
      return new Pack(new PagedFile(pack), new PackIndexFile(new PagedFile(index)));
    } catch (IOException | RuntimeException e) {
      pack.close();
      index.close();
      throw e;
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
      return packs().stream().mapToLong(pack -> pack.index().count()).sum();
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
  public synchronized void close() {
    packs.ifPresent(all -> all.forEach(Pack::close));
    packs = Optional.empty();
  }
}
