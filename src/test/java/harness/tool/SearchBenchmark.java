package harness.tool;

import harness.workspace.Directory;
import harness.workspace.Handles;
import harness.workspace.Root;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Searches of {@link BigRepository} beside ripgrep's: one run of each in turn, all matching lines
 * counted and none shown, and the counts compared. Ripgrep is a process each time, as people start
 * it; ours is a call in this process once it is warm, and the first call of a process of its own is
 * shown beside it. Argument: rounds (31).
 */
public final class SearchBenchmark {
  private static final int WARM_UP_ROUNDS = 15;
  private static final int COLD_STARTS = 3;
  private static final String ONCE = "once";

  /**
   * A search.
   *
   * @param pattern empty where files are looked for by the glob alone
   */
  private record Case(String name, String pattern, String glob) {}

  private static final List<Case> CASES =
      List.of(
          new Case("rare text", BigRepository.RARE, ""),
          new Case("frequent text", "token", ""),
          new Case("expression with text", "token\\.[a-z]+ [a-zA-Z]+ = 9[0-9]{3};", ""),
          new Case("choice of texts", "(null|void)\\.(token|zone) ", ""),
          new Case("expression without", "[A-Z][a-z]+\\.[a-z]+ = [0-9]{3};", ""),
          new Case("any case", "(?i)exception\\.kernel", ""),
          new Case("text in *.java", "token", "*.java"),
          new Case("glob **/*.java", "", "**/*.java"));

  /** What a search comes to. */
  private record Counts(long files, long lines) {}

  /** A run. */
  private record Timed(Counts counts, double millis) {}

  private final Path repository;

  private SearchBenchmark(Path repository) {
    this.repository = repository;
  }

  public static void main(String[] arguments) throws Exception {
    SearchBenchmark benchmark = new SearchBenchmark(BigRepository.get(BigRepository.SEED));
    if (arguments.length > 1 && arguments[0].equals(ONCE)) {
      System.out.println(benchmark.ours(CASES.get(Integer.parseInt(arguments[1]))).millis());
      return;
    }
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 31;
    System.out.println(
        "medians in milliseconds                files   lines  ripgrep    ours   ratio   cold");
    for (int number = 0; number < CASES.size(); number++) {
      benchmark.compare(number, rounds);
    }
  }

  private void compare(int number, int rounds) throws Exception {
    Case search = CASES.get(number);
    double[] theirs = new double[rounds];
    double[] ours = new double[rounds];
    double[] ratios = new double[rounds];
    Counts counts = new Counts(0, 0);
    for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
      Timed their = ripgrep(search);
      Timed our = ours(search);
      if (!their.counts().equals(our.counts())) {
        throw new IllegalStateException(
            search.name() + ": ripgrep found " + their.counts() + ", we found " + our.counts());
      }
      if (round >= 0) {
        counts = our.counts();
        theirs[round] = their.millis();
        ours[round] = our.millis();
        ratios[round] = our.millis() / their.millis();
      }
    }
    double[] cold = new double[COLD_STARTS];
    for (int start = 0; start < COLD_STARTS; start++) {
      cold[start] = cold(number);
    }
    System.out.printf(
        Locale.ROOT,
        "%-32s %11d %7d %8.1f %7.1f %7.2f %6.0f%n",
        search.name(),
        counts.files(),
        counts.lines(),
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

  private Timed ours(Case search) throws Exception {
    long[] counts = new long[2];
    Handles handles = Handles.system(new Random(1));
    long start = System.nanoTime();
    try (Root root = Root.open(handles, repository.toString(), repository.toString())) {
      Crew crew = new Crew(Crew.USUAL_WORKERS, GrepTool.MAX_TIME);
      boolean inTime =
          search.pattern().isEmpty()
              ? glob(search, root, crew, counts)
              : grep(search, root, crew, counts);
      if (!inTime) {
        throw new IllegalStateException("it took too long");
      }
    }
    return new Timed(new Counts(counts[0], counts[1]), (System.nanoTime() - start) / 1e6);
  }

  private static boolean grep(Case search, Root root, Crew crew, long[] counts) throws Exception {
    Wanted wanted = Wanted.of(search.pattern(), false, false);
    Optional<Glob> glob =
        search.glob().isEmpty() ? Optional.empty() : Optional.of(Glob.filter(search.glob()));
    return new Walk<>(
            root,
            false,
            crew,
            () ->
                new FilteredFiles(
                    new FileSearch(wanted, Search.Mode.COUNT, 0, Integer.MAX_VALUE), glob),
            new Walk.Taker<Findings>() {
              @Override
              public boolean take(String path, Findings found) {
                counts[0] += found.matches > 0 ? 1 : 0;
                counts[1] += found.matches;
                return true;
              }

              @Override
              public int weight(Findings found) {
                return found.chars();
              }
            })
        .through(root.directory("."));
  }

  private static boolean glob(Case search, Root root, Crew crew, long[] counts) throws Exception {
    GlobTool.Finder finder = new GlobTool.Finder(Glob.path(search.glob()), "", Integer.MAX_VALUE);
    Walk<Boolean> walk = new Walk<>(root, false, crew, () -> finder, finder);
    Directory base = root.directory(".");
    boolean inTime = walk.through(base);
    counts[0] = finder.count();
    return inTime;
  }

  private Timed ripgrep(Case search) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("rg", "--no-config", "--no-ignore-global"));
    if (!search.glob().isEmpty()) {
      command.addAll(List.of("-g", search.glob()));
    }
    command.addAll(
        search.pattern().isEmpty() ? List.of("--files") : List.of("-c", "-e", search.pattern()));
    long files = 0;
    long lines = 0;
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .directory(repository.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> output;
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      output = reader.readAllLines();
    }
    int ended = process.waitFor();
    double millis = (System.nanoTime() - start) / 1e6;
    if (ended > 1) {
      throw new IOException("ripgrep ended with " + ended);
    }
    for (String line : output) {
      files++;
      lines +=
          search.pattern().isEmpty()
              ? 0
              : Long.parseLong(line.substring(line.lastIndexOf(':') + 1));
    }
    return new Timed(new Counts(files, lines), millis);
  }

  /** The first search of a process, without its start. */
  private static double cold(int number) throws IOException, InterruptedException {
    List<String> command =
        Stream.of(
                Stream.of(ProcessHandle.current().info().command().orElseThrow()),
                ManagementFactory.getRuntimeMXBean().getInputArguments().stream(),
                Stream.of(
                    "-cp",
                    System.getProperty("java.class.path"),
                    SearchBenchmark.class.getName(),
                    ONCE,
                    String.valueOf(number)))
            .flatMap(words -> words)
            .toList();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      double millis = Double.parseDouble(reader.readLine());
      process.waitFor();
      return millis;
    }
  }
}
