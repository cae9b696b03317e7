package harness.workspace.git;

import harness.workspace.FileKind;
import harness.workspace.FileStatus;
import harness.workspace.Name;
import java.io.IOException;
import java.util.Optional;
import org.eclipse.jgit.diff.ContentSource;
import org.eclipse.jgit.errors.LargeObjectException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectStream;

/** Files of a worktree as git would store them, for a comparison. */
final class WorktreeContent extends ContentSource {
  private final WorktreeFiles files;
  private final StoredForm storedForm;

  WorktreeContent(WorktreeFiles files, StoredForm storedForm) {
    this.files = files;
    this.storedForm = storedForm;
  }

  @Override
  public long size(String path, ObjectId id) throws IOException {
    return open(path, id).getSize();
  }

  @Override
  public ObjectLoader open(String path, ObjectId id) throws IOException {
    byte[] bytes = Name.bytesOf(path);
    Optional<FileKind> kind = files.status(bytes).map(FileStatus::kind);
    if (kind.filter(FileKind.LINK::equals).isPresent()) {
      return new ObjectLoader.SmallObject(Constants.OBJ_BLOB, files.readLink(bytes));
    }
    if (kind.filter(FileKind.FILE::equals).isEmpty()) {
      throw new GitException(path + " went away while it was compared; ask again");
    }
    try (StoredForm.Content content = storedForm.open(files.file(bytes), bytes)) {
      return content.size() <= Patch.MAX_BYTES
          ? new ObjectLoader.SmallObject(
              Constants.OBJ_BLOB, content.in().readNBytes(Patch.MAX_BYTES))
          : new Large(bytes, content.size());
    }
  }

  @Override
  public boolean isWorkingTreeSource() {
    return true;
  }

  /** A file that is not held in memory. */
  private final class Large extends ObjectLoader {
    private final byte[] path;
    private final long size;

    Large(byte[] path, long size) {
      this.path = path;
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
      StoredForm.Content content = storedForm.open(files.file(path), path);
      return new ObjectStream.Filter(getType(), content.size(), content.in());
    }
  }
}
