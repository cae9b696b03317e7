package harness.client;

import static harness.client.ScriptedTransport.CUT;
import static harness.client.ScriptedTransport.REFUSED_CONNECTION;
import static harness.client.ScriptedTransport.admitted;
import static harness.client.ScriptedTransport.answer;
import static harness.client.ScriptedTransport.event;
import static harness.client.ScriptedTransport.page;
import static harness.client.ScriptedTransport.refusal;
import static harness.client.ScriptedTransport.settled;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.api.AdmissionBody;
import harness.api.WorkspaceAnswer;
import harness.client.EpochLedger.Entry;
import harness.client.Transport.Exchange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An orchestrator has one live Turn an address and a ledger of epochs. */
class OrchestratorTest {
  private static final Address CODER = new Address("run", "task", "coder");
  private static final Address REVIEWER = new Address("run", "task", "reviewer");
  private static final String CODER_ID = "run/task/coder";
  private static final String ABORT_CODER = "POST /agents/coder/run%2Ftask%2Fcoder/abort";
  private static final Exchange FIRST = admitted(CODER_ID, 0, "s-1");
  private static final Exchange ABORTED = answer(200, "{\"aborted\":true}");
  private static final String BURNED =
      """
      {"class":"infra","reason":"it broke","burned":true,"epoch":{"from":%d,"to":%d},"next":"x"}
      """;

  private final FakeTime time = new FakeTime();
  private final ScriptedTransport transport = new ScriptedTransport();
  private final EpochLedger ledger = new EpochLedger(EpochLedger.Data.EMPTY);
  private final Orchestrator orchestrator =
      new Orchestrator(new HarnessClient(transport, time.timing(), _ -> {}), ledger);

  private Minted mint(Address address, TurnInput input, String key) throws Exception {
    return orchestrator.mint(
        Invocation.of(address, Definition.of("lab/m", "Work.")),
        input,
        new WorkspaceAnswer("/work", List.of()),
        Optional.of(key).filter(text -> !text.isEmpty()));
  }

  private Minted continued(String key) throws Exception {
    return mint(CODER, TurnInput.continued("Go on."), key);
  }

  private static AdmissionBody body(Minted minted) throws UnsettledException {
    return Json.read(minted.body(), AdmissionBody.class);
  }

  private Outcome await(Admission admission) throws InterruptedException {
    return orchestrator.await(admission, _ -> {});
  }

  private static Exchange end(String submission, String more) {
    return page("l-9", event("submission-admitted", submission, ""), settled(submission, more));
  }

  private static Exchange completed(String submission) {
    return end(submission, "\"outcome\":\"completed\"");
  }

  private UnsettledException refused(Minted minted) {
    return assertThrows(UnsettledException.class, () -> orchestrator.admit(minted));
  }

  @Test
  void twoSlotsAndNoCwdAreRefusedBeforeAnythingIsSent() {
    WorkspaceAnswer two =
        new WorkspaceAnswer(
            "/work",
            List.of(
                new WorkspaceAnswer.Slot("a", "/work/a/x", Optional.empty()),
                new WorkspaceAnswer.Slot("b", "/work/b/x", Optional.empty())));
    assertThrows(
        UnsettledException.class,
        () ->
            orchestrator.mint(
                Invocation.of(CODER, Definition.of("lab/m", "Work.")),
                TurnInput.continued("Go."),
                two,
                Optional.of("k")));
    assertEquals(List.of(), transport.sent());
  }

  @Test
  void aSecondLiveTurnOfAContinuedAddressIsRefusedHereAndAResendIsNone() throws Exception {
    transport.then(FIRST);
    Minted first = continued("k-1");
    Admission admission = orchestrator.admit(first);
    for (String key : List.of("k-2", "")) {
      Outcome outcome = refused(continued(key)).outcome();
      assertEquals(409, ((Outcome.Refused) outcome).status());
    }
    assertEquals(1, transport.sent().size());
    assertEquals(admission, orchestrator.admit(first));
    assertEquals(2, transport.sent().size());
    // The resend was no second one: the first is the live one still.
    assertInstanceOf(Outcome.Refused.class, refused(continued("k-3")).outcome());
  }

  @Test
  void aFreshTurnAndOneOfAnotherAddressAreNoSecondOnes() throws Exception {
    transport.then(FIRST, admitted("run/task/coder/f-1", 0, "s-2"), admitted("r", 0, "s-3"));
    orchestrator.admit(continued("k-1"));
    orchestrator.admit(mint(CODER, TurnInput.fresh("Aside."), "k-2"));
    orchestrator.admit(mint(REVIEWER, TurnInput.continued("Look."), "k-3"));
    assertEquals(3, transport.sent().size());
  }

