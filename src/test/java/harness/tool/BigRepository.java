package harness.tool;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A repository of the size that people work in, made once for a seed and kept in the system's
 * temporary directory: 20,000 tracked files, about 150 MB, in directories up to eight deep, 300
 * commits of which the last twenty are loose objects and the rest one pack, ignore files at three
 * depths and in {@code .git/info/exclude}, and some thousand ignored files. Its worktree is clean.
 * Who changes it puts it back. Needs the git program; takes some twenty seconds the first time.
 */
public final class BigRepository {
  public static final long SEED = 42;

  static final int FILES = 20_000;
  static final int COMMITS = 300;
  static final int LOOSE_COMMITS = 20;

  /** Stands in a line of six files. */
  static final String RARE = "RARE_NEEDLE_XYZZY";

  /** Goes up whenever other bytes are made, so that no older ones are taken. */
  private static final int EDITION = 1;

  private static final int LEAVES = 1_000;
  private static final int MODULES = 40;
  private static final int CHANGED_IN_COMMIT = 12;
  private static final int RARE_EVERY = 3_989;
  private static final int BINARY_EVERY = 401;
  private static final int LARGE_EVERY = 1_999;
  private static final int LARGE_LINES = 20_000;
  private static final long FIRST_COMMIT_SECONDS = 1_700_000_000L;
  private static final int HOUR_SECONDS = 3_600;

  private static final String[] ENDINGS = {"java", "java", "md", "txt", "py", "json", "xml", "ts"};
  private static final String[] WORDS = {
    "alpha",
    "buffer",
    "commit",
    "durable",
    "entry",
    "fault",
    "handle",
    "harness",
    "index",
    "journal",
    "kernel",
    "lease",
    "model",
    "node",
    "offset",
    "prompt",
    "queue",
    "record",
    "sandbox",
    "token",
    "update",
    "vector",
    "worker",
    "yield",
    "zone",
    "return",
    "public",
    "static",
    "final",
    "import",
    "private",
    "void",
    "null",
    "this",
    "int",
    "String",
    "List",
    "value",
    "name",
    "path",
    "Exception",
    "throws",
    "new",
    "while",
    "if",
    "for",
    "else",
    "size",
    "length",
    "count",
    "caf\u00E9"
  };
  private static final String[] PLACES = {
    "core", "api", "store", "wire", "model", "tool", "main", "test", "util", "gen"
  };

  private final Path directory;
  private final Random random;
  private final List<String> paths = new ArrayList<>();

  private BigRepository(Path directory, long seed) {
    this.directory = directory;
    this.random = new Random(seed);
  }

  /** Prints where it is; argument: the seed. */
  public static void main(String[] arguments) throws Exception {
    System.out.println(get(arguments.length > 0 ? Long.parseLong(arguments[0]) : SEED));
  }

