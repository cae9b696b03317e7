package harness.author;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProposalRuleTest {
  private static final Actor.User ALICE = new Actor.User("alice");
  private static final Actor.User BOB = new Actor.User("bob");
  private static final Actor CLIENT = new Actor.ExternalAgent("cursor", Optional.of(ALICE));

  private static final Map<String, Actor> ACTORS =
      Map.ofEntries(
          Map.entry("alice", ALICE),
          Map.entry("client", CLIENT),
          Map.entry("coder for no one", new Actor.Agent("run/coder", Optional.empty())),
          Map.entry("coder for alice", new Actor.Agent("run/coder", Optional.of(ALICE))),
          Map.entry("coder for client", new Actor.Agent("run/coder", Optional.of(CLIENT))),
          Map.entry("coder for bob", new Actor.Agent("run/coder", Optional.of(BOB))),
          Map.entry("judge for alice", new Actor.Agent("run/judge", Optional.of(ALICE))),
          Map.entry("judge for bob", new Actor.Agent("run/judge", Optional.of(BOB))),
          Map.entry("bob", BOB),
          Map.entry("bob's client", new Actor.ExternalAgent("cursor", Optional.of(BOB))),
          Map.entry("evaluator", new Actor.Evaluator("grader")),
          Map.entry("system", new Actor.System()));

  /** Who proposed it, who answers, and what they may say. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "coder for alice, alice, accept",
        "coder for alice, client, neither",
        "coder for alice, coder for alice, neither",
        "coder for alice, coder for bob, neither",
        "coder for alice, judge for alice, neither",
        "coder for alice, judge for bob, both",
        "coder for alice, bob, both",
        "coder for alice, bob's client, both",
        "coder for alice, evaluator, both",
        "coder for alice, system, both",
        "coder for client, alice, accept",
        "coder for client, client, neither",
        "coder for client, judge for alice, neither",
        "coder for client, bob, both",
        "coder for client, bob's client, both",
        "coder for no one, alice, both",
        "coder for no one, client, both",
        "coder for no one, coder for alice, neither",
        "coder for no one, judge for alice, both",
        "coder for no one, evaluator, both",
        "coder for no one, system, both",
        "alice, alice, neither",
        "alice, client, neither",
        "alice, coder for alice, neither",
        "alice, bob, both",
        "client, alice, neither",
        "client, client, neither",
        "client, judge for alice, neither",
        "client, bob's client, both",
        "evaluator, evaluator, neither",
        "evaluator, alice, both",
        "system, system, neither",
        "system, alice, both",
      })
  void whoProposedOrActsForThemCannotResolveItButAPersonMayAcceptWhatATurnForThemProposed(
      String proposer, String responder, String may) {
    boolean accept = may.equals("accept") || may.equals("both");
    assertEquals(accept, refusal(proposer, responder, Decision.ACCEPT).isEmpty());
    assertEquals(may.equals("both"), refusal(proposer, responder, Decision.REJECT).isEmpty());
  }

  @ParameterizedTest
  @CsvSource({"alice, REJECT, accept", "client, ACCEPT, another person"})
  void aRefusalNamesWhoWasRefusedAndWhatWouldDo(String who, Decision decision, String mend) {
    String told = refusal("coder for alice", who, decision).orElseThrow();
    assertTrue(told.startsWith(actor(who).participant()), told);
    assertTrue(told.contains("agent:run/coder") && told.contains(mend), told);
  }

  private static Optional<String> refusal(String proposer, String responder, Decision decision) {
    return ProposalRule.refusal(actor(responder), actor(proposer), decision);
  }

  private static Actor actor(String name) {
    return Optional.ofNullable(ACTORS.get(name)).orElseThrow();
  }
}