  @Test
  void anAddressIsFreeOnceItsTurnSettledOrWasRefused() throws Exception {
    transport.then(refusal(400, "no"), FIRST, completed("s-1"), admitted(CODER_ID, 0, "s-2"));
    refused(continued("k-1"));
    await(orchestrator.admit(continued("k-2")));
    assertEquals("s-2", orchestrator.admit(continued("k-3")).submissionId());
  }

  @Test
  void anotherProcessGoesOnWithWhatWasPersisted() throws Exception {
    transport.then(FIRST);
    Admission admission = orchestrator.admit(continued("k-1"));

    ScriptedTransport again = new ScriptedTransport().then(completed("s-1"));
    Orchestrator other =
        new Orchestrator(
            new HarnessClient(again, time.timing(), _ -> {}), new EpochLedger(ledger.data()));
    assertInstanceOf(Outcome.Completed.class, other.await(admission, _ -> {}));
    assertEquals(
        List.of("GET /agents/coder/run%2Ftask%2Fcoder?live=long-poll&offset=l-0"), again.targets());
  }

  @Test
  void aTurnThatIsLeftHasItsAbortAnsweredBeforeTheNextOfItsMachine() throws Exception {
    transport.then(FIRST, REFUSED_CONNECTION);
    Admission first = orchestrator.admit(continued("k-1"));
    assertThrows(UnsettledException.class, () -> orchestrator.abort(first));

    ScriptedTransport back = transport;
    int before = back.sent().size();
    back.then(ABORTED, admitted("r", 0, "s-2"));
    orchestrator.admit(mint(REVIEWER, TurnInput.fresh("Look."), "k-2"));
    List<String> since = back.targets().subList(before, back.targets().size());
    assertEquals(List.of(ABORT_CODER, ABORT_CODER, "POST /turns"), since);
  }

  @Test
  void anAbortThatIsAnsweredFreesTheAddressAndTouchesNoLaterTurn() throws Exception {
    transport.then(FIRST, ABORTED, admitted(CODER_ID, 0, "s-2"));
    Admission first = orchestrator.admit(continued("k-1"));
    assertTrue(orchestrator.abort(first));
    orchestrator.admit(continued("k-2"));
    // An abort ends all of a conversation: now it would end the second Turn.
    assertFalse(orchestrator.abort(first));
    assertEquals(List.of("POST /turns", ABORT_CODER, "POST /turns"), transport.targets());
  }

  @Test
  void anAdmissionThatMayHaveArrivedIsEndedUnlessItIsSentAgainUnderItsKey() throws Exception {
    transport.then(CUT);
    Minted minted = continued("k-1");
    assertTrue(refused(minted).mayHaveArrived());

    ScriptedTransport unused = transport;
    int before = unused.sent().size();
    unused.then(CUT, FIRST, completed("s-1"));
    orchestrator.admit(minted);
    assertEquals(
        List.of("POST /turns", "POST /turns", "POST /turns"),
        unused.targets().subList(before, before + 3));
  }

  @Test
  void anotherTurnEndsWhatMayHaveArrivedFirst() throws Exception {
    transport.then(CUT, refusal(404, "not held"), admitted(CODER_ID + "/1", 1, "s-2"));
    assertTrue(refused(continued("")).mayHaveArrived());
    orchestrator.admit(continued("k-2"));
    assertEquals(List.of("POST /turns", ABORT_CODER, "POST /turns"), transport.targets());
  }

  @Test
  void aFaultThatBurnsBumpsTheEpochOfTheNextTurn() throws Exception {
    transport.then(
        FIRST,
        end(
            "s-1",
            "\"outcome\":\"failed\",\"error\":{\"type\":\"submission_failed\",\"message\":\"m\"},\"fault\":"
                + BURNED.formatted(0, 1)));
    Minted first = continued("k-1");
    assertEquals(Optional.of(0), body(first).epoch());
    await(orchestrator.admit(first));
    assertEquals(new Entry(1, false), ledger.entry(CODER));
    assertEquals(Optional.of(1), body(continued("k-2")).epoch());
    assertEquals(Optional.empty(), body(continued("k-2")).expectHeld());
  }

  @Test
  void aLostTurnKeepsTheEpochAndTheNextOneExpectsTheConversation() throws Exception {
    transport.then(FIRST, refusal(404, "not held"));
    assertInstanceOf(Outcome.Lost.class, await(orchestrator.admit(continued("k-1"))));
    Minted next = continued("k-2");
    assertEquals(Optional.of(0), body(next).epoch());
    assertEquals(Optional.of(true), body(next).expectHeld());
  }

