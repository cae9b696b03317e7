package harness.workspace.git;

import java.nio.file.Files;
import java.nio.file.Path;

/** Repositories made with the git program. */
final class GitProgramFixture {
  private GitProgramFixture() {}

  /** One with a commit that holds {@code file.txt}. */
  static Path committed(Path directory, String content) throws Exception {
    GitProgram git = GitProgram.init(directory);
    Files.writeString(directory.resolve("file.txt"), content + "\n");
    git.run("add", "file.txt");
    git.run("commit", "-qm", "Commit of " + content);
    return directory;
  }
}
