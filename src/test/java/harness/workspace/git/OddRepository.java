package harness.workspace.git;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A repository to which odd things are done at random. No two of its files are alike. */
final class OddRepository {
  private static final List<String> NAMES =
      List.of("a.txt", "b.c", "c.bin", "d.java", "e", "F.txt", "f.txt", "g h.txt", "é.txt");
  private static final List<String> DIRECTORIES = List.of("", "", "x/", "x/y/", "build/", "Z/");
  private static final List<String> IGNORED =
      List.of(
          "*.bin",
          "/x/*",
          "!/x/y",
          "build/",
          "build/*",
          "e",
          "**/y/**",
          "[a-c].*",
          "!b.c",
          "x/y/",
          "# *",
          "g\\ h.txt",
          "*.tx?",
          "/",
          "!",
          "Z/**/f.txt",
          "f.txt ");
  private static final List<String> PATTERNS = List.of("*", "*.txt", "*.c", "x/*", "/e", "*.java");
  private static final List<String> ATTRIBUTES =
      List.of(
          "text",
          "-text",
          "text=auto",
          "eol=crlf",
          "eol=lf",
          "binary",
          "-diff",
          "diff",
          "text=auto eol=crlf",
          "crlf",
          "-crlf",
          "!text",
          "crlf=input");

  private final Path directory;
  private final GitProgram git;
  private final Random random;
  private int lines;

  OddRepository(Path directory, Random random) throws Exception {
    this.directory = directory;
    this.random = random;
    this.git = GitProgram.init(directory);
  }

  /** Does something, and says what. */
  String step() throws Exception {
    return switch (random.nextInt(30)) {
      case 0, 1, 2, 3 -> write(place());
      case 4, 5 -> change();
      case 6 -> rewriteAtOnce();
      case 7 -> delete();
      case 8 -> mode();
      case 9 -> link();
      case 10 -> touch();
      case 11 -> swapKind();
      case 12, 13, 14 -> did("add", "-A", ".");
      case 15 -> onFile("add", "-f");
      case 16 -> onFile("add", "-N", "-f");
      case 17 -> onFile("rm", "-q", "-f", "--cached", "--ignore-unmatch");
      case 18 -> onTracked("update-index", "--assume-unchanged");
      case 19 -> onTracked("update-index", "--no-assume-unchanged");
      case 20 -> onTracked("update-index", "--skip-worktree");
      case 21 -> onTracked("update-index", "--no-skip-worktree");
      case 22, 23 -> commit();
      case 24 ->
          append(DIRECTORIES.get(random.nextInt(DIRECTORIES.size())) + ".gitignore", IGNORED);
      case 25 -> append(".git/info/exclude", IGNORED);
      case 26 -> attributes();
      case 27 -> did("config", "core.autocrlf", pick(List.of("true", "false", "input")));
      case 28 -> inner();
      default -> conflict();
    };
  }

  private String did(String... arguments) throws Exception {
    git.tried(arguments);
    return String.join(" ", arguments);
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private Path place() {
    return directory.resolve(pick(DIRECTORIES) + pick(NAMES));
  }

  /** Files that are no part of a repository inside. */
  private List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path at, BasicFileAttributes attributes) {
            boolean inner =
                !at.equals(directory)
                    && Files.exists(at.resolve(".git"), LinkOption.NOFOLLOW_LINKS);
            return inner || at.endsWith(".git")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (!file.getFileName().toString().startsWith(".git")) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(null);
    return files;
  }

  private Optional<Path> file() throws IOException {
    List<Path> files = files();
    return files.isEmpty() ? Optional.empty() : Optional.of(pick(files));
  }

  private String onFile(String... command) throws Exception {
    Optional<Path> file = file();
    return file.isEmpty() ? "nothing" : with(file.get().toString(), command);
  }

  private String onTracked(String... command) throws Exception {
    List<String> tracked =
        git.run("ls-files", "--stage")
            .lines()
            .filter(line -> line.startsWith("100") && line.contains(" 0\t"))
            .map(line -> line.substring(line.indexOf('\t') + 1))
            .filter(path -> !path.contains(".git"))
            .toList();
    return tracked.isEmpty() ? "nothing" : with(pick(tracked), command);
  }

  private String with(String path, String... command) throws Exception {
    List<String> all = new ArrayList<>(List.of(command));
    all.add("--");
    all.add(path);
    git.tried(all.toArray(String[]::new));
    return String.join(" ", all);
  }

