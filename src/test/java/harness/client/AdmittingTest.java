package harness.client;

import static harness.client.ScriptedTransport.CUT;
import static harness.client.ScriptedTransport.REFUSED_CONNECTION;
import static harness.client.ScriptedTransport.admitted;
import static harness.client.ScriptedTransport.refusal;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.api.WorkspaceAnswer;
import harness.client.Transport.Exchange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** An admission is sent again where that is safe, and for 90 s at most. */
class AdmittingTest {
  private final FakeTime time = new FakeTime();
  private final ScriptedTransport transport = new ScriptedTransport();
  private final List<String> log = new ArrayList<>();
  private final HarnessClient client = new HarnessClient(transport, time.timing(), log::add);

  private static Minted minted(Optional<String> key) throws Exception {
    return Minted.of(
        Invocation.of(new Address("run", "task", "coder"), Definition.of("lab/m", "Code.")),
        TurnInput.continued("Go on."),
        new WorkspaceAnswer("/work", List.of()),
        EpochLedger.Entry.NONE,
        key);
  }

  private Admission admit(Optional<String> key) throws Exception {
    return client.admit(minted(key));
  }

  private UnsettledException fails(Optional<String> key) {
    return assertThrows(UnsettledException.class, () -> admit(key));
  }

  @Test
  void underAKeyItIsTheSameRequestUntilItIsAnsweredAndTheCostIsToldOnce() throws Exception {
    transport.then(
        REFUSED_CONNECTION, CUT, refusal(503, "recovering"), admitted("run/task/coder", 0, "s-1"));
    assertEquals("s-1", admit(Optional.of("k")).submissionId());
    assertEquals(4, transport.sent().size());
    assertEquals(1, transport.sent().stream().distinct().count());
    assertEquals("k", transport.sent().getFirst().headers().get("Idempotency-Key"));
    assertEquals(1, log.size());
    assertEquals(
        "POST /turns was answered after 4 tries in "
            + time.passed().toMillis()
            + " ms; the last came to: status 200",
        log.getFirst());
  }

  @Test
  void thatItIsTriedAgainIsToldOnceAndAtOnce() throws Exception {
    transport.then(REFUSED_CONNECTION, CUT, admitted("run/task/coder", 0, "s-1"));
    List<String> waits = new ArrayList<>();
    List<Duration> told = new ArrayList<>();
    HarnessClient telling =
        new HarnessClient(
            transport,
            time.timing(),
            log::add,
            lack -> {
              waits.add(lack);
              told.add(time.passed());
            });
    telling.admit(minted(Optional.of("k")));
    assertEquals(
        List.of("POST /turns came to: connection refused; it is tried again for up to 90 s"),
        waits);
    assertEquals(List.of(Duration.ZERO), told);
    assertEquals(1, log.size());
  }

  @Test
  void whatIsAnsweredAtOnceIsNotTold() throws Exception {
    transport.then(admitted("run/task/coder", 0, "s-1"));
    admit(Optional.of("k"));
    assertEquals(List.of(), log);
  }

  @Test
  void itIsGivenUpAfterNinetySeconds() {
    transport.then(REFUSED_CONNECTION);
    UnsettledException e = fails(Optional.of("k"));
    assertEquals(new Outcome.Unreachable("connection refused"), e.outcome());
    assertFalse(e.mayHaveArrived());
    assertEquals(Duration.ofSeconds(90), time.passed());
    assertEquals(1, log.size());
    assertTrue(log.getFirst().contains("given up"), log::toString);
  }

  @Test
  void withoutAKeyOnlyWhatWasNeverDeliveredIsSentAgain() throws Exception {
    transport.then(REFUSED_CONNECTION, REFUSED_CONNECTION, admitted("run/task/coder", 0, "s-1"));
    admit(Optional.empty());
    assertEquals(3, transport.sent().size());
  }

  @Test
  void withoutAKeyNothingThatMayHaveArrivedIsSentAgain() {
    for (Exchange last : List.of(CUT, refusal(503, "upstream"), refusal(500, "unknown"))) {
      ScriptedTransport once = new ScriptedTransport().then(REFUSED_CONNECTION, last);
      HarnessClient keyless = new HarnessClient(once, time.timing(), log::add);
      UnsettledException e =
          assertThrows(UnsettledException.class, () -> keyless.admit(minted(Optional.empty())));
      assertTrue(e.mayHaveArrived());
      assertEquals(2, once.sent().size());
    }
  }

  @Test
  void aRefusalOfAResendSaysThatNoTryWasAdmittedAndADeniedOneSaysNothing() {
    transport.then(CUT, refusal(422, "another body"));
    UnsettledException refused = fails(Optional.of("k"));
    assertEquals(new Outcome.Refused(422, "another body", ""), refused.outcome());
    assertFalse(refused.mayHaveArrived());

    ScriptedTransport revoked = new ScriptedTransport().then(CUT, refusal(401, "a token"));
    HarnessClient other = new HarnessClient(revoked, time.timing(), log::add);
    UnsettledException denied =
        assertThrows(UnsettledException.class, () -> other.admit(minted(Optional.of("k"))));
    assertEquals(new Outcome.Denied(401, "a token"), denied.outcome());
    assertTrue(denied.mayHaveArrived());
  }

  @Test
  void aRefusalIsNotSentAgain() {
    for (int status : new int[] {400, 401, 403, 404, 409, 413, 422, 507}) {
      ScriptedTransport once = new ScriptedTransport().then(refusal(status, "no"));
      HarnessClient one = new HarnessClient(once, time.timing(), log::add);
      UnsettledException e =
          assertThrows(UnsettledException.class, () -> one.admit(minted(Optional.of("k"))));
      assertFalse(e.mayHaveArrived(), () -> "status " + status);
      assertEquals(1, once.sent().size());
    }
    assertEquals(Duration.ZERO, time.passed());
  }

  @Test
  void whatAnswersAndIsNoHarnessIsSaidSo() {
    transport.then(ScriptedTransport.answer(200, "<html>welcome</html>"));
    Outcome outcome = fails(Optional.of("k")).outcome();
    assertTrue(outcome.toString().contains("no Harness: <html>welcome"), outcome::toString);
    assertInstanceOf(Outcome.Refused.class, outcome);
  }

  @Test
  void anAnswerIsWaitedForAsLongAsItAsks() throws Exception {
    transport.then(
        new Exchange.Answered(429, Map.of("retry-after", "20"), "{\"error\":\"full\"}"),
        admitted("run/task/coder", 0, "s-1"));
    admit(Optional.of("k"));
    assertEquals(List.of(Duration.ofSeconds(20)), time.pauses());
  }

  @Test
  void eachWaitIsBetweenHalfAndTheWholeOfAStepThatDoublesUpToItsBound() {
    Random random = new Random(7);
    long whole = Ladder.REQUEST.first().toMillis();
    for (int tries = 1; tries < 40; tries++) {
      long wait = Ladder.REQUEST.step(tries, random).toMillis();
      assertTrue(wait >= whole / 2 && wait <= whole, () -> "waits " + wait);
      whole = Math.min(whole * 2, Ladder.REQUEST.longest().toMillis());
    }
    assertTrue(random.ints(50).mapToObj(seed -> step(seed)).distinct().count() > 20);
  }

  private static Duration step(int seed) {
    return Ladder.REQUEST.step(6, new Random(seed));
  }
}
