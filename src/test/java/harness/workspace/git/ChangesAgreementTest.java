package harness.workspace.git;

import static org.junit.jupiter.api.Assertions.assertEquals;

import harness.Seed;
import harness.workspace.PathException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the tools do to a repository is what the git program does to its copy: the same index, the
 * same files, the same trees. {@code -Dseed=N} begins with the repository of that seed.
 */
class ChangesAgreementTest {
  private static final int REPOSITORIES = Integer.getInteger("repositories", 5);
  private static final int STEPS = 40;
  private static final List<String> NAMES =
      List.of("a", "b.txt", "c d", "é.java", "dir", "x.bin", "sub", "quote\"d", "o.log", ".hidden");
  private static final List<String> RULES =
      List.of(
          "* text=auto",
          "*.txt text",
          "*.txt text eol=crlf",
          "*.java text eol=lf",
          "*.bin binary",
          "a -text",
          "* text=auto eol=crlf",
          "b* crlf",
          "* !text");
  private static final List<String> IGNORED =
      List.of("*.log", "dir/", "/a", "sub", "!o.log", "**/x.bin", "dir/*", "!dir/b.txt");

  @TempDir private Path temporary;

  /** One of two copies of a repository. */
  private record Copy(Path directory, GitProgram git) {}

  private Random random = new Random();
  private Copy ours = new Copy(Path.of(""), new GitProgram(Path.of("")));
  private Copy theirs = ours;
  private GitWorkplace tools = new GitWorkplace(Path.of(""), Path.of(""));
  private int lines;
  private int refused;
  private int done;

  @Test
  void changesByToolsAreThoseOfGit() throws Exception {
    long first = Seed.get(ChangesAgreementTest.class);
    for (long seed = first; seed < first + REPOSITORIES; seed++) {
      random = new Random(seed);
      Path top = temporary.toRealPath().resolve("r" + (seed - first));
      ours = copy(top.resolve("ours"));
      theirs = copy(top.resolve("theirs"));
      tools = new GitWorkplace(top, ours.directory);
      String crlf = List.of("false", "false", "true", "input").get(random.nextInt(4));
      both("config", "core.autocrlf", crlf);
      if (random.nextInt(3) == 0) {
        both("config", "core.eol", "crlf");
      }
      if (random.nextInt(5) == 0) {
        both("config", "core.filemode", "false");
      }
      for (int step = 0; step < STEPS; step++) {
        String did = step();
        compare("seed " + seed + ", step " + step + ", autocrlf " + crlf + ": " + did);
      }
      assertEquals("", ours.git.run("fsck", "--strict", "--no-dangling"), "seed " + seed);
    }
    System.out.println(done + " changes by tools, " + refused + " refused");
  }

  private static Copy copy(Path directory) throws Exception {
    return new Copy(directory, GitProgram.init(directory));
  }

  private void both(String... arguments) throws Exception {
    ours.git.run(arguments);
    theirs.git.run(arguments);
  }

  private String step() throws Exception {
    return switch (random.nextInt(20)) {
      case 0, 1, 2, 3 -> write(place());
      case 4, 5 -> change();
      case 6, 7 -> delete();
      case 8 -> mode();
      case 9 -> link(place());
      case 10 -> write(random.nextBoolean() ? ".gitattributes" : "sub/.gitattributes", RULES);
      case 11 -> write(random.nextBoolean() ? ".gitignore" : "dir/.gitignore", IGNORED);
      case 12, 13 -> add(".");
      case 14, 15 -> add(anything());
      case 16 -> restore(random.nextInt(3) == 0 ? "." : anything());
      case 17 -> unstage(random.nextInt(3) == 0 ? "." : anything());
      case 18 -> commit();
      default -> force();
    };
  }

  private String place() {
    StringBuilder path = new StringBuilder();
    for (int i = random.nextInt(3); i > 0; i--) {
      path.append(NAMES.get(random.nextInt(NAMES.size()))).append('/');
    }
    return path + NAMES.get(random.nextInt(NAMES.size()));
  }

