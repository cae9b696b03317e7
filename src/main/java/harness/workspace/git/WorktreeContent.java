package harness.workspace.git;

import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
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
import org.eclipse.jgit.treewalk.filter.PathFilter;

/**
 * Files of a worktree as git would store them, with the line ends that their attributes ask for;
 * JGit's own source of them does not know the attributes.
 */
final class WorktreeContent extends ContentSource {
  private static final int INDEX = 0;
  private static final int WORK = 1;

  private final TreeWalk walk;
  private final DirCache index;
  private final Checkout checkout;

  WorktreeContent(Repository repository, ObjectReader reader, DirCache index, Checkout checkout) {
    this.walk = new TreeWalk(repository, reader);
    this.index = index;
    this.checkout = checkout;
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
    checkout.reset();
    walk.reset();
    walk.setOperationType(TreeWalk.OperationType.CHECKIN_OP);
    walk.addTree(new DirCacheIterator(index));
    walk.addTree(checkout);
    checkout.setDirCacheIterator(walk, INDEX);
    walk.setRecursive(true);
    walk.setFilter(PathFilter.create(path));
    while (walk.next()) {
      WorkingTreeIterator file = walk.getTree(WORK, WorkingTreeIterator.class);
      if (file != null && walk.getPathString().equals(path)) {
        return file;
      }
    }
    throw new FileNotFoundException(path);
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