  /** Its worktree, made where it is not there yet. */
  public static Path get(long seed) throws IOException, InterruptedException {
    Path home = Path.of(System.getProperty("java.io.tmpdir"));
    Path made = home.resolve("harness-big-repository-" + EDITION + "-" + seed);
    if (Files.isDirectory(made)) {
      return made;
    }
    Path making = Files.createTempDirectory(home, "harness-big-repository-");
    new BigRepository(making, seed).make();
    try {
      Files.move(making, made, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      throw e;
    } catch (FileSystemException e) {
      // Somebody else was faster.
      delete(making);
    }
    return made;
  }

  private void make() throws IOException, InterruptedException {
    for (int file = 0; file < FILES; file++) {
      paths.add(path(file));
    }
    run("init", "-q", "-b", "main");
    for (String setting :
        List.of("user.name=t", "user.email=t@example.org", "gc.auto=0", "maintenance.auto=false")) {
      String[] parts = setting.split("=");
      run("config", parts[0], parts[1]);
    }
    commits(0, COMMITS - LOOSE_COMMITS, 1);
    commits(COMMITS - LOOSE_COMMITS, COMMITS, 100_000);
    run("checkout", "-q", "-f", "main");
    Files.writeString(directory.resolve(".git/info/exclude"), "*.local\n/scratch/\n");
    ignored();
  }

  /** Directories of unlike depth, as people have them. */
  private static String path(int file) {
    int leaf = file % LEAVES;
    StringBuilder path = new StringBuilder("mod%02d/src".formatted(leaf % MODULES));
    Random way = new Random(leaf * 7919L);
    for (int depth = way.nextInt(6); depth >= 0; depth--) {
      path.append('/').append(PLACES[way.nextInt(PLACES.length)]);
    }
    String ending =
        file % BINARY_EVERY == 7 ? "png" : ENDINGS[(file / LEAVES + file) % ENDINGS.length];
    return path + "/File%05d.%s".formatted(file, ending);
  }

  private void commits(int first, int end, int unpackLimit)
      throws IOException, InterruptedException {
    Process importer =
        git("-c", "core.compression=1", "-c", "fastimport.unpackLimit=" + unpackLimit)
            .command("fast-import", "--quiet", "--depth=1")
            .start();
    try (OutputStream out = new BufferedOutputStream(importer.getOutputStream(), 1 << 20)) {
      for (int commit = first; commit < end; commit++) {
        commit(out, commit, commit == first && first > 0);
      }
    }
    check(importer, "fast-import");
  }

  private void commit(OutputStream out, int commit, boolean resumes) throws IOException {
    String word = WORDS[random.nextInt(WORDS.length)];
    byte[] message = ("change " + commit + ": update " + word).getBytes(StandardCharsets.UTF_8);
    String who = "t <t@example.org> " + (FIRST_COMMIT_SECONDS + (long) commit * HOUR_SECONDS);
    text(out, "commit refs/heads/main\ncommitter " + who + " +0000\ndata " + message.length + "\n");
    out.write(message);
    text(out, resumes ? "\nfrom refs/heads/main^0\n" : "\n");
    if (commit == 0) {
      file(
          out,
          ".gitignore",
          "# what builds leave\ntarget/\n*.log\n!keep.log\n/out\n"
              .getBytes(StandardCharsets.UTF_8));
      for (int module = 0; module < MODULES; module += 4) {
        String name = "mod%02d".formatted(module);
        file(out, name + "/.gitignore", "node_modules\n*.tmp\n".getBytes(StandardCharsets.UTF_8));
        file(out, name + "/src/.gitignore", "gen/**/*.gen\n".getBytes(StandardCharsets.UTF_8));
      }
      for (int file = 0; file < FILES; file++) {
        file(out, paths.get(file), body(file, 0));
      }
    } else {
      TreeSet<Integer> changed = new TreeSet<>();
      while (changed.size() < CHANGED_IN_COMMIT) {
        changed.add(random.nextInt(FILES));
      }
      for (int file : changed) {
        file(out, paths.get(file), body(file, commit));
      }
    }
    text(out, "\n");
  }

  private static void file(OutputStream out, String path, byte[] content) throws IOException {
    text(out, "M 100644 inline " + path + "\ndata " + content.length + "\n");
    out.write(content);
    text(out, "\n");
  }

  private static void text(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The same for a file in all versions but for some lines. */
  private byte[] body(int file, int version) {
    Random lines = new Random(file);
    if (file % BINARY_EVERY == 7) {
      byte[] bytes = new byte[30_000];
      lines.nextBytes(bytes);
      byte[] head = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0, 0, (byte) version};
      System.arraycopy(head, 0, bytes, 0, head.length);
      return bytes;
    }
    int count = file % LARGE_EVERY == 11 ? LARGE_LINES : 20 + lines.nextInt(220);
    StringBuilder text = new StringBuilder("// File " + file + " version " + version + "\n");
    for (int line = 0; line < count; line++) {
      line(text, line % 50 == version % 50 && version > 0 ? random : lines);
      if (line == count / 2 && file % RARE_EVERY == 17) {
        text.append(RARE).append(' ').append(file).append('\n');
      }
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void line(StringBuilder text, Random random) {
    text.repeat(' ', 2 * random.nextInt(5));
    for (int word = 4 + random.nextInt(6); word > 0; word--) {
      // The first words are the most frequent ones, as in any language.
      int which = Math.min(random.nextInt(WORDS.length), random.nextInt(WORDS.length));
      text.append(WORDS[WORDS.length - 1 - which]).append(word % 3 == 0 ? '.' : ' ');
    }
    text.append("= ").append(random.nextInt(100_000)).append(";\n");
  }

  /** Files that no search and no status looks at, with what a search would find. */
  private void ignored() throws IOException {
    String content = RARE + " public token\n";
    for (int module = 0; module < MODULES; module += 4) {
      Path home = directory.resolve("mod%02d".formatted(module));
      for (int file = 0; file < 50; file++) {
        write(home.resolve("target/classes/C" + file + ".java"), content);
        write(home.resolve("node_modules/p" + file % 10 + "/index" + file + ".java"), content);
      }
      write(home.resolve("src/build.log"), content);
      write(home.resolve("src/a.tmp"), content);
      write(home.resolve("src/gen/a/b.gen"), content);
    }
    write(directory.resolve("out/Out.java"), content);
    write(directory.resolve("scratch/Scratch.java"), content);
    write(directory.resolve("mine.local"), content);
  }

  private static void write(Path file, String content) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  /** A call of git in the repository, apart from what the user has configured. */
  private record Git(Path directory, List<String> words) {
    Git command(String... more) {
      List<String> all = new ArrayList<>(words);
      all.addAll(Arrays.asList(more));
      return new Git(directory, all);
    }

    Process start() throws IOException {
      ProcessBuilder builder = new ProcessBuilder(words).directory(directory.toFile());
      Map<String, String> environment = new HashMap<>();
      environment.put("PATH", System.getenv("PATH"));
      environment.put("GIT_CONFIG_NOSYSTEM", "1");
      environment.put("HOME", directory.toString());
      builder.environment().clear();
      builder.environment().putAll(environment);
      return builder
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    }
  }

  private Git git(String... settings) {
    return new Git(directory, List.of("git")).command(settings);
  }

  private void run(String... command) throws IOException, InterruptedException {
    check(git().command(command).start(), command[0]);
  }

  private static void check(Process process, String what) throws IOException, InterruptedException {
    int code = process.waitFor();
    if (code != 0) {
      throw new IOException("git " + what + " ended with " + code);
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
