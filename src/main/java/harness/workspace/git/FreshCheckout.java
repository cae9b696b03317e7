package harness.workspace.git;

import harness.workspace.Content;
import harness.workspace.Inode;
import harness.workspace.Name;
import harness.workspace.OpenDirectory;
import harness.workspace.TemporaryOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jgit.attributes.Attributes;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.revwalk.RevWalk;

/**
 * Checks a commit out into a directory that holds nothing but its {@code .git}, by several threads:
 * each file is made new under its name in an open directory, so that no link, name or swap leads
 * anywhere else. No filter runs: where attributes name one, a file is what git has stored.
 */
final class FreshCheckout {
  /** More threads than these only wait for the disk. */
  private static final int MAX_WORKERS = 8;

  /** How many files a thread takes at a time. */
  private static final int CHUNK_FILES = 256;

  /** How many directories stay open; in others each file opens its own. */
  private static final int MAX_OPEN = 512;

  /** Larger files that lie in a pack as they are are written as they are read, in bytes. */
  private static final int MAX_HELD_BYTES = 16 * 1024 * 1024;

  private static final int BUFFER_BYTES = 256 * 1024;

  private final GitDirs dirs;
  private final TreeContents contents;
  private final Optional<AttributeFiles> attributes;
  private final List<List<TreeContents.File>> chunks;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicReference<Optional<Exception>> failure =
      new AtomicReference<>(Optional.empty());
  private final Map<TreeContents.File, Inode> written = new ConcurrentHashMap<>();
  private final Map<ByteBuffer, OpenDirectory> open = new ConcurrentHashMap<>();

  private FreshCheckout(
      GitDirs dirs,
      TreeContents contents,
      Optional<AttributeFiles> attributes,
      List<List<TreeContents.File>> chunks) {
    this.dirs = dirs;
    this.contents = contents;
    this.attributes = attributes;
    this.chunks = chunks;
  }

  /**
   * Writes the files.
   *
   * @param dirs of a worktree that has no file and no index yet
   * @return the bytes of its index
   */
  static byte[] run(GitDirs dirs, ObjectId commit) throws IOException, InterruptedException {
    try (OpenRepository repository = OpenRepository.open(dirs);
        ObjectReader reader = repository.newObjectReader();
        RevWalk walk = new RevWalk(reader)) {
      TreeContents contents = TreeContents.read(reader, walk.parseCommit(commit).getTree());
      Worktree worktree = Worktree.open(dirs, repository);
      Optional<AttributeFiles> attributes = Optional.empty();
      if (contents.attributed()) {
        byte[] unseen = IndexWriter.bytes(worktree, edit(worktree, contents, Map.of()));
        IndexFile index = new IndexParser(unseen, "the index").parse(0);
        attributes =
            Optional.of(
                new AttributeFiles(dirs.commonDir(), worktree.files(), index, repository)
                    .indexFirst());
      }
      FreshCheckout checkout =
          new FreshCheckout(
              dirs, contents, attributes, chunks(contents, repository.getObjectDatabase()));
      checkout.makeDirectories();
      try {
        checkout.writeFiles();
      } finally {
        checkout.open.values().forEach(OpenDirectory::close);
      }
      IndexEdit edit = edit(worktree, contents, checkout.written);
      return IndexWriter.bytes(worktree, edit, Optional.of(contents.cacheTree()));
    }
  }

  private static IndexEdit edit(
      Worktree worktree, TreeContents contents, Map<TreeContents.File, Inode> written) {
    IndexEdit edit = new IndexEdit(worktree.index());
    for (TreeContents.File file : contents.files()) {
      edit.putNew(
          file.path(),
          new IndexEdit.Entry(file.mode(), file.id(), Optional.ofNullable(written.get(file))));
    }
    return edit;
  }

  /**
   * The files in the order in which their content lies in packs, so that what many differ from is
   * made once.
   */
  private static List<List<TreeContents.File>> chunks(TreeContents contents, StoredObjects objects)
      throws IOException, InterruptedException {
    Map<Pack, Integer> packs = new HashMap<>();
    List<Lying> all = new ArrayList<>();
    for (TreeContents.File file : contents.files()) {
      Interrupts.check();
      Optional<StoredObjects.Packed> packed =
          FileMode.GITLINK.equals(file.mode()) ? Optional.empty() : objects.packed(file.id());
      all.add(
          packed.isEmpty()
              ? new Lying(file, -1, 0)
              : new Lying(
                  file,
                  packs.computeIfAbsent(packed.get().pack(), pack -> packs.size()),
                  packed.get().offset()));
    }
    all.sort(Comparator.comparingInt(Lying::pack).thenComparingLong(Lying::offset));
    List<TreeContents.File> files = all.stream().map(Lying::file).toList();
    List<List<TreeContents.File>> chunks = new ArrayList<>();
    for (int from = 0; from < files.size(); from += CHUNK_FILES) {
      chunks.add(files.subList(from, Math.min(files.size(), from + CHUNK_FILES)));
    }
    return chunks;
  }

  private record Lying(TreeContents.File file, int pack, long offset) {}

  private void makeDirectories() throws IOException, InterruptedException {
    WorktreeFiles files = new WorktreeFiles(dirs.worktree().directory());
    for (byte[] path : contents.directories()) {
      Interrupts.check();
      files.makeDirectory(path);
    }
  }

