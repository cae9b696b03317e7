package harness.workspace.command;

import harness.workspace.Root;
import harness.workspace.git.GitDirectories;
import harness.workspace.git.PlaceOrder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The sandbox of a command, made by bubblewrap: the system read-only, the working directory and its
 * repository writable where the order says so, a private {@code /tmp}, no network unless that is
 * allowed, no processes but its own, no rights, and what is secret out of sight.
 *
 * @param program the absolute path of {@code bwrap}
 * @param hidden directories and files that no command may read; such as are not there are skipped
 * @param network whether commands have the network of this process
 */
public record Bubblewrap(Path program, List<Path> hidden, boolean network) {
  /** The most that a command may put into each of its private directories, in bytes. */
  static final long PRIVATE_BYTES = 1024L * 1024 * 1024;

  /** The most processes and threads of one command, where it does not run as root. */
  static final int MAX_PROCESSES = 2048;

  /**
   * The variable through which the command line comes, so that no search for processes finds it.
   */
  static final String LINE = "HARNESS_LINE";

  private static final List<String> NAMESPACES =
      List.of(
          "--unshare-user",
          "--unshare-pid",
          "--unshare-ipc",
          "--unshare-uts",
          "--unshare-cgroup-try",
          "--die-with-parent",
          // Root in it could else take the mounts away again that hide something.
          "--cap-drop",
          "ALL");
  private static final List<Path> PRIVATE =
      List.of(Path.of("/tmp"), Path.of("/var/tmp"), Path.of("/run"));

  private static final Path RESOLVER = Path.of("/etc/resolv.conf");

  /** Where people keep what lets one act as them, below the home directory. */
  private static final List<String> SECRETS =
      List.of(
          ".ssh",
          ".gnupg",
          ".aws",
          ".azure",
          ".config/gcloud",
          ".config/gh",
          ".config/git/credentials",
          ".kube",
          ".docker",
          ".netrc",
          ".git-credentials",
          ".pypirc",
          ".cargo/credentials.toml",
          ".password-store",
          ".local/share/keyrings");

  /**
   * Looks whether what was mounted is what was meant, says that the sandbox stands, runs the line
   * and gives what it left running a moment. Its words: the shell, the identities, their paths.
   */
  private static final String SCRIPT =
      """
      shell=$1 expected=$2 line=$%s
      shift 2
      unset %s
      [ "$(stat -c '(dev=%%D,ino=%%i)' -- "$@" 2>&1)" = "$expected" ] || {
        echo 'the working directory was exchanged meanwhile; try again'
        exit 1
      }
      { ulimit -c 0; ulimit -u %d || ulimit -p %d; } 2>/dev/null
      printf '\\006'
      exec 3>&2 2>/dev/null
      "$shell" -c -- "$line" 2>&3 3>&-
      status=$?
      for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
        set -- /proc/[0-9]*
        [ $# -gt 2 ] || break
        sleep 0.02
      done
      exit $status
      """
          .formatted(LINE, LINE, MAX_PROCESSES, MAX_PROCESSES);

  public Bubblewrap {
    hidden = List.copyOf(hidden);
  }

  /** What is set in the environment beside the usual. */
  Map<String, String> environment(String line) {
    return Map.of(LINE, line, "TMPDIR", "/tmp", "XDG_CACHE_HOME", "/tmp/.cache");
  }

  /**
   * The words that start a shell's command line in it.
   *
   * @param readRoot the workspace root, a real path
   * @param writable what the command may write; empty where it may only read
   */
  List<byte[]> words(
      String shell, String home, Path readRoot, Mount cwd, List<Mount> writable, GitDirectories git)
      throws IOException {
    List<byte[]> words = new ArrayList<>();
    add(words, program.toString());
    NAMESPACES.forEach(word -> add(words, word));
    if (!network) {
      add(words, "--unshare-net");
    }
    add(words, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc");
    // Else what is written there is bounded by half of all memory alone.
    add(words, "--size", Long.toString(PRIVATE_BYTES), "--tmpfs", "/dev/shm");
    add(words, "--remount-ro", "/dev");
    for (Path directory : PRIVATE) {
      if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
        add(words, "--size", Long.toString(PRIVATE_BYTES), "--tmpfs", directory.toString());
      }
    }
    if (network && Files.exists(RESOLVER)) {
      // What names are resolved by often lies in one of those.
      Path real = RESOLVER.toRealPath();
      if (PRIVATE.stream().anyMatch(real::startsWith)) {
        add(words, "--ro-bind", real.toString(), real.toString());
      }
    }
    if (readRoot.getNameCount() > 0) {
      add(words, "--ro-bind", readRoot.toString(), readRoot.toString());
    }
    for (Mount mount : writable) {
      add(words, "--bind");
      words.add(mount.path());
      words.add(mount.path());
    }
    Path mirrors = readRoot.resolve(PlaceOrder.MIRRORS);
    if (Files.isDirectory(mirrors, LinkOption.NOFOLLOW_LINKS)) {
      add(words, "--ro-bind", mirrors.toString(), mirrors.toString());
    }
    git.worktrees().ifPresent(all -> fixOthers(words, all, git));
    git.fixed().forEach(path -> add(words, "--ro-bind", path.toString(), path.toString()));
    git.hooks().ifPresent(path -> add(words, "--tmpfs", path.toString()));
    hide(words, home);
    add(words, "--chdir");
    words.add(cwd.path());
    List<Mount> checked = new ArrayList<>(List.of(new Mount(bytes("."), cwd.identity())));
    checked.addAll(writable);
    add(words, "--", shell, "-c", SCRIPT, "sandbox", shell);
    add(words, String.join("\n", checked.stream().map(Mount::identity).toList()));
    checked.forEach(mount -> words.add(mount.path()));
    return words;
  }

  /** The git directories of linked worktrees, of which its own is mounted once more above them. */
  private static void fixOthers(List<byte[]> words, Path all, GitDirectories git) {
    add(words, "--ro-bind", all.toString(), all.toString());
    git.writable().stream()
        .map(GitDirectories.Held::path)
        .filter(path -> path.startsWith(all))
        .forEach(own -> add(words, "--bind", own.toString(), own.toString()));
  }

  private void hide(List<byte[]> words, String home) throws IOException {
    Stream<Path> secrets =
        home.isEmpty() ? Stream.of() : SECRETS.stream().map(name -> Path.of(home).resolve(name));
    for (Path path : Stream.concat(hidden.stream(), secrets).toList()) {
      if (!Files.exists(path)) {
        continue;
      }
      Path real = path.toRealPath();
      if (Files.isDirectory(real)) {
        add(words, "--tmpfs", real.toString());
      } else {
        add(words, "--ro-bind", "/dev/null", real.toString());
      }
    }
  }

  private static void add(List<byte[]> words, String... more) {
    for (String word : more) {
      words.add(bytes(word));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** What a write Agent's command may write. */
  static List<Mount> writable(Root.Entry cwd, GitDirectories git) {
    List<Mount> mounts = new ArrayList<>();
    mounts.add(new Mount(cwd.path(), Mount.identity(cwd.device(), cwd.inode())));
    git.writable()
        .forEach(held -> mounts.add(new Mount(bytes(held.path().toString()), held.key())));
    return mounts;
  }
}
