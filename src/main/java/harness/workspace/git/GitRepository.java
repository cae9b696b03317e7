package harness.workspace.git;

import java.io.File;
import java.io.IOException;
import org.eclipse.jgit.errors.ConfigInvalidException;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;

/** The one way to a JGit repository: places that were checked, and a harmless configuration. */
final class GitRepository {
  private GitRepository() {}

  /**
   * Opens the repository of these places. Its configuration lives in memory and is never written
   * back; what names a program or a path is not in it.
   */
  static Repository open(GitPlaces places) throws IOException {
    QuietSystem.install();
    String config = SafeConfig.read(places.commonDir().resolve("config"));
    Repository repository = new Checked(places).build();
    try {
      repository.getConfig().fromText(config);
    } catch (ConfigInvalidException e) {
      repository.close();
      throw new GitException("the configuration of " + places.commonDir() + " can't be used", e);
    }
    return repository;
  }

  /** Every place is given, so that JGit looks for none. */
  private static final class Checked extends FileRepositoryBuilder {
    private final File[] alternates;

    Checked(GitPlaces places) {
      // The dot keeps JGit from opening the repository around it, with that one's configuration.
      alternates =
          places.alternates().stream()
              .map(objects -> new File(objects.toFile(), "."))
              .toArray(File[]::new);
      setFS(new QuietFs());
      setGitDir(places.gitDir().toFile());
      setGitCommonDir(places.commonDir().toFile());
      setObjectDirectory(places.commonDir().resolve("objects").toFile());
      setIndexFile(places.gitDir().resolve("index").toFile());
      setWorkTree(places.worktree().toFile());
    }

    /** Never null: with null JGit would read the list of alternates itself. */
    @Override
    public File[] getAlternateObjectDirectories() {
      return alternates.clone();
    }
  }
}
