package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.Handles;
import harness.workspace.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** That no call outlasts its limit, whatever its tool does. */
@Timeout(60)
class TimeLimitTest {
  private static final Duration LIMIT = Duration.ofMillis(100);
  private static final Duration LATEST = LIMIT.plusSeconds(2);
  private static final int PATIENCE_SECONDS = 30;

  private Workplace place;

  @BeforeEach
  void open(@TempDir Path base) throws IOException {
    place = Workplace.in(base);
  }

  private interface Deed {
    ToolResult in(Seat seat) throws ToolException, IOException, InterruptedException;
  }

  /** A tool that does what a test says. */
  private record Doing(Duration limit, Deed deed) implements WorkingTool {
    @Override
    public ToolSpec spec() {
      return new ToolSpec("read", "", Schema.object().build(), false);
    }

    @Override
    public Duration limit(JsonNode input) {
      return limit;
    }

    @Override
    public ToolResult call(JsonNode input, Seat seat)
        throws ToolException, IOException, InterruptedException {
      return deed.in(seat);
    }
  }

  private ToolHost host(Workers workers, Duration limit, Deed deed) {
    String root = place.work.toString();
    return Workplace.hosted(
        root,
        () ->
            new InProcessToolHost(
                Handles.system(new Random(7)),
                root,
                Commands.refused("no"),
                List.of(new Doing(limit, deed)),
                workers,
                InstantSource.system()));
  }

  private ToolResult call(ToolHost host) {
    return place.call(call -> host.call(call, Progress.NONE), "read", Workplace.json("{}"));
  }

  /** Takes a permit and does not listen to interrupts meanwhile, as some libraries don't. */
  private static void deaf(Semaphore semaphore) {
    semaphore.acquireUninterruptibly();
  }

  @Test
  void aCallIsEndedAtItsLimitAndSaysSo() {
    ToolHost host =
        host(
            new Workers(InstantSource.system()),
            LIMIT,
            _ -> {
              new CountDownLatch(1).await();
              return ToolResult.of("never");
            });
    ToolResult result = assertTimeoutPreemptively(LATEST, () -> call(host));
    assertTrue(result.error());
    assertEquals(
        "read was ended at its time limit of 0.1 s; what it did until then stays; ask for less at a"
            + " time",
        result.text());
  }

