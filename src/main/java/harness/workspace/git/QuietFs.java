package harness.workspace.git;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.treewalk.FileTreeIterator;
import org.eclipse.jgit.treewalk.WorkingTreeIterator;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.FS_POSIX;
import org.eclipse.jgit.util.ProcessResult;
import org.jspecify.annotations.Nullable;

/**
 * The file system as JGit may use it: it starts no process, finds no git program, hook or home,
 * gives no repository configuration (what is harmless in it is handed over in memory) and shows no
 * special files, so that a FIFO can't hold a thread.
 */
final class QuietFs extends FS_POSIX {
  /** Given instead of what is not to be read: a name below something that is no directory. */
  private static final File ABSENT = new File("/dev/null/absent");

  /** The permission bits that new files don't get; told here, because JGit asks a shell for it. */
  private static final int UMASK = 022;

  QuietFs() {
    setUmask(UMASK);
  }

  @Override
  public FS newInstance() {
    return new QuietFs();
  }

  /**
   * A repository's {@code config} is absent, and so is what an alternate (opened as {@code
   * objects/.}) names as its own alternates: both were read and checked before.
   */
  @Override
  public File resolve(File dir, String name) {
    return name.equals("config") || dir.getName().equals(".") ? ABSENT : super.resolve(dir, name);
  }

  @Override
  public boolean supportsSymlinks() {
    return true;
  }

  @Override
  protected @Nullable File userHomeImpl() {
    return null;
  }

  @Override
  protected @Nullable File discoverGitExe() {
    return null;
  }

  @Override
  protected @Nullable File discoverGitSystemConfig() {
    return null;
  }

  @Override
  public @Nullable File getGitSystemConfig() {
    return null;
  }

  @Override
  public @Nullable File findHook(Repository repository, String hookName) {
    return null;
  }

  @Override
  public ProcessResult runHookIfPresent(
      Repository repository,
      String hookName,
      String[] args,
      OutputStream out,
      OutputStream err,
      String stdin) {
    return new ProcessResult(ProcessResult.Status.NOT_SUPPORTED);
  }

  @Override
  public ProcessBuilder runInShell(String cmd, String[] args) {
    throw new IllegalStateException("nothing that a repository names is run");
  }

  @Override
  public int runProcess(
      ProcessBuilder processBuilder, OutputStream out, OutputStream err, InputStream in)
      throws IOException {
    throw new IOException("nothing that a repository names is run");
  }

  @Override
  public FS.ExecutionResult execute(ProcessBuilder processBuilder, InputStream in)
      throws IOException {
    throw new IOException("nothing that a repository names is run");
  }

  @Override
  public WorkingTreeIterator.Entry[] list(
      File directory, FileTreeIterator.FileModeStrategy strategy) {
    File[] files = directory.listFiles();
    if (files == null) {
      return NO_ENTRIES;
    }
    List<WorkingTreeIterator.Entry> entries = new ArrayList<>(files.length);
    for (File file : files) {
      FS.Attributes attributes = getAttributes(file);
      if (attributes.isRegularFile() || attributes.isDirectory() || attributes.isSymbolicLink()) {
        entries.add(new PlainEntry(file, this, attributes, strategy));
      }
    }
    return entries.toArray(NO_ENTRIES);
  }

  /** An entry whose content is never that of what a link leads to. */
  private static final class PlainEntry extends FileTreeIterator.FileEntry {
    PlainEntry(
        File file, FS fs, FS.Attributes attributes, FileTreeIterator.FileModeStrategy strategy) {
      super(file, fs, attributes, strategy);
    }

    @Override
    public InputStream openInputStream() throws IOException {
      return FileMode.SYMLINK.equals(getMode())
          ? super.openInputStream()
          : Files.newInputStream(getFile().toPath(), LinkOption.NOFOLLOW_LINKS);
    }
  }
}
