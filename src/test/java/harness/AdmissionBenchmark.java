package harness;

import com.sun.management.OperatingSystemMXBean;
import harness.cli.Configuration;
import harness.cli.ConfigurationReader;
import harness.cli.Surroundings;
import harness.store.Figures;
import harness.store.RawAppends;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * What an admission over HTTP costs beside the disk's own price: Turns queued behind live ones that
 * are parked, and 512 bytes appended by hand and synced. Client, server and disk share one machine
 * and one process, whose CPU time for each admission is shown too: it hardly depends on what else
 * the machine does. Arguments: rounds (5), directory to measure in (a temporary one).
 */
public final class AdmissionBenchmark {
  private static final int CONVERSATIONS = 256;
  private static final int QUEUED_ON_EACH = 32;
  private static final int CLIENTS = 64;
  private static final int ONE_CLIENT_ADMISSIONS = 4_096;
  private static final int WARM_UP_ROUNDS = 3;

  private static final String SCRIPT =
      "models: { parked: [ { steps: [ { delay-ms: 3600000, text: Late. } ] } ] }\n";
  private static final String PROMPT = "Say what the next step is. ".repeat(4);

  private final URI uri;
  private int runs;
  private double cpuMicros;

  private AdmissionBenchmark(URI uri) {
    this.uri = uri;
  }

  public static void main(String[] arguments) throws Exception {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
    Path directory =
        arguments.length > 1
            ? Files.createDirectories(Path.of(arguments[1]))
            : Files.createTempDirectory("admission-benchmark");
    try (RunningHarness harness = RunningHarness.start(configuration(directory))) {
      new AdmissionBenchmark(harness.uri()).measure(directory, rounds);
    } finally {
      delete(directory);
    }
  }

  /** A Harness whose Turns are parked for an hour. */
  static Configuration configuration(Path directory) throws IOException {
    Path script = Files.writeString(directory.resolve("script.yaml"), SCRIPT);
    Path work = Files.createDirectories(directory.resolve("work"));
    String yaml =
        """
        harness:
          listen: 127.0.0.1:0
          auth: none
          state: %s
          workspace: { root: %s }
          limits: { live-turns: 1000000, queue: %d, queue-total: 1000000 }
          providers: [ { id: lab, api: scripted, script: %s } ]
        """
            .formatted(directory.resolve("state"), work, QUEUED_ON_EACH + 1, script);
    return new ConfigurationReader(new Surroundings(Map.of(), directory))
        .parse(yaml, "the benchmark's configuration", Map.of());
  }

  private void measure(Path directory, int rounds) throws Exception {
    Figures unused = RawAppends.measure(directory, 1, ONE_CLIENT_ADMISSIONS);
    for (int round = 0; round < WARM_UP_ROUNDS; round++) {
      unused = admit(CLIENTS, CONVERSATIONS * QUEUED_ON_EACH);
      unused = admit(1, ONE_CLIENT_ADMISSIONS);
    }
    System.out.println(
        "milliseconds; raw: 512 bytes and one fdatasync, or one for each group of "
            + CLIENTS
            + "; in place: over bytes that are there");
    System.out.println(
        "                 raw p50     p99        /s   admission p50     p99       /s       ratio"
            + "  CPU us");
    for (int round = 0; round < rounds; round++) {
      Figures raw = RawAppends.measure(directory, 1, ONE_CLIENT_ADMISSIONS);
      Figures inPlace = RawAppends.measureInPlace(directory, ONE_CLIENT_ADMISSIONS);
      Figures one = admit(1, ONE_CLIENT_ADMISSIONS);
      print("one client", raw, one, one.p50() / raw.p50(), "p50 ");
      print("  in place", inPlace, one, one.p50() / inPlace.p50(), "p50 ");
      Figures groups = RawAppends.measureGroups(directory, CLIENTS, CONVERSATIONS * QUEUED_ON_EACH);
      Figures many = admit(CLIENTS, CONVERSATIONS * QUEUED_ON_EACH);
      print(CLIENTS + " clients", groups, many, many.perSecond() / groups.perSecond(), "rate");
    }
  }

  private void print(String what, Figures raw, Figures admission, double ratio, String ofWhat) {
    System.out.printf(
        Locale.ROOT,
        "%-12s %11.3f %7.3f %9.0f %15.3f %7.3f %8.0f %6.2f %s %7.0f%n",
        what,
        raw.p50(),
        raw.p99(),
        raw.perSecond(),
        admission.p50(),
        admission.p99(),
        admission.perSecond(),
        ratio,
        ofWhat,
        cpuMicros);
  }

  /** What the whole process used: client, server and disk. */
  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  /** Admits on new conversations, each client on its own share of them, one after the other. */
  private Figures admit(int clients, int admissions) throws Exception {
    String run = "run-" + runs++ + "-";
    List<BenchmarkClient> connections = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      for (int client = 0; client < clients; client++) {
        connections.add(new BenchmarkClient(uri));
      }
      for (int conversation = 0; conversation < CONVERSATIONS; conversation++) {
        connections.getFirst().admit(turn(run + conversation));
      }
      int share = CONVERSATIONS / clients;
      long before = cpuNanos();
      Figures figures =
          Figures.measure(
              threads,
              clients,
              admissions,
              (client, count) ->
                  connections.get(client).admit(turn(run + (client * share + count % share))));
      cpuMicros = (cpuNanos() - before) / 1e3 / admissions;
      return figures;
    } finally {
      for (BenchmarkClient connection : connections) {
        connection.close();
      }
    }
  }

  private static String turn(String run) {
    return Caller.turn(run, true, "parked", PROMPT);
  }

  static void delete(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
