package harness.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * How long an act took that clients did at once, again and again.
 *
 * @param p50 milliseconds
 * @param p99 milliseconds
 * @param perSecond of all clients together
 */
public record Figures(double p50, double p99, double perSecond) {
  /** What is measured: one act of a client. */
  public interface Act {
    void run(int client, int count) throws Exception;
  }

  /** Runs {@code acts} in all, spread over the clients, each on a thread of its own. */
  public static Figures measure(ExecutorService threads, int clients, int acts, Act act)
      throws Exception {
    int each = acts / clients;
    List<Callable<long[]>> work = new ArrayList<>();
    for (int number = 0; number < clients; number++) {
      int client = number;
      work.add(
          () -> {
            long[] nanos = new long[each];
            for (int count = 0; count < each; count++) {
              long start = System.nanoTime();
              act.run(client, count);
              nanos[count] = System.nanoTime() - start;
            }
            return nanos;
          });
    }
    long start = System.nanoTime();
    List<long[]> all = new ArrayList<>();
    for (Future<long[]> one : threads.invokeAll(work)) {
      all.add(one.get());
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    long[] sorted = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    return new Figures(
        sorted[sorted.length / 2] / 1e6,
        sorted[sorted.length * 99 / 100] / 1e6,
        sorted.length / seconds);
  }
}
