package harness;

import harness.cli.Configuration;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * How soon a long-poll is answered: from the moment that a Turn is sent to the moment that the one
 * who waits for its event has read it, the sync between them included. 1,000 readers are parked,
 * each on a conversation of its own, or all on one. Client and server share one process. Arguments:
 * events (2000), directory to measure in (a temporary one).
 */
public final class WakeBenchmark {
  private static final int READERS = 1_000;

  /** Events that 1,000 readers hear each, less often because each is heard so often. */
  private static final int EVENTS_OF_ALL = 20;

  private static final int WARM_UP_EVENTS = 2_000;

  private final URI uri;
  private final BlockingQueue<Long> heard = new LinkedBlockingQueue<>();
  private volatile boolean ending;

  private WakeBenchmark(URI uri) {
    this.uri = uri;
  }

  public static void main(String[] arguments) throws Exception {
    int events = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2_000;
    Path directory =
        arguments.length > 1
            ? Files.createDirectories(Path.of(arguments[1]))
            : Files.createTempDirectory("wake-benchmark");
    Configuration configuration = AdmissionBenchmark.configuration(directory);
    try (RunningHarness harness = RunningHarness.start(configuration)) {
      WakeBenchmark benchmark = new WakeBenchmark(harness.uri());
      benchmark.measure("each on its own", events, true);
      benchmark.measure("all on one", EVENTS_OF_ALL, false);
      benchmark.ending = true;
    } finally {
      AdmissionBenchmark.delete(directory);
    }
  }

  private void measure(String what, int events, boolean own) throws Exception {
    try (BenchmarkClient writer = new BenchmarkClient(uri)) {
      CountDownLatch ready = new CountDownLatch(READERS);
      for (int reader = 0; reader < READERS; reader++) {
        String run = run(what, own ? reader : 0);
        if (own || reader == 0) {
          writer.admit(Caller.turn(run, true, "parked", "go"));
        }
        Thread unused = Thread.ofVirtual().start(() -> read(run, ready));
      }
      ready.await();
      Thread.sleep(1_000);
      heard.clear();
      int each = own ? 1 : READERS;
      if (own) {
        times(what, writer, WARM_UP_EVENTS, each);
      }
      long[] nanos = times(what, writer, events, each);
      Arrays.sort(nanos);
      System.out.printf(
          Locale.ROOT,
          "%,d readers, %-16s p50 %8.3f ms, p99 %8.3f, most %8.3f%n",
          READERS,
          what,
          nanos[nanos.length / 2] / 1e6,
          nanos[nanos.length * 99 / 100] / 1e6,
          nanos[nanos.length - 1] / 1e6);
    }
  }

  private long[] times(String what, BenchmarkClient writer, int events, int each) throws Exception {
    long[] nanos = new long[events * each];
    for (int event = 0; event < events; event++) {
      String body = Caller.turn(run(what, each > 1 ? 0 : event % READERS), true, "parked", "go");
      long sent = System.nanoTime();
      writer.admit(body);
      for (int hearer = 0; hearer < each; hearer++) {
        nanos[event * each + hearer] = heard.take() - sent;
      }
    }
    return nanos;
  }

  private static String run(String what, int number) {
    return what.replace(' ', '-') + "-" + number;
  }

  private void read(String run, CountDownLatch ready) {
    try (BenchmarkClient client = new BenchmarkClient(uri)) {
      String path = Caller.path(run + "/coder") + "?live=long-poll&offset=";
      String offset = client.read(Caller.path(run + "/coder"));
      ready.countDown();
      while (true) {
        offset = client.read(path + offset);
        heard.add(System.nanoTime());
      }
    } catch (IOException e) {
      if (!ending) {
        System.err.println("a reader ended: " + e);
      }
    }
  }
}
