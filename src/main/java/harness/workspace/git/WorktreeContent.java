package harness.workspace.git;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.util.Collection;
import org.eclipse.jgit.diff.ContentSource;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheIterator;
import org.eclipse.jgit.errors.LargeObjectException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.ObjectStream;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.WorkingTreeIterator;
import org.eclipse.jgit.treewalk.filter.PathFilterGroup;
import org.eclipse.jgit.treewalk.filter.TreeFilter;

/**
 * Files of a worktree as git would store them, with the line ends that their attributes ask for;
 * JGit's own source of them does not know the attributes. Asked for in order, they are found in one
 * walk.
 */
final class WorktreeContent extends ContentSource {
  private static final int INDEX = 0;
  private static final int WORK = 1;

  private final TreeWalk walk;
  private final DirCache index;
  private final Checkout checkout;
  private final TreeFilter filter;

  /** Where the walk is; empty before its first entry and behind its last. */
  private String at = "";

  /**
   * @param paths what will be asked for
   */
  WorktreeContent(
      Repository repository,
      ObjectReader reader,
      DirCache index,
      Checkout checkout,
      Collection<String> paths) {
    this.walk = new TreeWalk(repository, reader);
    this.index = index;
    this.checkout = checkout;
    this.filter = paths.isEmpty() ? TreeFilter.ALL : PathFilterGroup.createFromStrings(paths);
  }

  @Override
  public long size(String path, ObjectId id) throws IOException {
    return seek(path).getEntryContentLength();
  }

  @Override
  public ObjectLoader open(String path, ObjectId id) throws IOException {
    WorkingTreeIterator file = seek(path);
    return new FileLoader(file, file.getEntryContentLength());
  }

  @Override
  public boolean isWorkingTreeSource() {
    return true;
  }

  private WorkingTreeIterator seek(String path) throws IOException {
    if (!at.equals(path)) {
      if (at.isEmpty() || at.compareTo(path) > 0) {
        begin();
      }
      do {
        at = walk.next() ? walk.getPathString() : "";
      } while (!at.isEmpty() && !at.equals(path));
    }
    WorkingTreeIterator file = at.isEmpty() ? null : walk.getTree(WORK, WorkingTreeIterator.class);
    if (file == null) {
      throw new GitException(path + " went away while it was compared; ask again");
    }
    return file;
  }

  private void begin() throws IOException {
    checkout.reset();
    walk.reset();
    walk.setOperationType(TreeWalk.OperationType.CHECKIN_OP);
    walk.addTree(new DirCacheIterator(index));
    walk.addTree(checkout);
    checkout.setDirCacheIterator(walk, INDEX);
    walk.setRecursive(true);
    walk.setFilter(filter);
  }

  private static final class FileLoader extends ObjectLoader {
    private final WorkingTreeIterator file;
    private final long size;

    FileLoader(WorkingTreeIterator file, long size) {
      this.file = file;
      this.size = size;
    }

    @Override
    public int getType() {
      return Constants.OBJ_BLOB;
    }

    @Override
    public long getSize() {
      return size;
    }

    @Override
    public boolean isLarge() {
      return true;
    }

    @Override
    public byte[] getCachedBytes() {
      throw new LargeObjectException();
    }

    @Override
    public ObjectStream openStream() throws IOException {
      return new ObjectStream.Filter(
          getType(), size, new BufferedInputStream(file.openEntryStream()));
    }
  }
}