  @Test
  void aHarnessThatIsGivenUpBumpsTheEpochAndItsTurnIsEndedWhenItIsBack() throws Exception {
    transport.then(admitted(CODER_ID + "/4", 4, "s-1"), REFUSED_CONNECTION);
    assertInstanceOf(Outcome.Unreachable.class, await(orchestrator.admit(continued("k-1"))));
    assertEquals(new Entry(5, false), ledger.entry(CODER));
    transport.then(ABORTED, admitted(CODER_ID + "/5", 5, "s-2"));
    Minted next = continued("k-2");
    assertEquals(Optional.of(5), body(next).epoch());
    orchestrator.admit(next);
    List<String> targets = transport.targets();
    assertEquals(
        List.of("POST /agents/coder/run%2Ftask%2Fcoder%2F4/abort", "POST /turns"),
        targets.subList(targets.size() - 2, targets.size()));
  }

  @Test
  void anAdmissionThatReachesNoHarnessBumpsTheEpochAndARefusedOneDoesNot() throws Exception {
    transport.then(refusal(400, "no"), REFUSED_CONNECTION);
    refused(continued("k-1"));
    assertEquals(Entry.NONE, ledger.entry(CODER));
    refused(continued("k-2"));
    assertEquals(new Entry(1, false), ledger.entry(CODER));
  }

  @Test
  void theFeedOfFaultsRaisesTheLedgerAndNothingLowersIt() throws Exception {
    String report =
        "{\"agent\":\"coder\",\"instanceId\":\"%s\",\"submissionId\":\"s\",\"fault\":%s}";
    transport.then(
        page(
            "2",
            report.formatted("run/task/coder/6", BURNED.formatted(6, 7)),
            report.formatted("run/task/coder", BURNED.formatted(0, 1)),
            report.formatted(
                "run/task/coder/f-x", "{\"class\":\"infra\",\"reason\":\"r\",\"burned\":true}")));
    orchestrator.catchUp();
    assertEquals(
        new EpochLedger.Data("2", Map.of("coder run/task/coder", new Entry(7, false))),
        ledger.data());
  }

  @Test
  void aFeedOfAnotherStateIsReadFromItsStart() throws Exception {
    EpochLedger had =
        new EpochLedger(new EpochLedger.Data("9", Map.of("coder run/x", new Entry(3, true))));
    ScriptedTransport feed =
        new ScriptedTransport()
            .then(answer(400, "{\"error\":\"past the end\",\"field\":\"offset\"}"), page("0"));
    new Orchestrator(new HarnessClient(feed, time.timing(), _ -> {}), had).catchUp();
    assertEquals(List.of("GET /faults?offset=9", "GET /faults?offset=0"), feed.targets());
    assertEquals(Map.of("coder run/x", new Entry(3, true)), had.data().entries());
  }

  @Test
  void aRunThatIsOverIsForgotten() {
    EpochLedger had =
        new EpochLedger(
            new EpochLedger.Data(
                "9",
                Map.of("coder run/x", new Entry(3, true), "coder run-2/x", new Entry(1, true))));
    had.forget("run");
    assertEquals(Map.of("coder run-2/x", new Entry(1, true)), had.data().entries());
  }

  @Test
  void whatMayHaveArrivedIsEndedInALaterEpochThanTheLedgerKnows() throws Exception {
    transport.then(
        CUT,
        answer(200, "{\"aborted\":false}"),
        ABORTED,
        refusal(404, "not held"),
        admitted(CODER_ID + "/1", 1, "s-2"));
    assertTrue(refused(continued("")).mayHaveArrived());
    orchestrator.admit(continued("k-2"));
    assertEquals(
        List.of("POST /turns", ABORT_CODER, abort(1), abort(2), "POST /turns"),
        transport.targets());
  }

  private static String abort(int epoch) {
    return "POST /agents/coder/run%2Ftask%2Fcoder%2F" + epoch + "/abort";
  }

  @Test
  void anAnswerToAnAbortThatNoHarnessGivesIsNone() throws Exception {
    transport.then(FIRST, answer(200, "<html>"));
    Admission first = orchestrator.admit(continued("k-1"));
    UnsettledException said =
        assertThrows(UnsettledException.class, () -> orchestrator.abort(first));
    assertTrue(said.outcome().message().contains("no Harness"), said.outcome()::message);
  }

  @Test
  void aHarnessThatHoldsEveryEpochIsNotAskedForEver() throws Exception {
    transport.then(CUT);
    assertTrue(refused(continued("")).mayHaveArrived());
    Exchange held = answer(200, "{\"aborted\":false}");
    transport.then(java.util.Collections.nCopies(64, held).toArray(Exchange[]::new));
    transport.then(admitted(CODER_ID + "/99", 99, "s-2"));
    orchestrator.admit(continued("k-2"));
    assertEquals("POST /turns", transport.targets().getLast());
  }
}
