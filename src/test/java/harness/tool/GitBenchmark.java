package harness.tool;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Git tools in a copy of {@link BigRepository} beside the git program: one run of each in turn. The
 * program is a process each time, as people start it, and its start is in its time; ours is a call
 * of the tool in this process once it is warm, and the first call of a process of its own is shown
 * beside it. Argument: rounds (31).
 */
public final class GitBenchmark {
  private static final int WARM_UP_ROUNDS = 25;
  private static final int COLD_STARTS = 3;
  private static final String ONCE = "once";
  private static final int EDITED = 10;
  private static final int DELETED = 3;
  private static final int UNTRACKED = 5;

  /**
   * A question.
   *
   * @param dirty whether files are changed, deleted and untracked
   * @param same whether both have to answer the same
   */
  private record Case(
      String name, boolean dirty, String tool, String input, List<String> git, boolean same) {}

  private static final List<String> STATUS = List.of("status", "--short", "--branch");

  private static final List<Case> CASES =
      List.of(
          new Case("status, clean", false, "git_status", "{}", STATUS, true),
          new Case("log -n 50", false, "git_log", "{max: 50}", List.of("log", "-n", "50"), false),
          new Case("status, dirty", true, "git_status", "{}", STATUS, true),
          new Case("diff", true, "git_diff", "{}", List.of("diff"), true),
          new Case(
              "diff HEAD --stat",
              true,
              "git_diff",
              "{from: 'HEAD', stat: true}",
              List.of("diff", "HEAD", "--stat"),
              false));

  private final Workplace place;

  private GitBenchmark(Path base) throws IOException {
    this.place = Workplace.in(base);
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 2 && arguments[0].equals(ONCE)) {
      GitBenchmark benchmark = new GitBenchmark(Path.of(arguments[1]));
      long start = System.nanoTime();
      String unused = benchmark.ours(CASES.get(Integer.parseInt(arguments[2])));
      System.out.println((System.nanoTime() - start) / 1e6);
      return;
    }
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 31;
    Path base = Files.createTempDirectory("git-benchmark").toRealPath();
    try {
      Path work = Files.createDirectories(base.resolve("work/target"));
      Path big = BigRepository.get(BigRepository.SEED);
      run(work, List.of("cp", "-a", big.toString(), work.resolve("feature-x").toString()));
      new GitBenchmark(base).measure(base, rounds);
    } finally {
      delete(base);
    }
  }

  private void measure(Path base, int rounds) throws Exception {
    String unused = git(List.of("status"));
    System.out.println("medians in milliseconds     git    ours   ratio   cold");
    boolean dirty = false;
    for (int number = 0; number < CASES.size(); number++) {
      if (CASES.get(number).dirty() && !dirty) {
        dirty = true;
        change();
      }
      compare(base, number, rounds);
    }
  }

  private void change() throws Exception {
    List<String> files =
        git(List.of("ls-files")).lines().filter(file -> file.endsWith(".java")).toList();
    for (int i = 0; i < EDITED; i++) {
      Path file = place.cwd.resolve(files.get(i * (files.size() / EDITED)));
      Files.writeString(file, "a line more " + i + "\n", StandardOpenOption.APPEND);
    }
    for (int i = 0; i < DELETED; i++) {
      Files.delete(place.cwd.resolve(files.get(i * 7 + 1)));
    }
    for (int i = 0; i < UNTRACKED; i++) {
      Files.writeString(place.cwd.resolve("untracked" + i + ".txt"), "new\n");
    }
  }

  private void compare(Path base, int number, int rounds) throws Exception {
    Case question = CASES.get(number);
    double[] theirs = new double[rounds];
    double[] ours = new double[rounds];
    double[] ratios = new double[rounds];
    for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
      long start = System.nanoTime();
      String their = git(question.git());
      long between = System.nanoTime();
      String our = ours(question);
      long end = System.nanoTime();
      if (question.same() && !our.startsWith(their.strip())) {
        throw new IllegalStateException(
            question.name() + ": git says\n" + their + "\nwe say\n" + our);
      }
      if (round >= 0) {
        theirs[round] = (between - start) / 1e6;
        ours[round] = (end - between) / 1e6;
        ratios[round] = ours[round] / theirs[round];
      }
    }
    double[] cold = new double[COLD_STARTS];
    for (int start = 0; start < COLD_STARTS; start++) {
      cold[start] = cold(base, number);
    }
    System.out.printf(
        Locale.ROOT,
        "%-22s %8.1f %7.1f %7.2f %6.0f%n",
        question.name(),
        median(theirs),
        median(ours),
        median(ratios),
        median(cold));
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private String ours(Case question) {
    ToolResult result = place.call(question.tool(), Workplace.json(question.input()));
    if (result.error()) {
      throw new IllegalStateException(result.text());
    }
    return result.text();
  }

  private String git(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(arguments);
    return run(place.cwd, command);
  }

  private static String run(Path directory, List<String> command)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
    builder.environment().put("HOME", "/nonexistent");
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(command + " failed");
    }
    return output;
  }

  /** The first call of a process, without its start. */
  private static double cold(Path base, int number) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            GitBenchmark.class.getName(),
            ONCE,
            base.toString(),
            String.valueOf(number)));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      double millis = Double.parseDouble(reader.readLine());
      process.waitFor();
      return millis;
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
