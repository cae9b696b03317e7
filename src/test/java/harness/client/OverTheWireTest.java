package harness.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import harness.Bodies;
import harness.TestHarness;
import harness.TestSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An orchestrator and a Harness that is ended and started again under it. */
@Timeout(120)
class OverTheWireTest {
  private static final Address CODER = new Address("run", "task", "coder");

  private final EpochLedger ledger = new EpochLedger(EpochLedger.Data.EMPTY);
  private final List<String> log = new ArrayList<>();
  private final Map<String, JdkTransport> open = new ConcurrentHashMap<>();
  private @TempDir Path directory;
  private TestHarness harness;

  /** Where the Harness listens, as a Service knows it. */
  private volatile URI service = URI.create("http://127.0.0.1:1");

  private Orchestrator orchestrator;

  @BeforeEach
  void start() throws Exception {
    harness = TestHarness.start(directory);
    service = harness.uri();
    orchestrator = new Orchestrator(client(_ -> {}), ledger);
  }

  @AfterEach
  void stop() throws Exception {
    open.values().forEach(JdkTransport::close);
    harness.close();
  }

  private void restart() throws Exception {
    harness.restart();
    service = harness.uri();
  }

  private HarnessClient client(Timing.Pause pause) {
    return new HarnessClient(
        request -> to(service, Optional.empty()).send(request),
        new Timing(InstantSource.system(), pause, new Random(1)),
        log::add);
  }

  private JdkTransport to(URI uri, Optional<String> token) {
    return open.computeIfAbsent(uri + token.orElse(""), _ -> new JdkTransport(uri, token));
  }

  private Minted mint(TurnInput input, String key) throws Exception {
    return orchestrator.mint(
        Invocation.of(CODER, Definition.of(Bodies.MODEL, "You write code.")),
        input,
        client(_ -> {}).workspace(),
        Optional.of(key));
  }

  private Outcome await(Admission admission) throws InterruptedException {
    return orchestrator.await(admission, _ -> {});
  }

  @Test
  void aTurnIsAdmittedAndAwaited() throws Exception {
    List<String> types = new ArrayList<>();
    Admission admission = orchestrator.admit(mint(TurnInput.continued("Do it."), "k"));
    assertEquals("run/task/coder", admission.instanceId());
    assertEquals(
        new Outcome.Completed("Done.", Optional.empty()),
        orchestrator.await(admission, event -> types.add(event.path("type").asText())));
    assertEquals(
        List.of(
            "submission-admitted",
            "turn-started",
            "message-appended",
            "message-appended",
            "submission-settled"),
        types);
    assertEquals(List.of(), log);
  }

  @Test
  void aWaitGoesOnOverARestartThatCutsItsTurn() throws Exception {
    CountDownLatch before = new CountDownLatch(1);
    Admission admission = orchestrator.admit(mint(TurnInput.continued("Wait for gate-1."), "k"));
    CompletableFuture<Outcome> outcome =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return orchestrator.await(admission, event -> count(event, before));
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            task -> Thread.ofVirtual().start(task));
    before.await();
    restart();
    Outcome.Failed failed = (Outcome.Failed) outcome.get(60, TimeUnit.SECONDS);
    assertEquals("harness_restarted", failed.error().type());
    assertEquals("turn-lost", failed.fault().orElseThrow().faultClass());

