package harness.workspace.git;

import static org.junit.jupiter.api.Assertions.assertEquals;

import harness.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is shown is what the git program shows. {@code -Dseed=N} begins with the repository of that
 * seed.
 */
class GitAgreementTest {
  private static final int REPOSITORIES = 10;
  private static final int STEPS = 30;

  @TempDir private Path temporary;

  @Test
  void statusDiffAndLogOfGeneratedRepositoriesAreThoseOfGit() throws Exception {
    long first = Seed.get(GitAgreementTest.class);
    for (long seed = first; seed < first + REPOSITORIES; seed++) {
      Path directory = temporary.toRealPath().resolve("r" + (seed - first));
      Generator generator = new Generator(directory, new Random(seed));
      for (int step = 0; step < STEPS; step++) {
        String did = generator.step();
        if (step % 5 == 4) {
          compare(directory, "seed " + seed + ", step " + step + ", " + did);
        }
      }
    }
  }

  private void compare(Path directory, String where) throws Exception {
    GitProgram git = new GitProgram(directory);
    try (GitView view = GitView.open(temporary.toRealPath(), directory)) {
      GitStatus status = view.status();
      List<String> lines = new ArrayList<>(List.of("## " + status.branch()));
      lines.addAll(status.lines());
      assertEquals(git.run("status", "--porcelain", "-b").lines().toList(), lines, where);
      assertEquals(git.run("diff"), view.diff(DiffQuery.WORKTREE).text(), where);
      assertEquals(git.run("diff", "--cached"), view.diff(DiffQuery.STAGED).text(), where);
      assertEquals(
          git.run("diff", "--stat"), view.diff(stat(DiffQuery.WORKTREE)).text(), where + " stat");
      boolean born = !status.branch().startsWith("No commits");
      if (born) {
        assertEquals(git.run("diff", "HEAD"), view.diff(from("HEAD")).text(), where);
        String log = git.run("log", "-n", "1000", "--format=%h %as %an: %s");
        assertEquals(log.lines().toList(), log(view), where);
      }
    }
  }

  private static DiffQuery stat(DiffQuery query) {
    return new DiffQuery(query.from(), query.to(), query.staged(), query.paths(), true);
  }

  private static DiffQuery from(String revision) {
    return new DiffQuery(Optional.of(revision), Optional.empty(), false, List.of(), false);
  }

  private static List<String> log(GitView view) throws IOException, InterruptedException {
    return view.log(GitView.MAX_COMMITS, Optional.empty()).commits().stream()
        .map(c -> c.shortId() + " " + c.date() + " " + c.author() + ": " + c.subject())
        .toList();
  }

  /** Does to a repository what people do, at random. */
  private static final class Generator {
    private static final List<String> NAMES =
        List.of("a", "b.txt", "c d", "é.java", "dir", "x", "y.c", "sub", "quote\"d", "tab\tbed");

    private final Path directory;
    private final GitProgram git;
    private final Random random;

    /**
     * Left alone until the next commit: how alike two files are, each program measures its own way.
     */
    private final Set<Path> moved = new HashSet<>();

    private int lines;

    Generator(Path directory, Random random) throws Exception {
      this.directory = directory;
      this.random = random;
      this.git = GitProgram.init(directory);
    }

    String step() throws Exception {
      return switch (random.nextInt(16)) {
        case 0, 1, 2 -> write(place());
        case 3, 4, 5, 6 -> change();
        case 7 -> delete();
        case 8 -> mode();
        case 9 -> link();
        case 10, 11 -> did("add", "-A", ".");
        case 12 -> stage();
        case 13 -> commit();
        case 14 -> ignore();
        default -> move();
      };
    }

    private String did(String... arguments) throws Exception {
      git.run(arguments);
      return String.join(" ", arguments);
    }

