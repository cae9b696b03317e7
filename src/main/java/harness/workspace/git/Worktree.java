package harness.workspace.git;

import java.io.IOException;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;

/**
 * A worktree as one call reads it: its index, and how its files are looked at.
 *
 * @param index as it was when the call began
 */
record Worktree(
    GitDirs dirs,
    Repository repository,
    IndexFile index,
    WorktreeFiles files,
    AttributeFiles attributes,
    StoredForm storedForm) {
  static Worktree open(GitDirs dirs, Repository repository) throws IOException {
    IndexFile index = IndexFile.read(dirs.gitDir());
    WorktreeFiles files = new WorktreeFiles(dirs.worktree().directory());
    AttributeFiles attributes = new AttributeFiles(dirs.commonDir(), files, index, repository);
    StoredForm storedForm = new StoredForm(attributes, index, repository);
    return new Worktree(dirs, repository, index, files, attributes, storedForm);
  }

  /**
   * The attributes of files that are to be written: those of the index go before the worktree's.
   */
  AttributeFiles attributesForWriting() throws IOException {
    return attributes.indexFirst();
  }

  /**
   * What to look for in it.
   *
   * @param ours whether an entry that conflicts is compared by our side, or not at all
   * @param repositories what counts as a change of a repository inside
   */
  Scan.Task task(PathFilter filter, boolean ours, Submodules.Looks repositories)
      throws IOException {
    return new Scan.Task(
        dirs.worktree(),
        index,
        StatRules.of(repository.getConfig()),
        storedForm,
        new IgnoreFiles(dirs.commonDir(), files),
        Submodules.read(files, repository.getConfig(), repositories),
        filter,
        ours,
        0);
  }

  /** What a row has in the worktree, with the id of its content where that can be told. */
  Row.Blob known(Row row) throws IOException {
    Row.Blob work = row.work();
    boolean unknown = !work.missing() && work.id().equals(ObjectId.zeroId());
    if (!unknown || FileMode.GITLINK.equals(work.mode())) {
      return work;
    }
    return new Row.Blob(work.mode(), files.id(row.bytes(), storedForm));
  }
}