  @Test
  void aCallThatDoesNotListenIsLeftBehindCountedAndForgottenWhenItEnds() throws Exception {
    Workers workers = new Workers(InstantSource.system());
    Semaphore deaf = new Semaphore(0);
    CountDownLatch over = new CountDownLatch(1);
    ToolHost host =
        host(
            workers,
            LIMIT,
            _ -> {
              deaf(deaf);
              over.countDown();
              return ToolResult.of("late");
            });
    ToolResult result = assertTimeoutPreemptively(LATEST, () -> call(host));
    assertTrue(result.error());
    assertTrue(result.text().contains("was left behind"), result.text());
    assertEquals(1, workers.leftBehind());
    deaf.release();
    assertTrue(over.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
    while (workers.leftBehind() > 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void whatIsLeftBehindOpensAndReplacesNothingMore() throws Exception {
    place.file("old.txt", "old");
    Semaphore deaf = new Semaphore(0);
    CompletableFuture<List<Optional<IOException>>> late = new CompletableFuture<>();
    ToolHost host =
        host(
            new Workers(InstantSource.system()),
            LIMIT,
            seat -> {
              Target target = seat.root().target("old.txt");
              deaf(deaf);
              late.complete(
                  List.of(
                      failure(() -> target.replace(new byte[3])),
                      failure(() -> seat.root().target("new.txt").close()),
                      failure(() -> seat.root().file("old.txt").close())));
              return ToolResult.of("late");
            });
    ToolResult unused = assertTimeoutPreemptively(LATEST, () -> call(host));
    deaf.release();
    List<Optional<IOException>> failures = late.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertTrue(failures.stream().allMatch(Optional::isPresent), failures::toString);
    assertEquals("old", place.content("old.txt"));
    assertEquals(List.of("old.txt"), names());
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(place.cwd)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private interface Attempt {
    void make() throws IOException;
  }

  private static Optional<IOException> failure(Attempt attempt) {
    try {
      attempt.make();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e);
    }
  }

  @Test
  void whatIsLeftBehindIsNotHeardAnyMore() throws Exception {
    Semaphore deaf = new Semaphore(0);
    CountDownLatch over = new CountDownLatch(1);
    ToolHost host =
        host(
            new Workers(InstantSource.system()),
            LIMIT,
            seat -> {
              seat.progress().output("before");
              deaf(deaf);
              seat.progress().output("after");
              over.countDown();
              return ToolResult.of("late");
            });
    StringBuffer heard = new StringBuffer();
    ToolResult unused =
        place.call(call -> host.call(call, heard::append), "read", Workplace.json("{}"));
    deaf.release();
    assertTrue(over.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
    assertEquals("before", heard.toString());
  }

  @Test
  void aCancelledCallThatDoesNotListenEndsForItsCaller() {
    Thread caller = Thread.currentThread();
    Semaphore deaf = new Semaphore(0);
    ToolHost host =
        host(
            new Workers(InstantSource.system()),
            WorkingTool.LIMIT,
            _ -> {
              caller.interrupt();
              deaf(deaf);
              return ToolResult.of("late");
            });
    ToolResult result = call(host);
    assertTrue(Thread.interrupted(), "the interrupt status is kept");
    assertTrue(result.error());
    assertTrue(result.text().startsWith("cancelled"), result.text());
    deaf.release();
  }

  @Test
  void moreCallsThanThreadsWaitAndThenSaySo() throws Exception {
    Workers workers = new Workers(InstantSource.system(), 1, LIMIT);
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    ToolHost host =
        host(
            workers,
            WorkingTool.LIMIT,
            _ -> {
              running.countDown();
              end.await();
              return ToolResult.of("done");
            });
    CompletableFuture<ToolResult> first = CompletableFuture.supplyAsync(() -> call(host));
    running.await();
    ToolResult second = call(host);
    assertEquals(
        "read did not run: 1 calls of tools run already, and none of them ended within 0.1 s; call"
            + " it again later",
        second.text());
    end.countDown();
    assertEquals("done", first.get(PATIENCE_SECONDS, TimeUnit.SECONDS).text());
    assertFalse(call(host).error());
  }

  @Test
  void anInterruptForOneCallReachesNoOtherOnItsThread() throws Exception {
    AtomicReference<Thread> caller = new AtomicReference<>(Thread.currentThread());
    Workers workers = new Workers(InstantSource.system());
    ToolHost cancelled =
        host(
            workers,
            WorkingTool.LIMIT,
            _ -> {
              caller.get().interrupt();
              new CountDownLatch(1).await();
              return ToolResult.of("never");
            });
    ToolHost next =
        host(
            workers,
            WorkingTool.LIMIT,
            _ -> ToolResult.of(String.valueOf(Thread.currentThread().isInterrupted())));
    for (int i = 0; i < 200; i++) {
      assertTrue(call(cancelled).error());
      assertTrue(Thread.interrupted());
      assertEquals("false", call(next).text());
    }
  }

  @Test
  void aCallThatFindsNoRoomForItsThreadSaysSoAndTheNextOneRuns() {
    InstantSource clock = InstantSource.system();
    ToolHost host =
        host(
            new Workers(new Timers(clock), 1, LIMIT, new NoRoom(1)),
            WorkingTool.LIMIT,
            _ -> ToolResult.of("done"));
    assertEquals(
        "read did not run: the tool host has no room for another thread; call it again later",
        call(host).text());
    assertEquals("done", call(host).text());
  }

  @Test
  void aCallWhoseLimitFindsNoRoomDoesNotRunAndTheNextOneDoes() {
    InstantSource clock = InstantSource.system();
    ToolHost host =
        host(
            new Workers(new Timers(clock, new NoRoom(1)), 1, LIMIT, new NoRoom(0)),
            WorkingTool.LIMIT,
            _ -> ToolResult.of("done"));
    ToolResult first = assertTimeoutPreemptively(LATEST, () -> call(host));
    assertTrue(first.text().contains("unable to create native thread"), first.text());
    assertEquals("done", call(host).text());
  }
}
