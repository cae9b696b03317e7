package harness.workspace.git;

import harness.workspace.Directory;
import harness.workspace.FileKind;
import harness.workspace.FileStatus;
import harness.workspace.Name;
import harness.workspace.OpenDirectory;
import harness.workspace.Way;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.treewalk.AbstractTreeIterator;
import org.eclipse.jgit.treewalk.WorkingTreeIterator;
import org.eclipse.jgit.treewalk.WorkingTreeOptions;

/**
 * The files of a worktree for JGit's tree walks and commands, reached by open directories alone. No
 * link is followed; what is neither file, directory nor link is not there, and neither is a name
 * that is no UTF-8, because JGit has no word for it.
 */
final class Checkout extends WorkingTreeIterator {
  private static final Name DOT_GIT = Name.of(Constants.DOT_GIT);

  /** What all levels of one walk have in common. */
  private record Tree(Way top, WorktreeFiles files, DirCache index) {}

  private final Tree tree;

  /**
   * @param top the top of the worktree; stays open as long as this is used
   * @param index tells a directory with a {@code .git} and tracked files from another repository
   */
  Checkout(Repository repository, Way top, DirCache index) throws IOException {
    super(repository.getConfig().get(WorkingTreeOptions.KEY));
    this.tree = new Tree(top, new WorktreeFiles(top.directory()), index);
    init(entries(""));
    // Only after the entries, since it wraps the ignore file that is among them.
    initRootIterator(repository);
  }

  private Checkout(Checkout parent) throws IOException {
    super(parent);
    this.tree = parent.tree;
    init(entries(((FileEntry) parent.current()).path + "/"));
  }

  @Override
  public AbstractTreeIterator createSubtreeIterator(
      ObjectReader reader) throws IOException {
    return new Checkout(this);
  }

  private Entry[] entries(String prefix) throws IOException {
    List<Entry> entries = new ArrayList<>();
    byte[] path = bytes(prefix.isEmpty() ? prefix : prefix.substring(0, prefix.length() - 1));
    try (OpenDirectory directory = tree.files.directory(path);
        OpenDirectory.Entries all = directory.entries()) {
      while (all.hasNext()) {
        Directory.Entry entry = all.next();
        add(entries, directory, prefix, entry);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return entries.toArray(EOF);
  }

  private void add(
      List<Entry> entries, OpenDirectory directory, String prefix, Directory.Entry entry)
      throws IOException {
    Name name = Name.of(Name.bytesOf(entry.name()));
    String text = new String(name.bytes(), StandardCharsets.UTF_8);
    if (!Name.of(bytes(text)).equals(name)) {
      return;
    }
    Optional<FileStatus> status = directory.status(name);
    if (status.isPresent()) {
      String path = prefix + text;
      FileMode mode = mode(directory, name, path, status.get());
      if (!mode.equals(FileMode.MISSING)) {
        entries.add(new FileEntry(tree.files, path, text, mode, status.get()));
      }
    }
  }

  private FileMode mode(OpenDirectory parent, Name name, String path, FileStatus status)
      throws IOException {
    return switch (status.kind()) {
      case FILE -> (status.mode() & 0100) == 0 ? FileMode.REGULAR_FILE : FileMode.EXECUTABLE_FILE;
      case LINK -> FileMode.SYMLINK;
      case DIRECTORY -> isRepository(parent, name, path) ? FileMode.GITLINK : FileMode.TREE;
      case FIFO, SOCKET, DEVICE, OTHER -> FileMode.MISSING;
    };
  }

  /** A directory with a {@code .git} is a repository of its own, unless the index has its files. */
  private boolean isRepository(OpenDirectory parent, Name name, String path) throws IOException {
    if (name.isIgnoringCase(Constants.DOT_GIT)) {
      return false;
    }
    try (OpenDirectory directory = parent.directory(name)) {
      return directory.status(DOT_GIT).isPresent() && !Tracked.below(tree.index, path);
    } catch (FileSystemException e) {
      // Gone, or another thing by now: then it is looked at when the walk gets there.
      return false;
    }
  }

  /** The commit that a repository in this directory is at; zero where it can't be told. */
  @Override
  protected byte[] idSubmodule(Entry entry) {
    byte[] id = new byte[Constants.OBJECT_ID_LENGTH];
    InnerRepository.head(tree.top, Name.textOf(bytes(((FileEntry) entry).path)))
        .orElse(ObjectId.zeroId())
        .copyRawTo(id, 0);
    return id;
  }

  private static byte[] bytes(String path) {
    return path.getBytes(StandardCharsets.UTF_8);
  }

  private static final class FileEntry extends Entry {
    private final WorktreeFiles files;
    private final String path;
    private final String name;
    private final FileMode mode;
    private final FileStatus status;

    FileEntry(WorktreeFiles files, String path, String name, FileMode mode, FileStatus status) {
      this.files = files;
      this.path = path;
      this.name = name;
      this.mode = mode;
      this.status = status;
    }

    @Override
    public FileMode getMode() {
      return mode;
    }

    @Override
    public long getLength() {
      return status.size();
    }

    @Override
    public Instant getLastModifiedInstant() {
      long nanos = status.modifiedNanos();
      long second = TimeUnit.SECONDS.toNanos(1);
      return Instant.ofEpochSecond(Math.floorDiv(nanos, second), Math.floorMod(nanos, second));
    }

    @Override
    public String getName() {
      return name;
    }

    @Override
    public InputStream openInputStream() throws IOException {
      return status.kind() == FileKind.LINK
          ? new ByteArrayInputStream(files.readLink(bytes(path)))
          : new FileStream(files.file(bytes(path)));
    }
  }
}