  /** A path that is likely to be there or in the index. */
  private String anything() throws Exception {
    List<String> known = Stream.concat(files().stream(), indexed().stream()).sorted().toList();
    if (known.isEmpty() || random.nextInt(8) == 0) {
      return place();
    }
    String path = known.get(random.nextInt(known.size()));
    int slash = path.lastIndexOf('/');
    return slash > 0 && random.nextInt(3) == 0 ? path.substring(0, slash) : path;
  }

  private List<String> indexed() throws Exception {
    return ours.git.run("ls-files", "-z").lines().flatMap(l -> Stream.of(l.split("\0"))).toList();
  }

  private List<String> files() throws IOException {
    return snapshot(ours.directory).keySet().stream()
        .filter(path -> !Files.isDirectory(ours.directory.resolve(path), LinkOption.NOFOLLOW_LINKS))
        .toList();
  }

  private interface Doing {
    void in(Path directory) throws IOException;
  }

  private void inBoth(Doing doing) throws IOException {
    doing.in(ours.directory);
    doing.in(theirs.directory);
  }

  private String content() {
    StringBuilder text = new StringBuilder();
    int kind = random.nextInt(6);
    for (int i = random.nextInt(12); i >= 0; i--) {
      boolean crlf = kind == 1 || (kind == 2 && random.nextBoolean());
      text.append("line ").append(lines++).append(crlf ? "\r\n" : "\n");
    }
    return switch (kind) {
      case 3 -> text + "\0binary\r\n";
      case 4 -> text + "lone \r inside\r\n";
      case 5 -> text + "no end" + (random.nextBoolean() ? "\r" : "\u001a");
      default -> text.toString();
    };
  }