  private void writeFiles() throws IOException, InterruptedException {
    int workers = Math.clamp(Runtime.getRuntime().availableProcessors(), 2, MAX_WORKERS);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      threads.add(Thread.ofPlatform().daemon().name("checkout-" + i).start(this::work));
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      failure.compareAndSet(Optional.empty(), Optional.of(e));
      end(threads);
      throw e;
    }
    Optional<Exception> failed = failure.get();
    if (failed.isPresent()) {
      switch (failed.get()) {
        case IOException e -> throw e;
        case RuntimeException e -> throw e;
        case Exception e -> throw new IllegalStateException("a checkout can't fail so", e);
      }
    }
  }

  /** Nothing writes any more when this returns. */
  private static void end(List<Thread> threads) {
    boolean again = true;
    while (again) {
      try {
        for (Thread thread : threads) {
          thread.join();
        }
        again = false;
      } catch (InterruptedException e) {
        // It is on its way to who waits already.
      }
    }
  }

  private void work() {
    // One each, because what is read and kept of packs is shared by nobody then.
    try (OpenRepository repository = OpenRepository.open(dirs);
        ObjectReader reader = repository.newObjectReader()) {
      WorktreeFiles files = new WorktreeFiles(dirs.worktree().directory());
      Writing writing = new Writing(repository, reader);
      for (int at = next.getAndIncrement();
          at < chunks.size() && failure.get().isEmpty();
          at = next.getAndIncrement()) {
        write(files, writing, chunks.get(at));
      }
    } catch (IOException | RuntimeException e) {
      failure.compareAndSet(Optional.empty(), Optional.of(e));
    }
  }

  private void write(WorktreeFiles files, Writing writing, List<TreeContents.File> chunk)
      throws IOException {
    for (TreeContents.File file : chunk) {
      if (failure.get().isPresent()) {
        return;
      }
      byte[] path = Arrays.copyOf(file.path(), file.directory());
      Optional<OpenDirectory> kept = kept(files, path);
      if (kept.isPresent()) {
        write(kept.get(), writing, file);
      } else {
        try (OpenDirectory directory = files.directory(path)) {
          write(directory, writing, file);
        }
      }
    }
  }

  /** A directory that stays open; empty where enough are. */
  private Optional<OpenDirectory> kept(WorktreeFiles files, byte[] path) throws IOException {
    ByteBuffer key = ByteBuffer.wrap(path);
    OpenDirectory known = open.get(key);
    if (known != null || open.size() >= MAX_OPEN) {
      return Optional.ofNullable(known);
    }
    OpenDirectory opened = files.directory(path);
    OpenDirectory other = open.putIfAbsent(key, opened);
    if (other != null) {
      opened.close();
      return Optional.of(other);
    }
    return Optional.of(opened);
  }

  private void write(OpenDirectory directory, Writing writing, TreeContents.File file)
      throws IOException {
    Name name = file.name();
    if (FileMode.GITLINK.equals(file.mode())) {
      directory.makeDirectory(name);
      return;
    }
    if (FileMode.SYMLINK.equals(file.mode())) {
      Name link = directory.temporaryLink(writing.whole(file.id()));
      directory.rename(link, name);
    } else {
      writing.file(directory, name, file);
    }
    directory.inode(name).ifPresent(inode -> written.put(file, inode));
  }

  /** Writes the files of one thread. */
  private final class Writing {
    private final OpenRepository repository;
    private final ObjectReader reader;
    private final byte[] buffer = new byte[BUFFER_BYTES];

    Writing(OpenRepository repository, ObjectReader reader) {
      this.repository = repository;
      this.reader = reader;
    }

    byte[] whole(ObjectId id) throws IOException {
      return reader.open(id, Constants.OBJ_BLOB).getCachedBytes(Pack.MAX_WHOLE_BYTES);
    }

    void file(OpenDirectory directory, Name name, TreeContents.File file) throws IOException {
      ObjectLoader blob = blob(file.id());
      try (OpenDirectory.Temporary made = directory.create(name)) {
        if (attributes.isPresent()) {
          OutputStream out = TemporaryOutput.of(made);
          converted(attributes.get().of(file.path()), blob).writeTo(out);
          out.flush();
        } else if (blob.isLarge()) {
          copy(blob, TemporaryOutput.of(made));
        } else {
          made.write(blob.getCachedBytes());
        }
        if (FileMode.EXECUTABLE_FILE.equals(file.mode())) {
          made.mode(mode -> mode | (mode & 0444) >> 2);
        }
      }
    }

    /** Without a look at its type and size before it is made, which costs as much again. */
    private ObjectLoader blob(ObjectId id) throws IOException {
      Optional<StoredObjects.Packed> packed = repository.getObjectDatabase().packed(id);
      if (packed.isPresent()) {
        Optional<Pack.Whole> whole =
            packed.get().pack().wholeUpTo(packed.get().offset(), MAX_HELD_BYTES);
        if (whole.isPresent() && whole.get().type() == Constants.OBJ_BLOB) {
          return new ObjectLoader.SmallObject(Constants.OBJ_BLOB, whole.get().bytes());
        }
      }
      return reader.open(id, Constants.OBJ_BLOB);
    }

    private Content converted(Attributes rules, ObjectLoader blob) throws IOException {
      Content content = out -> copy(blob, out);
      LineEnds ends = LineEnds.of(rules, repository.getConfig());
      if (!ends.changes() || !ends.crlf()) {
        return content;
      }
      LineStats stats = new LineStats();
      content.writeTo(stats);
      return ends.toCrlf(stats) ? out -> content.writeTo(LineEnds.crlf(out)) : content;
    }

    private void copy(ObjectLoader blob, OutputStream out) throws IOException {
      try (InputStream in = blob.openStream()) {
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          if (failure.get().isPresent()) {
            throw new InterruptedIOException("stopped while a file was checked out");
          }
          out.write(buffer, 0, read);
        }
      }
      out.flush();
    }
  }
}
