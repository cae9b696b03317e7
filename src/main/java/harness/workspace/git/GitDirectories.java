package harness.workspace.git;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What of a repository a sandbox lets git write, so that a commit works, and what of it stays fixed
 * all the same: what names programs or places.
 *
 * @param writable the directories, real paths
 * @param fixed files and directories in them, and the worktree's {@code .git} where it is a file
 * @param hooks the directory of hooks, where there is none yet
 */
public record GitDirectories(List<Held> writable, List<Path> fixed, Optional<Path> hooks) {
  /** There is no repository that may be written. */
  public static final GitDirectories NONE =
      new GitDirectories(List.of(), List.of(), Optional.empty());

  private static final int MAX_POINTER_BYTES = 4 * 1024;

  /**
   * A directory.
   *
   * @param key which one it is, as {@code stat -c '(dev=%D,ino=%i)'} prints it
   */
  public record Held(Path path, String key) {}

  public GitDirectories {
    writable = List.copyOf(writable);
    fixed = List.copyOf(fixed);
  }

  /**
   * Those of the repository of a working directory. A linked worktree and its git directory have to
   * name each other: a {@code .git} file alone, which anybody in the worktree can write, opens no
   * other repository.
   *
   * @param readRoot a real path
   * @param cwd a real path under it
   */
  public static GitDirectories of(Path readRoot, Path cwd) throws IOException {
    GitPlaces places = GitPlaces.find(readRoot, cwd);
    Path gitDir = places.gitDir();
    Path commonDir = places.commonDir();
    Path dotGit = places.worktree().resolve(".git");
    boolean linked = !gitDir.equals(commonDir);
    if (linked
        ? !gitDir.startsWith(commonDir.resolve("worktrees")) || !names(gitDir, dotGit)
        : !gitDir.equals(dotGit)) {
      return NONE;
    }
    List<Held> writable = new ArrayList<>();
    for (Path directory : linked ? List.of(commonDir, gitDir) : List.of(gitDir)) {
      writable.add(new Held(directory, key(directory)));
    }
    Path hooks = commonDir.resolve("hooks");
    List<Path> fixed =
        Stream.of(
                linked ? dotGit : gitDir.resolve("config"),
                commonDir.resolve("config"),
                commonDir.resolve("modules"),
                hooks,
                gitDir.resolve("commondir"),
                gitDir.resolve("config.worktree"),
                gitDir.resolve("gitdir"))
            .distinct()
            .filter(path -> Files.exists(path, LinkOption.NOFOLLOW_LINKS))
            .toList();
    return new GitDirectories(
        writable, fixed, fixed.contains(hooks) ? Optional.empty() : Optional.of(hooks));
  }

  private static boolean names(Path gitDir, Path dotGit) throws IOException {
    Optional<String> back = SmallFile.text(gitDir.resolve("gitdir"), MAX_POINTER_BYTES);
    return back.isPresent()
        && gitDir.resolve(back.get().strip()).normalize().equals(dotGit.normalize());
  }

  private static String key(Path directory) throws IOException {
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      if (stream instanceof SecureDirectoryStream<Path> opened) {
        return String.valueOf(
            opened.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey());
      }
      throw new GitException(directory + " is on a file system that does not tell files apart");
    }
  }
}