    private Path place() {
      Path path = directory;
      int depth = random.nextInt(3);
      for (int i = 0; i < depth; i++) {
        path = path.resolve(NAMES.get(random.nextInt(NAMES.size())) + "_");
      }
      return path.resolve(NAMES.get(random.nextInt(NAMES.size())));
    }

    private List<Path> files() throws IOException {
      try (Stream<Path> walk = Files.walk(directory)) {
        return walk.filter(path -> !path.startsWith(directory.resolve(".git")))
            .filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
            .filter(path -> !moved.contains(path) && !path.endsWith(".gitignore"))
            .sorted()
            .toList();
      }
    }

    private Optional<Path> file() throws IOException {
      List<Path> files = files();
      return files.isEmpty()
          ? Optional.empty()
          : Optional.of(files.get(random.nextInt(files.size())));
    }

    private String line() {
      return (random.nextInt(4) == 0 ? "function_" : "  line ") + lines++;
    }

    private String write(Path path) throws IOException {
      if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        return "nothing";
      }
      Files.createDirectories(path.getParent());
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(30); i >= 0; i--) {
        text.append(line()).append('\n');
      }
      if (random.nextInt(6) == 0) {
        text.append((random.nextBoolean() ? "no end" : "\0binary") + lines++);
      }
      Files.writeString(path, text);
      return "write " + path;
    }

    private String change() throws IOException {
      Optional<Path> file = file();
      if (file.isEmpty()) {
        return "nothing";
      }
      List<String> text = new ArrayList<>(Files.readString(file.get()).lines().toList());
      for (int i = random.nextInt(3); i >= 0; i--) {
        int at = random.nextInt(text.size() + 1);
        switch (random.nextInt(3)) {
          case 0 -> text.add(at, line());
          case 1 -> text.subList(at, Math.min(text.size(), at + 1)).replaceAll(old -> line());
          default -> text.subList(at, Math.min(text.size(), at + 2)).clear();
        }
      }
      if (text.isEmpty()) {
        text.add(line());
      }
      String end = random.nextInt(8) == 0 ? "" : "\n";
      Files.writeString(file.get(), String.join("\n", text) + end);
      return "change " + file.get();
    }

    private String delete() throws IOException {
      Optional<Path> file = file();
      if (file.isPresent()) {
        Files.delete(file.get());
      }
      return "delete " + file;
    }

    private String mode() throws IOException {
      Optional<Path> file = file();
      if (file.isPresent()) {
        String mode = random.nextBoolean() ? "rwxr-xr-x" : "rw-r--r--";
        Files.setPosixFilePermissions(file.get(), PosixFilePermissions.fromString(mode));
      }
      return "mode " + file;
    }

    private String link() throws IOException {
      Optional<Path> file = file();
      if (file.isPresent() && random.nextBoolean()) {
        Files.delete(file.get());
        Files.createSymbolicLink(file.get(), Path.of("target" + lines++));
      }
      return "link " + file;
    }

    private String stage() throws Exception {
      Optional<Path> file = file();
      return file.isEmpty() ? "nothing" : did("add", "-f", file.get().toString());
    }

    private String commit() throws Exception {
      moved.clear();
      return did("commit", "-q", "--allow-empty", "-m", "Commit " + lines++ + "\n\nBody");
    }

    private String ignore() throws IOException {
      String name = NAMES.get(random.nextInt(NAMES.size()));
      Files.writeString(directory.resolve(".gitignore"), name + (random.nextBoolean() ? "_" : ""));
      return "ignore " + name;
    }

    private String move() throws Exception {
      Optional<Path> file = file();
      Path to = place();
      if (file.isPresent()
          && !Files.exists(to, LinkOption.NOFOLLOW_LINKS)
          && Files.isDirectory(to.resolveSibling("."))
          && !git.run("ls-files", "--", file.get().toString()).isEmpty()
          && git.run("status", "--porcelain", "--", file.get().toString()).isEmpty()) {
        Files.move(file.get(), to);
        moved.add(to);
      }
      return "move " + file + " to " + to;
    }
  }
}
