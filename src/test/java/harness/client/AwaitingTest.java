package harness.client;

import static harness.client.ScriptedTransport.CUT;
import static harness.client.ScriptedTransport.REFUSED_CONNECTION;
import static harness.client.ScriptedTransport.event;
import static harness.client.ScriptedTransport.page;
import static harness.client.ScriptedTransport.refusal;
import static harness.client.ScriptedTransport.said;
import static harness.client.ScriptedTransport.settled;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import harness.api.SettlementBody.PickBody;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A wait ends with what became of the Submission, whatever happens to the Harness meanwhile. */
class AwaitingTest {
  private static final String ADMITTED = event("submission-admitted", "s-1", "");

  private final FakeTime time = new FakeTime();
  private final ScriptedTransport transport = new ScriptedTransport();
  private final List<String> log = new ArrayList<>();
  private final List<String> heard = new ArrayList<>();
  private final HarnessClient client = new HarnessClient(transport, time.timing(), log::add);

  private Outcome await() throws InterruptedException {
    return client.await(
        new Bookmark("coder", "run/a b/coder", "l-3"),
        event -> heard.add(event.path("type").asText()));
  }

  @Test
  void itReadsFromTheAdmissionOnOverCutsAndRefusedConnections() throws Exception {
    transport.then(
        page("l-4", ADMITTED),
        CUT,
        REFUSED_CONNECTION,
        refusal(503, "recovering"),
        page("l-6", said("s-1", "One."), said("s-1", "Done.")),
        page("l-7", settled("s-1", "\"outcome\":\"completed\"")));
    assertEquals(new Outcome.Completed("Done.", Optional.empty()), await());
    String target = "GET /agents/coder/run%2Fa%20b%2Fcoder?live=long-poll&offset=";
    assertEquals(
        List.of(
            target + "l-3",
            target + "l-4",
            target + "l-4",
            target + "l-4",
            target + "l-4",
            target + "l-6"),
        transport.targets());
    assertEquals(
        List.of(
            "submission-admitted", "message-appended", "message-appended", "submission-settled"),
        heard);
    assertEquals(1, log.size(), log::toString);
  }

  @Test
  void onlyTheSettlementOfTheSubmissionAtTheOffsetEndsIt() throws Exception {
    transport.then(
        page(
            "l-9",
            ADMITTED,
            settled("s-0", "\"outcome\":\"aborted\""),
            settled(
                "s-1", "\"outcome\":\"completed\",\"pick\":{\"name\":\"finish\",\"input\":{}}")));
    Outcome.Completed completed = (Outcome.Completed) await();
    assertEquals("finish", completed.pick().map(PickBody::name).orElse(""));
  }

  @Test
  void whatRodeWithAnotherEndsWithItsText() throws Exception {
    transport.then(
        page(
            "l-9",
            ADMITTED,
            said("s-0", "For both."),
            settled("s-1", "\"outcome\":\"completed\",\"joined\":\"s-0\"")));
    assertEquals(new Outcome.Completed("For both.", Optional.empty()), await());
  }

  @Test
  void aFaultComesWithItsEpochs() throws Exception {
    transport.then(
        page(
            "l-9",
            ADMITTED,
            settled(
                "s-1",
                """
                "outcome":"failed","error":{"type":"runaway","message":"in circles"},"fault":{"class":"runaway",
                "reason":"in circles","burned":true,"epoch":{"from":0,"to":1},"next":"run/a b/coder/1"},"usage":{}
                """)));
    Outcome.Failed failed = (Outcome.Failed) await();
    assertEquals("runaway", failed.error().type());
    assertEquals(1, failed.fault().orElseThrow().epoch().orElseThrow().to());
  }

  @Test
  void aConversationThatIsNotHeldIsLost() throws Exception {
    transport.then(page("l-4", ADMITTED), refusal(404, "not held"));
    assertEquals(new Outcome.Lost("not held"), await());
  }

  @Test
  void whoIsDeniedDoesNotAskAgain() throws Exception {
    for (int status : new int[] {401, 403}) {
      ScriptedTransport denying = new ScriptedTransport().then(refusal(status, "no"));
      HarnessClient denied = new HarnessClient(denying, time.timing(), log::add);
      assertEquals(
          new Outcome.Denied(status, "no"),
          denied.await(new Bookmark("coder", "x", "l-0"), AwaitingTest::ignore));
      assertEquals(1, denying.sent().size());
    }
    assertEquals(Duration.ZERO, time.passed());
  }

  private static void ignore(JsonNode event) {}

  @Test
  void aHarnessThatStaysAwayIsGivenUpAfterFiveMinutes() throws Exception {
    transport.then(page("l-4", ADMITTED), REFUSED_CONNECTION);
    assertEquals(new Outcome.Unreachable("connection refused"), await());
    assertEquals(Duration.ofMinutes(5), time.passed());
  }

  @Test
  void aHarnessThatComesBackIsNotGivenUpHoweverOftenItGoes() throws Exception {
    for (int i = 0; i < 100; i++) {
      transport.then(CUT, CUT, CUT, CUT, CUT, CUT, page("l-4", ADMITTED));
    }
    transport.then(page("l-5", settled("s-1", "\"outcome\":\"aborted\"")));
    assertEquals(new Outcome.Aborted(), await());
    assertEquals(true, time.passed().compareTo(Duration.ofMinutes(5)) > 0);
  }

  @Test
  void aPollThatIsEmptyAtOnceIsNotAskedAgainAtOnce() throws Exception {
    transport.then(
        page("l-3"), page("l-3"), page("l-5", ADMITTED, settled("s-1", "\"outcome\":\"aborted\"")));
    await();
    assertEquals(List.of(Duration.ofSeconds(1), Duration.ofSeconds(1)), time.pauses());
  }
}
