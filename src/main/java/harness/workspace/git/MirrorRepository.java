package harness.workspace.git;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;

/**
 * A bare repository that this process alone writes. JGit knows all of its places, its configuration
 * lives in memory and holds nothing, and no file of the user or the system adds to it.
 */
public final class MirrorRepository {
  private MirrorRepository() {}

  /**
   * Opens it; it is made where it is missing.
   *
   * @param directory an absolute, real path
   */
  public static Repository open(Path directory) throws IOException {
    QuietSystem.install();
    for (String part : new String[] {"objects/info", "objects/pack", "refs/heads", "refs/tags"}) {
      Files.createDirectories(directory.resolve(part));
    }
    put(directory.resolve("config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
    // Unborn, so that no branch of the other side is the mirror's own.
    put(directory.resolve("HEAD"), "ref: refs/heads/none\n");
    Repository repository = new Bare(directory, directory.resolve("objects")).build();
    // A fetch would else clean up behind it, on a thread of its own, and what was borrowed may go.
    repository.getConfig().setInt("gc", null, "auto", 0);
    repository.getConfig().setInt("gc", null, "autoPackLimit", 0);
    return repository;
  }

  /**
   * Opens the objects of a mirror with no ref beside them, so that a fetch asks for what it wants
   * and tells of nothing that is there: with a commit a server takes all of its files for there.
   */
  public static Repository withoutRefs(Path mirror) throws IOException {
    Path directory = mirror.resolve("no-refs");
    Files.createDirectories(directory.resolve("refs/heads"));
    put(directory.resolve("HEAD"), "ref: refs/heads/none\n");
    return new Bare(directory, mirror.resolve("objects")).build();
  }

  private static void put(Path file, String content) throws IOException {
    if (!Files.exists(file)) {
      Files.writeString(file, content);
    }
  }

  private static final class Bare extends FileRepositoryBuilder {
    Bare(Path directory, Path objects) {
      setFS(new QuietFs());
      setGitDir(directory.toFile());
      setObjectDirectory(objects.toFile());
      setBare();
    }

    /** It borrows nothing, whatever a file in it says. */
    @Override
    public File[] getAlternateObjectDirectories() {
      return new File[0];
    }
  }
}
