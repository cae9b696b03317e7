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
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.eclipse.jgit.lib.Config;
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

  /** Larger files that lie in a pack as they are are written as they are read, in bytes. */
  private static final int MAX_HELD_BYTES = 16 * 1024 * 1024;

  private static final int BUFFER_BYTES = 256 * 1024;

  private final GitDirs dirs;
  private final Config config;
  private final TreeContents contents;
  private final Optional<AttributeFiles> attributes;
  private final StoredObjects objects;
  private final List<List<Lying>> chunks;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicReference<Optional<Exception>> failure =
      new AtomicReference<>(Optional.empty());

  /** What the system says of each file, by its place in the contents. */
  private final List<Optional<Inode>> written;

  private FreshCheckout(
      GitDirs dirs,
      OpenRepository repository,
      TreeContents contents,
      Optional<AttributeFiles> attributes)
      throws IOException, InterruptedException {
    this.dirs = dirs;
    this.config = repository.getConfig();
    this.objects = repository.getObjectDatabase();
    this.contents = contents;
    this.attributes = attributes;
    this.chunks = chunks(contents, objects);
    this.written = new ArrayList<>(Collections.nCopies(contents.files().size(), Optional.empty()));
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
        byte[] unseen =
            IndexWriter.bytes(worktree, edit(worktree, contents, at -> Optional.empty()));
        IndexFile index = new IndexParser(unseen, "the index").parse(0);
        attributes =
            Optional.of(
                new AttributeFiles(dirs.commonDir(), worktree.files(), index, repository)
                    .indexFirst());
      }
      FreshCheckout checkout = new FreshCheckout(dirs, repository, contents, attributes);
      checkout.makeDirectories();
      checkout.writeFiles();
      IndexEdit edit = edit(worktree, contents, checkout.written::get);
      return IndexWriter.bytes(worktree, edit, Optional.of(contents.cacheTree()));
    }
  }

  private static IndexEdit edit(
      Worktree worktree, TreeContents contents, IntFunction<Optional<Inode>> written) {
    IndexEdit edit = new IndexEdit(worktree.index());
    for (int at = 0; at < contents.files().size(); at++) {
      TreeContents.File file = contents.files().get(at);
      edit.putNew(file.path(), new IndexEdit.Entry(file.mode(), file.id(), written.apply(at)));
    }
    return edit;
  }

  /**
   * The files in the order in which their content lies in packs, so that what many differ from is
   * made once.
   */
  private static List<List<Lying>> chunks(TreeContents contents, StoredObjects objects)
      throws IOException, InterruptedException {
    Map<Pack, Integer> packs = new HashMap<>();
    List<Lying> all = new ArrayList<>();
    for (TreeContents.File file : contents.files()) {
      Interrupts.check();
      Optional<StoredObjects.Packed> packed =
          FileMode.GITLINK.equals(file.mode()) ? Optional.empty() : objects.packed(file.id());
      int pack =
          packed.map(where -> packs.computeIfAbsent(where.pack(), one -> packs.size())).orElse(-1);
      all.add(new Lying(file, all.size(), packed, pack));
    }
    all.sort(Comparator.comparingInt(Lying::pack).thenComparingLong(Lying::offset));
    List<List<Lying>> chunks = new ArrayList<>();
    for (int from = 0; from < all.size(); from += CHUNK_FILES) {
      chunks.add(all.subList(from, Math.min(all.size(), from + CHUNK_FILES)));
    }
    return chunks;
  }

  /**
   * A file, and where its content lies.
   *
   * @param at its place in the contents
   * @param pack the number of the pack; -1 where it is in none
   */
  private record Lying(
      TreeContents.File file, int at, Optional<StoredObjects.Packed> packed, int pack) {
    long offset() {
      return packed.map(StoredObjects.Packed::offset).orElse(-1L);
    }
  }

  private void makeDirectories() throws IOException, InterruptedException {
    WorktreeFiles files = new WorktreeFiles(dirs.worktree().directory());
    try (RecentDirectories open = new RecentDirectories(files)) {
      for (byte[] path : contents.directories()) {
        Interrupts.check();
        int slash = path.length - 1;
        while (slash >= 0 && path[slash] != '/') {
          slash--;
        }
        Name name = Name.of(Arrays.copyOfRange(path, slash + 1, path.length));
        open.directory(Arrays.copyOf(path, Math.max(0, slash))).makeDirectory(name);
      }
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
    try (ObjectReader reader = objects.newReader();
        PackReader packs = new PackReader();
        RecentDirectories open =
            new RecentDirectories(new WorktreeFiles(dirs.worktree().directory()))) {
      Writing writing = new Writing(reader, packs);
      for (int at = next.getAndIncrement();
          at < chunks.size() && failure.get().isEmpty();
          at = next.getAndIncrement()) {
        write(open, writing, chunks.get(at));
      }
    } catch (IOException | RuntimeException e) {
      failure.compareAndSet(Optional.empty(), Optional.of(e));
    }
  }

  private void write(RecentDirectories open, Writing writing, List<Lying> chunk)
      throws IOException {
    for (Lying lying : chunk) {
      if (failure.get().isPresent()) {
        return;
      }
      byte[] path = Arrays.copyOf(lying.file.path(), lying.file.directory());
      write(open.directory(path), writing, lying);
    }
  }

  private void write(OpenDirectory directory, Writing writing, Lying lying) throws IOException {
    TreeContents.File file = lying.file;
    Name name = file.name();
    if (FileMode.GITLINK.equals(file.mode())) {
      directory.makeDirectory(name);
      return;
    }
    if (FileMode.SYMLINK.equals(file.mode())) {
      Name link = directory.temporaryLink(writing.whole(file.id()));
      directory.rename(link, name);
    } else {
      writing.file(directory, name, lying);
    }
    Optional<Inode> unused = written.set(lying.at, directory.inode(name));
  }

  /** Writes the files of one thread. */
  private final class Writing {
    private final ObjectReader reader;
    private final PackReader packs;
    private final byte[] buffer = new byte[BUFFER_BYTES];

    Writing(ObjectReader reader, PackReader packs) {
      this.reader = reader;
      this.packs = packs;
    }

    byte[] whole(ObjectId id) throws IOException {
      return reader.open(id, Constants.OBJ_BLOB).getCachedBytes(Pack.MAX_WHOLE_BYTES);
    }

    void file(OpenDirectory directory, Name name, Lying lying) throws IOException {
      TreeContents.File file = lying.file;
      try (OpenDirectory.Temporary made = directory.create(name)) {
        Optional<LineEnds> crlf = crlf(file);
        if (crlf.isPresent()) {
          OutputStream out = TemporaryOutput.of(made);
          converted(crlf.get(), blob(lying)).writeTo(out);
          out.flush();
        } else {
          asStored(lying, made);
        }
        if (FileMode.EXECUTABLE_FILE.equals(file.mode())) {
          made.mode(mode -> mode | (mode & 0444) >> 2);
        }
      }
    }

    private void asStored(Lying lying, OpenDirectory.Temporary made) throws IOException {
      Optional<ByteBuffer> plain = Optional.empty();
      if (lying.packed.isPresent()) {
        StoredObjects.Packed where = lying.packed.get();
        plain = packs.plain(where.pack(), where.offset(), Constants.OBJ_BLOB);
      }
      if (plain.isPresent()) {
        made.write(plain.get());
        return;
      }
      ObjectLoader blob = blob(lying);
      if (blob.isLarge()) {
        copy(blob, TemporaryOutput.of(made));
      } else {
        made.write(blob.getCachedBytes());
      }
    }

    /** Without a look at its type and size before it is made, which costs as much again. */
    private ObjectLoader blob(Lying lying) throws IOException {
      if (lying.packed.isPresent()) {
        StoredObjects.Packed where = lying.packed.get();
        Optional<Pack.Whole> whole = where.pack().wholeUpTo(where.offset(), MAX_HELD_BYTES);
        if (whole.isPresent() && whole.get().type() == Constants.OBJ_BLOB) {
          return new ObjectLoader.SmallObject(Constants.OBJ_BLOB, whole.get().bytes());
        }
      }
      return reader.open(lying.file.id(), Constants.OBJ_BLOB);
    }

    /** What a file is converted by; empty where it has the line ends that git has stored. */
    private Optional<LineEnds> crlf(TreeContents.File file) throws IOException {
      if (attributes.isEmpty()) {
        return Optional.empty();
      }
      LineEnds ends = LineEnds.of(attributes.get().of(file.path()), config);
      return ends.changes() && ends.crlf() ? Optional.of(ends) : Optional.empty();
    }

    private Content converted(LineEnds ends, ObjectLoader blob) throws IOException {
      Content content = out -> copy(blob, out);
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