  private String content() {
    String end = pick(List.of("\n", "\n", "\n", "\r\n", "\r\n", "\r"));
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i >= 0; i--) {
      text.append("a line of its own ").append(lines++);
      text.append(random.nextInt(5) == 0 ? "\n" : end);
    }
    return random.nextInt(8) == 0 ? text + "\0" : text.toString();
  }

  private String write(Path path) throws IOException {
    for (Path at = parent(path); !at.equals(directory); at = parent(at)) {
      if (Files.exists(at, LinkOption.NOFOLLOW_LINKS)
          && !Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
        return "nothing";
      }
    }
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return "nothing";
    }
    Files.createDirectories(parent(path));
    Files.writeString(path, content());
    return "write " + path;
  }

  private static Path parent(Path path) {
    @Nullable Path parent = path.getParent();
    if (parent == null) {
      throw new IllegalStateException(path + " has no parent");
    }
    return parent;
  }

  private String change() throws IOException {
    Optional<Path> file = file();
    if (file.isPresent() && Files.isRegularFile(file.get(), LinkOption.NOFOLLOW_LINKS)) {
      Files.writeString(file.get(), content());
    }
    return "change " + file;
  }

  /** Other content of the same length, as soon after the index was written as can be. */
  private String rewriteAtOnce() throws Exception {
    Optional<Path> file = file();
    if (file.isEmpty() || !Files.isRegularFile(file.get(), LinkOption.NOFOLLOW_LINKS)) {
      return "nothing";
    }
    git.tried("add", "-f", file.get().toString());
    Files.writeString(
        file.get(),
        Files.readString(file.get()).replace("line", random.nextBoolean() ? "kind" : "line"));
    return "rewrite " + file;
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
    if (file.isPresent() && Files.isRegularFile(file.get(), LinkOption.NOFOLLOW_LINKS)) {
      String mode = random.nextBoolean() ? "rwxr-xr-x" : "rw-r--r--";
      Files.setPosixFilePermissions(file.get(), PosixFilePermissions.fromString(mode));
    }
    return "mode " + file;
  }

  private String link() throws IOException {
    Optional<Path> file = file();
    if (file.isPresent()) {
      Files.delete(file.get());
      Files.createSymbolicLink(file.get(), Path.of("target" + lines++));
    }
    return "link " + file;
  }

  private String touch() throws IOException {
    Optional<Path> file = file();
    if (file.isPresent() && Files.isRegularFile(file.get(), LinkOption.NOFOLLOW_LINKS)) {
      Files.setLastModifiedTime(
          file.get(), FileTime.from(Instant.ofEpochSecond(1_700_000_000L + lines++)));
    }
    return "touch " + file;
  }

  /** A file becomes a directory with a file in it. */
  private String swapKind() throws IOException {
    Optional<Path> file = file();
    if (file.isPresent()) {
      Files.delete(file.get());
      Files.createDirectory(file.get());
      Files.writeString(file.get().resolve("in"), content());
    }
    return "directory " + file;
  }

  private String commit() throws Exception {
    if (!git.run("ls-files", "-u").isEmpty()) {
      git.tried("add", "-A", ".");
    }
    return did("commit", "-q", "--allow-empty", "-m", "Commit " + lines++);
  }

  private String append(String name, List<String> rules) throws IOException {
    Path file = directory.resolve(name);
    if (!Files.isDirectory(parent(file))) {
      return "nothing";
    }
    String old = Files.isRegularFile(file) && random.nextInt(4) > 0 ? Files.readString(file) : "";
    String text = old + pick(rules) + "\n";
    Files.writeString(file, text);
    return name + "=" + text.replace("\n", ",");
  }

  private String attributes() throws IOException {
    String rule = pick(PATTERNS) + " " + pick(ATTRIBUTES);
    return append(pick(DIRECTORIES) + ".gitattributes", List.of(rule));
  }

  /** A repository inside, which may become a submodule with the next {@code add}. */
  private String inner() throws Exception {
    Path inner = directory.resolve(pick(List.of("inner", "x/inner", "build/inner")));
    if (!Files.exists(inner)) {
      if (!Files.isDirectory(parent(inner))) {
        return "nothing";
      }
      GitProgram program = GitProgram.init(inner);
      Files.writeString(inner.resolve("file"), content());
      program.tried("add", ".");
      program.tried("commit", "-qm", "Inner " + lines++);
      return "inner " + inner;
    }
    GitProgram program = new GitProgram(inner);
    switch (random.nextInt(4)) {
      case 0 -> Files.writeString(inner.resolve("file"), content());
      case 1 -> Files.writeString(inner.resolve("new" + lines++), content());
      case 2 -> program.tried("commit", "-q", "--allow-empty", "-m", "Inner " + lines++);
      default -> program.tried("checkout", "-q", "-f", "HEAD");
    }
    return "inside " + inner;
  }

  /** Two branches that change one file. */
  private String conflict() throws Exception {
    if (!git.run("ls-files", "-u").isEmpty()) {
      return commit();
    }
    git.tried("update-index", "--really-refresh", "-q");
    git.tried("add", "-A", ".");
    git.tried("commit", "-q", "--allow-empty", "-m", "Before " + lines++);
    if (!git.run("status", "--porcelain").isEmpty()) {
      return "nothing but a commit";
    }
    String side = "side" + lines++;
    Path path = directory.resolve("conflict");
    if (Files.isDirectory(path)) {
      return "nothing but a commit";
    }
    git.tried("checkout", "-q", "-b", side);
    Files.writeString(path, "theirs " + lines++ + "\n");
    git.tried("add", "-f", "conflict");
    git.tried("commit", "-qm", "Theirs");
    git.tried("checkout", "-q", "main");
    if (random.nextInt(3) == 0) {
      Files.deleteIfExists(path);
      git.tried("rm", "-q", "--cached", "--ignore-unmatch", "conflict");
      git.tried("commit", "-q", "--allow-empty", "-m", "Ours");
    } else {
      Files.writeString(path, "ours " + lines++ + "\n");
      git.tried("add", "-f", "conflict");
      git.tried("commit", "-qm", "Ours");
    }
    git.tried("merge", "-q", side);
    return "merge " + side;
  }
}