    // The Turn is lost and its conversation is not.
    Admission next = orchestrator.admit(mint(TurnInput.continued("Do it."), "k-2"));
    assertEquals("run/task/coder", next.instanceId());
    assertEquals(0, next.epoch());
    assertInstanceOf(Outcome.Completed.class, await(next));
  }

  private static void count(JsonNode event, CountDownLatch latch) {
    if (event.path("type").asText().equals("tool-returned")) {
      latch.countDown();
    }
  }

  @Test
  void anotherOrchestratorSendsWhatThisOnePersistedAndItIsTheSameTurn() throws Exception {
    Minted minted = mint(TurnInput.continued("Do it."), "k");
    Admission first = orchestrator.admit(minted);
    await(first);
    restart();
    Orchestrator other = new Orchestrator(client(_ -> {}), new EpochLedger(ledger.data()));
    assertEquals(first, other.admit(minted));
    assertInstanceOf(Outcome.Completed.class, other.await(first, _ -> {}));
  }

  @Test
  void aRefusedConnectionIsTriedAgainUntilTheHarnessIsThere() throws Exception {
    URI closed = harness.uri();
    Minted minted = mint(TurnInput.fresh("Do it."), "k");
    harness.restart();
    List<URI> routes = new ArrayList<>(List.of(closed, closed, closed, harness.uri()));
    HarnessClient early =
        new HarnessClient(
            request ->
                to(routes.size() > 1 ? routes.removeFirst() : routes.getFirst(), Optional.empty())
                    .send(request),
            new FakeTime().timing(),
            log::add);
    Admission admission = early.admit(minted);
    assertTrue(admission.instanceId().startsWith("run/task/coder/f-"));
    assertEquals(1, log.size());
    assertTrue(log.getFirst().contains("after 4 tries"), log::toString);
  }

  @Test
  void anAdmissionMeetsADrainAndIsAdmittedByTheNextHarness() throws Exception {
    Admission live = orchestrator.admit(mint(TurnInput.continued("Wait for gate-1."), "k-1"));
    harness.await("/agents/coder/run%2Ftask%2Fcoder", "tool-returned", "outcome", "ok");
    CompletableFuture<Void> ended = harness.drain(Duration.ofMinutes(1));
    while (harness.send("POST", "/turns", "no JSON").status() != 503) {
      Thread.onSpinWait();
    }
    List<Duration> waited = new ArrayList<>();
    HarnessClient client =
        client(
            wait -> {
              waited.add(wait);
              restartAfter(ended);
            });
    Orchestrator draining = new Orchestrator(client, ledger);
    Minted minted = mint(TurnInput.fresh("Do it."), "k-2");
    Admission admission = draining.admit(minted);
    assertInstanceOf(Outcome.Completed.class, draining.await(admission, _ -> {}));
    // No sooner than the drain asked for.
    assertEquals(List.of(Duration.ofSeconds(2)), waited);
    assertInstanceOf(Outcome.Completed.class, await(live));
  }

  private void restartAfter(CompletableFuture<Void> ended) {
    try {
      harness.open("gate-1");
      ended.get(60, TimeUnit.SECONDS);
      restart();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void anAbortedTurnIsOverAndTheNextOneIsAdmitted() throws Exception {
    Admission first = orchestrator.admit(mint(TurnInput.continued("Wait for gate-1."), "k-1"));
    assertTrue(orchestrator.abort(first));
    assertEquals(new Outcome.Aborted(), await(first));
    assertInstanceOf(
        Outcome.Completed.class,
        await(orchestrator.admit(mint(TurnInput.continued("Do it."), "k-2"))));
  }

  @Test
  void anEpochThatTheOrchestratorDeclaredOverIsSkippedByTheHarness() throws Exception {
    await(orchestrator.admit(mint(TurnInput.continued("Do it."), "k-1")));
    ledger.bump(CODER, 4);
    Admission next = orchestrator.admit(mint(TurnInput.continued("Do it."), "k-2"));
    assertEquals("run/task/coder/5", next.instanceId());
  }

  @Test
  void theLedgerFollowsWhatBurnedWithoutIt() throws Exception {
    Admission burned = client(_ -> {}).admit(mint(TurnInput.continued("Meet a fault."), "k"));
    harness.await(
        "/agents/coder/run%2Ftask%2Fcoder",
        "submission-settled", "submissionId", burned.submissionId());
    orchestrator.catchUp();
    assertEquals(1, ledger.entry(CODER).epoch());
    Admission next = orchestrator.admit(mint(TurnInput.continued("What is new?"), "k-2"));
    assertEquals("run/task/coder/1", next.instanceId());
  }

  @Test
  void aConversationThatIsGoneIsLost() throws Exception {
    Admission admission =
        new Admission(CODER, true, Optional.empty(), "run/gone/coder", 0, true, "s-1", "", 0);
    assertInstanceOf(Outcome.Lost.class, await(admission));
  }

  @Test
  void aTokenThatIsNotAcceptedEndsAWaitAndAnAdmission(@TempDir Path guarded) throws Exception {
    try (TestHarness locked = TestSettings.in(guarded).tokens("right").start()) {
      HarnessClient wrong = locked(locked, "wrong");
      assertEquals(
          401, ((Outcome.Denied) wrong.await(new Bookmark("coder", "x", ""), _ -> {})).status());
      UnsettledException e = assertThrows(UnsettledException.class, wrong::workspace);
      assertInstanceOf(Outcome.Denied.class, e.outcome());
      assertEquals(locked.root().toString(), locked(locked, "right").workspace().root());
    }
  }

  private HarnessClient locked(TestHarness locked, String token) {
    return new HarnessClient(
        to(locked.uri(), Optional.of(token)), new FakeTime().timing(), log::add);
  }

  @Test
  void severalSlotsAndNoCwdAreRefusedHereInTheWordsOfThere(@TempDir Path slots) throws Exception {
    try (TestHarness two =
        TestSettings.in(slots).slots(Map.of("target", "target/x", "docs", "docs/x")).start()) {
      HarnessClient client =
          new HarnessClient(to(two.uri(), Optional.empty()), new FakeTime().timing(), log::add);
      UnsettledException e =
          assertThrows(
              UnsettledException.class,
              () ->
                  orchestrator.mint(
                      Invocation.of(CODER, Definition.of(Bodies.MODEL, "You write code.")),
                      TurnInput.continued("Where?"),
                      client.workspace(),
                      Optional.of("k")));
      assertEquals(
          two.post("/turns", Bodies.continued("run", "Where?")).error(), e.outcome().message());
    }
  }
}