  private String write(String path) throws IOException {
    String text = random.nextInt(12) == 0 ? "" : content();
    boolean[] did = new boolean[1];
    inBoth(
        directory -> {
          Path file = directory.resolve(path);
          if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS) && clear(parent(file))) {
            Files.createDirectories(parent(file));
            Files.write(file, text.getBytes(StandardCharsets.UTF_8));
            did[0] = true;
          }
        });
    return (did[0] ? "write " : "not written ") + path;
  }

  private String write(String path, List<String> lines) throws IOException {
    String text = lines.get(random.nextInt(lines.size())) + "\n";
    String more = random.nextBoolean() ? text : text + lines.get(random.nextInt(lines.size()));
    inBoth(
        directory -> {
          Path file = directory.resolve(path);
          if (clear(parent(file)) && !Files.isDirectory(file)) {
            Files.createDirectories(parent(file));
            Files.deleteIfExists(file);
            Files.writeString(file, more + "\n");
          }
        });
    return "write " + path + " " + more;
  }

  /** Whether all on the way to it are directories or missing. */
  private static boolean clear(Path directory) {
    for (Path at = directory; at.getParent() != null; at = parent(at)) {
      if (Files.exists(at, LinkOption.NOFOLLOW_LINKS)
          && !Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
        return false;
      }
    }
    return true;
  }

  private String oneFile() throws IOException {
    List<String> files = files();
    return files.isEmpty() ? "" : files.get(random.nextInt(files.size()));
  }

  private String change() throws IOException {
    String path = oneFile();
    String text = content();
    if (path.isEmpty() || path.endsWith(".gitattributes") || path.endsWith(".gitignore")) {
      return "nothing";
    }
    inBoth(
        directory -> {
          Files.delete(directory.resolve(path));
          Files.writeString(directory.resolve(path), text);
        });
    return "change " + path;
  }

  private String delete() throws IOException {
    String path = oneFile();
    if (!path.isEmpty()) {
      inBoth(
          directory -> {
            Path file = directory.resolve(path);
            Files.delete(file);
            for (Path at = parent(file);
                !at.equals(directory) && at.toFile().list().length == 0;
                at = parent(at)) {
              Files.delete(at);
            }
          });
    }
    return "delete " + path;
  }

  private String mode() throws IOException {
    String path = oneFile();
    String mode = random.nextBoolean() ? "rwxr-xr-x" : "rw-r--r--";
    if (!path.isEmpty() && !Files.isSymbolicLink(ours.directory.resolve(path))) {
      inBoth(
          directory ->
              Files.setPosixFilePermissions(
                  directory.resolve(path), PosixFilePermissions.fromString(mode)));
    }
    return mode + " " + path;
  }

  private String link(String path) throws IOException {
    String target = random.nextBoolean() ? "target" + lines++ : "..";
    inBoth(
        directory -> {
          Path file = directory.resolve(path);
          if (clear(parent(file)) && !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(parent(file));
            Files.deleteIfExists(file);
            Files.createSymbolicLink(file, Path.of(target));
          }
        });
    return "link " + path + " to " + target;
  }

  private interface Tool {
    GitReport run() throws IOException, InterruptedException;
  }

  /** Where a tool refuses, nothing changes, whatever git would do. */
  private String agree(String did, Tool tool, String... git) throws Exception {
    try {
      GitReport report = tool.run();
      done++;
      run(git);
      return did + " " + report;
    } catch (GitException | PathException e) {
      refused++;
      return did + " refused: " + e.getMessage();
    }
  }

  private void run(String... git) throws Exception {
    try {
      theirs.git.run(git);
    } catch (AssertionError e) {
      // git fails over an ignored directory also where it has files of it, once those are added.
      if (!git[0].equals("add") || git[1].equals("-f")) {
        throw e;
      }
      theirs.git.run("add", "-u", "--", git[git.length - 1]);
    }
  }

  private String add(String path) throws Exception {
    // A file that is named by itself is added also where it is ignored.
    boolean file =
        Files.exists(ours.directory.resolve(path), LinkOption.NOFOLLOW_LINKS)
            && !Files.isDirectory(ours.directory.resolve(path), LinkOption.NOFOLLOW_LINKS);
    return file
        ? agree("add -f " + path, () -> tools.add(path), "add", "-f", "--", path)
        : agree("add " + path, () -> tools.add(path), "add", "--", path);
  }

  private String force() throws Exception {
    String file = oneFile();
    return file.isEmpty() ? "nothing" : add(file);
  }

  private String restore(String path) throws Exception {
    if (indexed().isEmpty()) {
      return "nothing";
    }
    return agree("restore " + path, () -> tools.restore(path), "checkout", "-q", "--", path);
  }

  private String unstage(String path) throws Exception {
    if (ours.git.run("rev-list", "--all").isEmpty()) {
      return "nothing";
    }
    return agree("unstage " + path, () -> tools.unstage(path), "restore", "--staged", "--", path);
  }

  private String commit() throws Exception {
    return agree("commit", () -> tools.commit("Commit " + lines++), "commit", "-q", "-m", "Commit");
  }

  private static Map<String, String> snapshot(Path directory) throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(directory)) {
      for (Path path : (Iterable<Path>) walk::iterator) {
        String name = directory.relativize(path).toString();
        if (name.isEmpty() || name.equals(".git") || name.startsWith(".git/")) {
          continue;
        }
        if (Files.isSymbolicLink(path)) {
          all.put(name, "link to " + Files.readSymbolicLink(path));
        } else if (Files.isRegularFile(path)) {
          all.put(name, (Files.isExecutable(path) ? "program " : "") + perl(path));
        }
      }
    }
    return all;
  }

  private static String perl(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path))
        + " "
        + new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
  }

  private void compare(String where) throws Exception {
    assertEquals(snapshot(theirs.directory), snapshot(ours.directory), where);
    assertEquals(theirs.git.run("ls-files", "-s"), ours.git.run("ls-files", "-s"), where);
    assertEquals(
        theirs.git.run("status", "--porcelain"), ours.git.run("status", "--porcelain"), where);
    assertEquals(tree(theirs), tree(ours), where);
  }

  private static String tree(Copy copy) throws Exception {
    return copy.git.run("rev-list", "--all").isEmpty()
        ? "none"
        : copy.git.run("rev-parse", "HEAD^{tree}");
  }

  private static Path parent(Path path) {
    return Objects.requireNonNull(path.getParent());
  }
}
