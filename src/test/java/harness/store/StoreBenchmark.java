package harness.store;

import harness.agent.Instance;
import harness.agent.InstanceId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * What an append costs beside the disk's own price: 512 bytes written and synced by hand, each
 * client to a file of its own, and 512 bytes appended to the store, each client to a conversation
 * of its own. Arguments: appends of each kind and number of clients (20000), directory to measure
 * in (a temporary one).
 */
public final class StoreBenchmark {
  private static final int WARM_UP = 3_000;

  private StoreBenchmark() {}

  public static void main(String[] arguments) throws Exception {
    int appends = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20_000;
    Path directory =
        arguments.length > 1
            ? Files.createDirectories(Path.of(arguments[1]))
            : Files.createTempDirectory("store-benchmark");
    System.out.printf(
        "%d appends of %d bytes in %s, milliseconds%n", appends, RawAppends.BODY_BYTES, directory);
    System.out.println(
        "clients   raw p50     p99       /s   store p50     p99       /s   p50 ratio");
    try {
      Figures unused = RawAppends.measure(directory, 1, WARM_UP);
      unused = store(directory, 8, WARM_UP);
      for (int clients : new int[] {1, 8, 64}) {
        Figures raw = RawAppends.measure(directory, clients, appends);
        Figures store = store(directory, clients, appends);
        System.out.printf(
            Locale.ROOT,
            "%7d %9.3f %7.3f %8.0f %11.3f %7.3f %8.0f %11.2f%n",
            clients,
            raw.p50(),
            raw.p99(),
            raw.perSecond(),
            store.p50(),
            store.p99(),
            store.perSecond(),
            store.p50() / raw.p50());
      }
    } finally {
      delete(directory);
    }
  }

  private static Figures store(Path directory, int clients, int appends) throws Exception {
    Path state = Files.createTempDirectory(directory, "state");
    try (EventStore store = SqliteEventStore.open(state, failure -> {});
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<byte[]> events = List.of(new byte[RawAppends.BODY_BYTES]);
      Instant at = Instant.parse("2026-01-01T00:00:00Z");
      return Figures.measure(
          threads,
          clients,
          appends,
          (client, count) -> {
            Instance instance = new Instance("coder", InstanceId.parse("run-" + client + "/coder"));
            Appended answer =
                store.append(
                    new Append(instance, "life", count, at, events, List.of(), List.of(), 1));
            if (!(answer instanceof Appended.Stored)) {
              throw new IllegalStateException("not stored: " + answer);
            }
          });
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
