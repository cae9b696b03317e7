package harness.workspace.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Map;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheCheckout;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.RefUpdate;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;

/** Makes repositories and linked worktrees, such that the git program agrees with them. */
public final class Worktrees {
  static final String CONFIG =
      """
      [core]
      \trepositoryformatversion = 0
      \tfilemode = true
      \tbare = false
      \tlogallrefupdates = true
      """;

  private Worktrees() {}

  /**
   * Makes a repository with one commit and its checkout.
   *
   * @param repository the directory of the checkout; made with its parents, or empty
   * @param branch the branch of the commit
   * @param files what the commit holds, by paths from the top with slashes
   * @param by its author and committer
   * @return the id of the commit
   */
  public static String create(
      Path repository, String branch, Map<String, String> files, Signature by) throws IOException {
    checkBranch(branch);
    prepare(repository);
    Path worktree = repository.toRealPath();
    Path git = worktree.resolve(Constants.DOT_GIT);
    for (String directory :
        new String[] {"objects/info", "objects/pack", "refs/heads", "refs/tags", "info"}) {
      Files.createDirectories(git.resolve(directory));
    }
    Files.writeString(git.resolve("config"), CONFIG);
    Files.writeString(git.resolve("HEAD"), "ref: refs/heads/" + branch + "\n");
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path path = worktree.resolve(file.getKey()).normalize();
      if (!path.startsWith(worktree) || path.startsWith(git)) {
        throw new GitException(file.getKey() + " is no path of a file in a repository");
      }
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue(), StandardCharsets.UTF_8);
    }
    return commit(worktree, "First commit", by);
  }

  /**
   * Commits everything in a worktree that is not ignored, deletions included.
   *
   * @return the id of the commit
   */
  public static String commit(Path worktree, String message, Signature by) throws IOException {
    Path real = worktree.toRealPath();
    PersonIdent person = new PersonIdent(by.name(), by.email(), by.when(), ZoneOffset.UTC);
    try (Repository opened = open(real, real.getRoot());
        Git git = new Git(opened)) {
      git.add().addFilepattern(".").call();
      git.add().setUpdate(true).addFilepattern(".").call();
      RevCommit commit =
          git.commit()
              .setAuthor(person)
              .setCommitter(person)
              .setMessage(message)
              .setSign(false)
              .setNoVerify(true)
              .call();
      return commit.name();
    } catch (GitAPIException e) {
      throw new GitException("can't commit in " + real + ": " + e.getMessage(), e);
    }
  }

  /**
   * Adds a linked worktree, as {@code git worktree add} does.
   *
   * @param repository the top of a checkout of the repository
   * @param branch the branch to check out there; made at the repository's HEAD where it is missing
   * @param worktree made with its parents, or an empty directory
   * @throws GitException where the branch is checked out already
   */
  public static void add(Path repository, String branch, Path worktree) throws IOException {
    checkBranch(branch);
    prepare(worktree);
    Path linked = worktree.toRealPath();
    Path main = repository.toRealPath();
    GitPlaces places = GitPlaces.find(main.getRoot(), main);
    try (Repository opened = GitRepository.open(places)) {
      checkFree(places.commonDir(), branch);
      ObjectId commit = branch(opened, branch);
      Path admin = admin(places.commonDir(), linked.getFileName().toString());
      Files.writeString(admin.resolve("HEAD"), "ref: refs/heads/" + branch + "\n");
      Files.writeString(admin.resolve("commondir"), "../..\n");
      Files.writeString(admin.resolve("gitdir"), linked.resolve(Constants.DOT_GIT) + "\n");
      Files.writeString(linked.resolve(Constants.DOT_GIT), "gitdir: " + admin + "\n");
      checkOut(linked, commit);
    }
  }

  private static void checkOut(Path linked, ObjectId commit) throws IOException {
    try (Repository repository = open(linked, linked.getRoot());
        RevWalk walk = new RevWalk(repository)) {
      DirCache index = repository.lockDirCache();
      try {
        DirCacheCheckout checkout =
            new DirCacheCheckout(repository, index, walk.parseCommit(commit).getTree());
        checkout.setFailOnConflict(true);
        checkout.checkout();
      } finally {
        index.unlock();
      }
    }
  }

  private static Repository open(Path worktree, Path readRoot) throws IOException {
    return GitRepository.open(GitPlaces.find(readRoot, worktree));
  }

  /** The commit of a branch, which is made at HEAD where it is missing. */
  private static ObjectId branch(Repository repository, String branch) throws IOException {
    String ref = Constants.R_HEADS + branch;
    ObjectId commit = repository.resolve(ref);
    if (commit != null) {
      return commit;
    }
    ObjectId head = repository.resolve(Constants.HEAD);
    if (head == null) {
      throw new GitException(
          "the repository has no commit yet, so no branch " + branch + " can be made in it");
    }
    RefUpdate update = repository.updateRef(ref);
    update.setNewObjectId(head);
    update.setExpectedOldObjectId(ObjectId.zeroId());
    update.disableRefLog();
    RefUpdate.Result result = update.update();
    if (result != RefUpdate.Result.NEW) {
      throw new GitException("the branch " + branch + " can't be made: " + result);
    }
    return head;
  }

  private static Path admin(Path commonDir, String name) throws IOException {
    Path parent = Files.createDirectories(commonDir.resolve("worktrees"));
    Path admin = parent.resolve(name);
    for (int i = 1; Files.exists(admin, LinkOption.NOFOLLOW_LINKS); i++) {
      admin = parent.resolve(name + i);
    }
    return Files.createDirectory(admin);
  }

  /** Whether a branch may be called so. */
  public static boolean isBranch(String name) {
    QuietSystem.install();
    try {
      Branches.checkName(name);
      return true;
    } catch (GitException e) {
      return false;
    }
  }

  private static void checkBranch(String branch) throws GitException {
    QuietSystem.install();
    if (!Repository.isValidRefName(Constants.R_HEADS + branch)) {
      throw new GitException(branch + " is no name for a branch");
    }
  }

  private static void checkFree(Path commonDir, String branch) throws IOException {
    String head = "ref: refs/heads/" + branch;
    checkFree(commonDir.resolve("HEAD"), head, branch);
    Path worktrees = commonDir.resolve("worktrees");
    if (Files.isDirectory(worktrees)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(worktrees)) {
        for (Path entry : entries) {
          checkFree(entry.resolve("HEAD"), head, branch);
        }
      }
    }
  }

  private static void checkFree(Path file, String head, String branch) throws IOException {
    if (SmallFile.text(file, 4 * 1024).orElse("").strip().equals(head)) {
      throw new GitException(
          "the branch " + branch + " is checked out already, as " + file + " says; take another");
    }
  }

  /** The directory must be there and empty. */
  private static void prepare(Path directory) throws IOException {
    Files.createDirectories(directory);
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      if (entries.iterator().hasNext()) {
        throw new GitException(directory + " is not empty; name a directory that is");
      }
    }
  }
}
