package harness.workspace.git;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
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
 * @param worktrees where the git directories of all linked worktrees are, of which those of others
 *     stay fixed
 * @param hooks the directory of hooks, where there is none yet
 * @param barred files in the writable directories, each not there at first, that would lead git to
 *     other configuration; a sandbox can't keep them from being made without making them itself
 */
public record GitDirectories(
    List<Held> writable,
    List<Path> fixed,
    Optional<Path> worktrees,
    Optional<Path> hooks,
    List<Barred> barred) {
  /** There is no repository that may be written. */
  public static final GitDirectories NONE =
      new GitDirectories(List.of(), List.of(), Optional.empty(), Optional.empty(), List.of());

  private static final int MAX_POINTER_BYTES = 4 * 1024;

  /** What in a git directory says where the configuration is, or is some. */
  private static final List<String> PLACES = List.of("commondir", "config.worktree");

  /**
   * A directory.
   *
   * @param key which one it is, as {@code stat -c '(dev=%D,ino=%i)'} prints it
   */
  public record Held(Path path, String key) {}

  /** A file that must not be made in a directory. */
  public record Barred(Held directory, String name) {
    private Path path() {
      return directory.path.resolve(name);
    }
  }

  public GitDirectories {
    writable = List.copyOf(writable);
    fixed = List.copyOf(fixed);
    barred = List.copyOf(barred);
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
    Path worktrees = commonDir.resolve("worktrees");
    return new GitDirectories(
        writable,
        fixed,
        Optional.of(worktrees).filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)),
        fixed.contains(hooks) ? Optional.empty() : Optional.of(hooks),
        barred(writable));
  }

  private static List<Barred> barred(List<Held> writable) {
    return writable.stream()
        .flatMap(held -> PLACES.stream().map(name -> new Barred(held, name)))
        .filter(barred -> !Files.exists(barred.path(), LinkOption.NOFOLLOW_LINKS))
        .toList();
  }

  /** The first of what is barred that was made all the same; empty where nothing was. */
  public Optional<Path> broken() {
    return barred.stream()
        .map(Barred::path)
        .filter(path -> Files.exists(path, LinkOption.NOFOLLOW_LINKS))
        .findFirst();
  }

  /** Removes what is barred and was made all the same, when nothing runs that could make it. */
  public void mend() throws IOException {
    for (Barred one : barred) {
      if (Files.exists(one.path(), LinkOption.NOFOLLOW_LINKS)) {
        remove(one);
      }
    }
  }

  private static void remove(Barred barred) throws IOException {
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(barred.directory.path)) {
      // By handle, so that nothing else is removed where the directory was exchanged.
      if (stream instanceof SecureDirectoryStream<Path> opened
          && key(opened).equals(barred.directory.key)) {
        opened.deleteFile(Path.of(barred.name));
      }
    } catch (NoSuchFileException e) {
      return;
    }
  }

  private static boolean names(Path gitDir, Path dotGit) throws IOException {
    Optional<String> back = SmallFile.text(gitDir.resolve("gitdir"), MAX_POINTER_BYTES);
    return back.isPresent()
        && gitDir.resolve(back.get().strip()).normalize().equals(dotGit.normalize());
  }

  private static String key(Path directory) throws IOException {
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      if (stream instanceof SecureDirectoryStream<Path> opened) {
        return key(opened);
      }
      throw new GitException(directory + " is on a file system that does not tell files apart");
    }
  }

  private static String key(SecureDirectoryStream<Path> opened) throws IOException {
    return String.valueOf(
        opened.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey());
  }
}
