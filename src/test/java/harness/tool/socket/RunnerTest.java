package harness.tool.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.agent.Instance;
import harness.fault.Refusal;
import harness.fault.RefusedException;
import harness.model.Image;
import harness.tool.FakeToolHost;
import harness.tool.Progress;
import harness.tool.Proposal;
import harness.tool.Seen;
import harness.tool.ToolCall;
import harness.tool.ToolHost;
import harness.tool.ToolResult;
import harness.tool.ToolSpec;
import harness.tool.WorkingTools;
import harness.workspace.PathException;
import harness.workspace.UnixSocket;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Harness and a runner that both keep their word, and what becomes of calls when one ends. */
@Timeout(60)
class RunnerTest {
  private SocketFixture fixture;

  @BeforeEach
  void open(@TempDir Path directory) throws IOException {
    fixture = SocketFixture.in(directory);
  }

  private static ToolResult ask(ToolHost host, String name) {
    return host.call(SocketFixture.call(name), Progress.NONE);
  }

  private static CompletableFuture<ToolResult> asking(ToolHost host, String name) {
    return CompletableFuture.supplyAsync(
        () -> ask(host, name), task -> Thread.ofVirtual().start(task));
  }

  private static <T> T within(CompletableFuture<T> future) throws Exception {
    return future.get(SocketFixture.PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** Says that it began and waits until it is interrupted, or for ever. */
  private static ToolResult parked(CountDownLatch began) {
    began.countDown();
    try {
      new CountDownLatch(1).await();
      throw new IllegalStateException("nobody opens the latch");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return FakeToolHost.error("told to end");
    }
  }

  @Test
  void aCallArrivesWholeAndItsResultComesBackWhole() throws Exception {
    ToolResult whole =
        new ToolResult(
            true,
            "r\u00E9sum\u00E9 \uD83D\uDE00 \uD800 \u0000",
            77,
            true,
            List.of(new Image("image/png", SocketFixture.PNG)),
            new Seen(Map.of("/work/target/a.txt", "v2", "/work/b", "v3")),
            Optional.of(
                new Proposal(
                    List.of(
                        new Proposal.Proposed("a.txt", "-a\n+b\n"),
                        new Proposal.Proposed("b", "rename from c\n")),
                    new Seen(Map.of("/work/target/a.txt", "v1")),
                    new Seen(Map.of("/work/target/a.txt", "v2", "/work/c", "gone")))),
            Optional.of(new harness.tool.MemoryExcess(7L << 30, 8L << 30)));
    FakeToolHost there = new FakeToolHost((_, _) -> whole);
    ObjectNode input =
        (ObjectNode)
            new ObjectMapper()
                .readTree(
                    "{\"a\": [1, 2.5, -3e40, 12345678901234567890, null, {\"b\": \"\\ud800"
                        + " \\u0000\"}], \"\": true}");
    ToolCall call = SocketFixture.call("read", input);
    try (Runner _ = fixture.runner(() -> there);
        ToolHost host = fixture.host()) {
      assertEquals(whole, host.call(call, Progress.NONE));
      assertEquals(List.of(call), there.calls());
    }
  }

  @Test
  void manyCallsRunAtOnceOnOneConnection() throws Exception {
    int calls = 40;
    CyclicBarrier all = new CyclicBarrier(calls);
    FakeToolHost there =
        new FakeToolHost(
            (call, _) -> {
              try {
                all.await(SocketFixture.PATIENCE_SECONDS, TimeUnit.SECONDS);
                return FakeToolHost.text("ok");
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    try (Runner _ = fixture.runner(() -> there);
        ToolHost host = fixture.host()) {
      List<CompletableFuture<ToolResult>> asked = new ArrayList<>();
      for (int i = 0; i < calls; i++) {
        asked.add(asking(host, "read"));
      }
      for (CompletableFuture<ToolResult> one : asked) {
        assertEquals("ok", within(one).text());
      }
    }
  }

  @Test
  void anInterruptOfTheCallerReachesTheToolAndNoOtherCall() throws Exception {
    CountDownLatch began = new CountDownLatch(2);
    CountDownLatch goOn = new CountDownLatch(1);
    FakeToolHost there =
        new FakeToolHost(
            (call, _) -> {
              if (call.name().equals("list")) {
                return parked(began);
              }
              began.countDown();
              try {
                goOn.await();
                return FakeToolHost.text("went on");
              } catch (InterruptedException e) {
                return FakeToolHost.error("interrupted too");
              }
            });
    try (Runner _ = fixture.runner(() -> there);
        ToolHost host = fixture.host()) {
      CompletableFuture<ToolResult> other = asking(host, "read");
      CompletableFuture<ToolResult> cancelled = new CompletableFuture<>();
      Thread caller =
          Thread.ofVirtual()
              .start(
                  () -> {
                    ToolResult result = ask(host, "list");
                    cancelled.complete(
                        Thread.currentThread().isInterrupted()
                            ? result
                            : FakeToolHost.error("the interrupt status was lost"));
                  });
      began.await();
      caller.interrupt();
      assertEquals(FakeToolHost.error("told to end"), within(cancelled));
      goOn.countDown();
      assertEquals("went on", within(other).text());
    }
  }

  @Test
  void anInterruptedCallerStartsNothing() throws Exception {
    FakeToolHost there = new FakeToolHost((_, _) -> FakeToolHost.text("ok"));
    try (Runner _ = fixture.runner(() -> there);
        ToolHost host = fixture.host()) {
      assertEquals("ok", ask(host, "read").text());
      Thread.currentThread().interrupt();
      ToolResult result = ask(host, "read");
      assertTrue(Thread.interrupted(), "the interrupt status is kept");
      assertEquals("cancelled: the Turn was ended before this call ran", result.text());
      assertEquals("ok", ask(host, "read").text());
      assertEquals(2, there.calls().size());
    }
  }

  @Test
  void whatACallPutsOutIsHeardInOrderBeforeItsResult() throws Exception {
    FakeToolHost there =
        new FakeToolHost(
            (_, progress) -> {
              for (int i = 0; i < 50; i++) {
                progress.output(i + " ");
              }
              return FakeToolHost.text("done");
            });
    try (Runner _ = fixture.runner(() -> there);
        ToolHost host = fixture.host()) {
      StringBuffer heard = new StringBuffer();
      assertEquals("done", host.call(SocketFixture.call("read"), heard::append).text());
      StringBuilder all = new StringBuilder();
      for (int i = 0; i < 50; i++) {
        all.append(i).append(' ');
      }
      assertEquals(all.toString(), heard.toString());
    }
  }

  @Test
  void aFloodOfOutputIsCutByTheRunnerAndSaidToBe() throws Exception {
    String line = "x".repeat(100_000);
    FakeToolHost there =
        new FakeToolHost(
            (_, progress) -> {
              for (int i = 0; i < 100; i++) {
                progress.output(line);
              }
              for (int i = 0; i < 20_000; i++) {
                progress.output("y");
              }
              return FakeToolHost.text("done");
            });
    try (Runner _ = fixture.runner(() -> there);
        ToolHost host = fixture.host()) {
      StringBuffer heard = new StringBuffer();
      assertEquals("done", host.call(SocketFixture.call("read"), heard::append).text());
      assertTrue(heard.length() <= Protocol.MAX_OUTPUT_CHARS);
      assertTrue(heard.toString().endsWith("than is shown while it runs]\n"));
    }
  }

  @Test
  void whatIsTooLargeToBeSentIsAnErrorAndTheNextCallWorks() throws Exception {
    Image image = new Image("image/png", "AAAA".repeat(2 * 1024 * 1024));
    FakeToolHost there =
        new FakeToolHost(
            (call, _) ->
                call.name().equals("list")
                    ? new ToolResult(
                        false,
                        "pictures",
                        8,
                        false,
                        List.of(image, image, image, image),
                        Seen.NOTHING,
                        Optional.empty(),
                        Optional.empty())
                    : FakeToolHost.text("ok"));
    try (Runner _ = fixture.runner(() -> there);
        ToolHost host = fixture.host()) {
      ToolResult result = ask(host, "list");
      assertTrue(result.error());
      assertTrue(result.text().startsWith("the result can't be handed over"), result.text());

      ObjectNode large = JsonNodeFactory.instance.objectNode();
      large.put("content", "\u0001".repeat(6 * 1024 * 1024));
      ToolResult unsent = host.call(SocketFixture.call("write", large), Progress.NONE);
      assertEquals(
          "write did not run: it has more than " + Frames.MAX_BYTES + " bytes as JSON",
          unsent.text());
      assertEquals(1, there.calls().size());

      large.put("content", "x".repeat(16 * 1024 * 1024));
      assertEquals("ok", host.call(SocketFixture.call("write", large), Progress.NONE).text());
    }
  }

  @Test
  void aRefusedDirectoryIsRefusedInTheSameWordsAndARefusalIsNoReasonToReconnect() throws Exception {
    ToolHost there =
        new FakeToolHost((_, _) -> FakeToolHost.text("ok")) {
          @Override
          public void checkDirectory(String cwd) throws PathException {
            if (!cwd.equals("/work/target")) {
              throw new PathException(PathException.Kind.OUTSIDE, "'" + cwd + "' is outside");
            }
          }
        };
    try (Runner _ = fixture.runner(() -> there);
        ToolHost host = fixture.host()) {
      host.checkDirectory("/work/target");
      PathException refused = assertThrows(PathException.class, () -> host.checkDirectory("/etc"));
      assertEquals(PathException.Kind.OUTSIDE, refused.kind());
      assertEquals("'/etc' is outside", refused.getMessage());
    }
  }

  @Test
  void aCheckWithoutARunnerRefusesTheRequestAndSaysWhatToStart() {
    try (ToolHost host = fixture.impatient()) {
      RefusedException refused =
          assertThrows(RefusedException.class, () -> host.checkDirectory("/work/target"));
      assertTrue(refused.refusal() instanceof Refusal.NoToolHost);
      String message = refused.refusal().message();
      assertTrue(
          message.startsWith("the tool host behind unix:" + fixture.socket() + " can't be reached"),
          message);
      assertTrue(message.contains("harness runner --socket " + fixture.socket()), message);
    }
  }

  @Test
  void aCallWaitsAWhileForARunnerAndThenSaysThatItDidNotRun() throws Exception {
    try (ToolHost host = fixture.impatient()) {
      ToolResult result = ask(host, "read");
      assertTrue(result.error());
      assertTrue(result.text().startsWith("read did not run: the tool host behind"), result.text());
    }
    FakeToolHost there = new FakeToolHost((_, _) -> FakeToolHost.text("ok"));
    try (ToolHost host = fixture.host()) {
      CompletableFuture<ToolResult> early = asking(host, "read");
      try (Runner _ = fixture.runner(() -> there)) {
        assertEquals("ok", within(early).text());
      }
    }
  }

  @Test
  void aCallThatRanWhenTheRunnerEndedIsToldAndTheNextFindsTheNewOne() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    FakeToolHost there =
        new FakeToolHost(
            (call, _) -> call.name().equals("list") ? parked(began) : FakeToolHost.text("ok"));
    try (ToolHost host = fixture.host()) {
      CompletableFuture<ToolResult> cut;
      try (Runner _ = fixture.runner(() -> there)) {
        cut = asking(host, "list");
        began.await();
      }
      assertEquals(
          "list was ended with the runner; what it did until then stays", within(cut).text());
      assertTrue(Files.notExists(fixture.socket()));
      try (Runner _ = fixture.runner(() -> there)) {
        assertEquals("ok", ask(host, "read").text());
      }
    }
  }

  @Test
  void whatRunsForAHarnessEndsWhenItsConnectionDoes() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch told = new CountDownLatch(1);
    FakeToolHost there =
        new FakeToolHost(
            (_, _) -> {
              ToolResult result = parked(began);
              told.countDown();
              return result;
            });
    try (Runner _ = fixture.runner(() -> there)) {
      ToolHost host = fixture.host();
      CompletableFuture<ToolResult> cut = asking(host, "read");
      began.await();
      host.close();
      assertTrue(told.await(SocketFixture.PATIENCE_SECONDS, TimeUnit.SECONDS));
      assertTrue(within(cut).error());
    }
  }

  @Test
  void aRunnerEndsAlthoughSomeCallsDoNot() throws Exception {
    CountDownLatch began = new CountDownLatch(3);
    Semaphore deaf = new Semaphore(0);
    FakeToolHost there =
        new FakeToolHost(
            (_, _) -> {
              began.countDown();
              deaf.acquireUninterruptibly();
              return FakeToolHost.text("late");
            });
    try (ToolHost host = fixture.host()) {
      List<CompletableFuture<ToolResult>> cut = new ArrayList<>();
      try (Runner runner = fixture.runner(() -> there)) {
        for (int i = 0; i < 3; i++) {
          cut.add(asking(host, "read"));
        }
        began.await();
        assertTimeoutPreemptively(Duration.ofSeconds(4), runner::close);
      }
      for (CompletableFuture<ToolResult> one : cut) {
        assertTrue(within(one).text().contains("whether it took effect is not known"));
      }
    } finally {
      deaf.release(3);
    }
  }

  @Test
  void aReleaseIsDoneWhenItReturnsAndOneThatCouldNotBeToldIsToldLater() throws Exception {
    BlockingQueue<Instance> released = new LinkedBlockingQueue<>();
    ToolHost there =
        new FakeToolHost((_, _) -> FakeToolHost.text("ok")) {
          @Override
          public void release(Instance instance) {
            released.add(instance);
          }
        };
    try (ToolHost host = fixture.host()) {
      host.release(SocketFixture.CODER);
      try (Runner _ = fixture.runner(() -> there)) {
        assertEquals("ok", ask(host, "read").text());
        assertEquals(
            SocketFixture.CODER, released.poll(SocketFixture.PATIENCE_SECONDS, TimeUnit.SECONDS));
        host.release(SocketFixture.CODER);
        assertEquals(List.of(SocketFixture.CODER), List.copyOf(released));
      }
    }
  }

  /** Counts how many were made and closed. */
  private static final class Hosts {
    private final AtomicInteger made = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);

    ToolHost next() {
      made.incrementAndGet();
      return new FakeToolHost((_, _) -> FakeToolHost.text("ok")) {
        @Override
        public void close() {
          closed.countDown();
        }
      };
    }
  }

  @Test
  void whatCallsLeftRunningIsKeptForAHarnessThatComesBack() throws Exception {
    Hosts hosts = new Hosts();
    try (Runner _ = fixture.runner(hosts::next)) {
      for (int i = 0; i < 3; i++) {
        fixture.connector().link(1).end("it vanishes");
      }
      assertEquals(1, hosts.made.get());
      assertEquals(1, hosts.closed.getCount());
    }
  }

  @Test
  void whatCallsLeftRunningEndsWhenNoHarnessComesBack() throws Exception {
    Hosts hosts = new Hosts();
    try (Runner _ = fixture.runner(hosts::next, Duration.ofMillis(100))) {
      fixture.connector().link(1).end("it vanishes");
      assertTrue(hosts.closed.await(SocketFixture.PATIENCE_SECONDS, TimeUnit.SECONDS));
      try (ToolHost host = fixture.host()) {
        assertEquals("ok", ask(host, "read").text());
      }
    }
  }

  @Test
  void aHarnessThatEndsInOrderEndsWhatItsCallsLeftRunning() throws Exception {
    Hosts hosts = new Hosts();
    try (Runner _ = fixture.runner(hosts::next)) {
      try (ToolHost host = fixture.host()) {
        assertEquals("ok", ask(host, "read").text());
      }
      assertEquals(0, hosts.closed.getCount());
      assertEquals(2, hosts.made.get());
    }
  }

  @Test
  void manyHarnessesThatComeAndGoAtOnceAreServed() throws Exception {
    FakeToolHost there = new FakeToolHost((_, _) -> FakeToolHost.text("ok"));
    List<CompletableFuture<ToolResult>> all = new CopyOnWriteArrayList<>();
    try (Runner _ = fixture.runner(() -> there)) {
      for (int i = 0; i < 100; i++) {
        try (ToolHost one = fixture.host();
            ToolHost two = fixture.host()) {
          all.add(asking(one, "read"));
          all.add(asking(two, "read"));
          within(all.getLast());
          within(all.get(all.size() - 2));
        }
      }
      for (CompletableFuture<ToolResult> one : all) {
        assertEquals("ok", within(one).text());
      }
    }
  }

  @Test
  void aReleaseThatIsToldLateIsOverBeforeTheNextCallOfItsConversation() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    AtomicInteger over = new AtomicInteger();
    ToolHost there =
        new FakeToolHost(
            (_, _) -> {
              called.countDown();
              return FakeToolHost.text("released before: " + over.get());
            }) {
          @Override
          public void release(Instance instance) {
            try {
              // Time enough for a call that does not wait for it.
              if (called.await(500, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("a call came before this was over");
              }
              over.incrementAndGet();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
        };
    try (ToolHost host = fixture.host()) {
      host.release(SocketFixture.CODER);
      try (Runner _ = fixture.runner(() -> there)) {
        assertEquals("released before: 1", ask(host, "read").text());
        assertEquals("released before: 1", ask(host, "read").text());
      }
    }
  }

  @Test
  void aRunnerThatMeetsErrorsWhileItTakesConnectionsServesTheNext() throws Exception {
    AtomicInteger left = new AtomicInteger(Runner.MAX_SESSIONS + 1);
    List<ToolSpec> specs = new ArrayList<>(WorkingTools.specs());
    ToolSpec first = specs.getFirst();
    ObjectNode schema =
        new ObjectNode(JsonNodeFactory.instance) {
          @Override
          public String toString() {
            if (left.getAndDecrement() > 0) {
              throw new OutOfMemoryError("of the test");
            }
            return first.inputSchema().toString();
          }
        };
    specs.set(0, new ToolSpec(first.name(), first.description(), schema, first.writes()));
    FakeToolHost there = new FakeToolHost((_, _) -> FakeToolHost.text("ok"));
    try (Runner _ =
            Runner.start(
                fixture.socket(),
                SocketFixture.ROOT,
                specs,
                () -> there,
                Runner.GRACE,
                SocketFixture.BOUNDLESS,
                InstantSource.system(),
                new Random(7));
        ToolHost host = fixture.host()) {
      while (left.get() > 0) {
        SocketChannel channel = UnixSocket.connect(fixture.socket());
        channel.configureBlocking(true);
        try (channel) {
          new HostileRunner.Peer(channel).drain();
        }
      }
      assertEquals("ok", ask(host, "read").text());
    }
  }
}
