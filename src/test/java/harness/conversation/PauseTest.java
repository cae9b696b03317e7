package harness.conversation;

import static harness.conversation.Stage.ALICE;
import static harness.conversation.Stage.CODER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import harness.author.Actor;
import harness.author.Decision;
import harness.conversation.Turns.Ending;
import harness.model.Usage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A Turn that waits for an answer, also while nothing runs that could remember it. */
class PauseTest extends ConversationFixture {
  private static final Actor BOB = new Actor.User("bob");
  private final Stage.Gate late = new Stage.Gate();

  private static Turns.Pause pauses(Attempt attempt) throws EndedException {
    attempt.append(List.of(called(attempt, "c1"), called(attempt, "c2")));
    attempt.used(new Usage(10, 0, 5));
    return new Turns.Pause(
        new Event.AwaitingAnswer(
            attempt.submission().submissionId(),
            "c1",
            "write",
            JsonNodeFactory.instance.objectNode(),
            attempt.usage(),
            attempt.actor()));
  }

  private static Stage.Play ends(Actor.Agent[] actor) {
    return attempt -> {
      actor[0] = attempt.actor();
      assertEquals(2, attempt.openCalls().size());
      attempt.used(new Usage(1, 0, 1));
      return new Ending(new Settlement.Completed(), attempt.usage());
    };
  }

  private void pause(Stage on) throws Exception {
    on.pausing = late::awaitDeaf;
    on.next(PauseTest::pauses);
    on.admit(CODER, "s1");
    awaitEvent(on, Event.AwaitingAnswer.class);
  }

  private static void awaitEvent(Stage on, Class<? extends Event> type) throws Exception {
    try (Subscription ear = on.conversations.subscribe(CODER, false)) {
      while (on.events(CODER).stream().noneMatch(type::isInstance)) {
        assertFalse(ear.await(Stage.DEADLINE) instanceof Subscription.Signal.Quiet, type.getName());
      }
    }
  }

  private static boolean answer(Stage on, Decision decision, Actor author) {
    return on.conversations.answer(CODER, "c1", decision, Optional.empty(), author);
  }

  @Test
  void aResumedTurnActsForWhoeverAnsweredAndCountsAllItUsed() throws Exception {
    pause(stage);
    Actor.Agent[] actor = new Actor.Agent[1];
    stage.next(ends(actor));
    assertTrue(answer(stage, Decision.ACCEPT, BOB));
    stage.settled(CODER, "s1");
    assertEquals(Optional.of(BOB), actor[0].onBehalfOf());
    Event.SubmissionSettled settled = (Event.SubmissionSettled) stage.events(CODER).getLast();
    assertEquals(11, settled.usage().inputTokens());
  }

  @Test
  void aPausedTurnHoldsUpNoDrainAndWhatWaitsBehindItStays() throws Exception {
    pause(stage);
    stage.admit(CODER, "s2");
    assertTrue(stage.conversations.drain(Duration.ofSeconds(20)), "nothing runs");
    assertFalse(stage.story(CODER).contains("TurnStarted s2"));
  }

  @Test
  void afterARestartItWaitsStillAndGoesOn() throws Exception {
    pause(stage);
    stage.conversations.stop();
    Stage after = new Stage(store, new Limits(16, 64, 4096));
    after.pausing = late::awaitDeaf;
    after.conversations.recover();
    assertEquals("AwaitingAnswer s1", after.story(CODER).getLast());
    Actor.Agent[] actor = new Actor.Agent[1];
    after.next(ends(actor));
    assertTrue(answer(after, Decision.REJECT, ALICE));
    assertInstanceOf(Settlement.Completed.class, after.settled(CODER, "s1"));
  }

  @Test
  void whatWasAnsweredAndDidNotGoOnBeforeTheRestartGoesOnAfterIt() throws Exception {
    pause(stage);
    stage.conversations.stop();
    assertTrue(answer(stage, Decision.ACCEPT, BOB));
    Stage after = new Stage(store, new Limits(16, 64, 4096));
    Actor.Agent[] actor = new Actor.Agent[1];
    after.next(ends(actor));
    after.conversations.recover();
    assertInstanceOf(Settlement.Completed.class, after.settled(CODER, "s1"));
    assertEquals(Optional.of(BOB), actor[0].onBehalfOf());
  }

  @Test
  void onlyTheFirstAnswerCounts() throws Exception {
    pause(stage);
    stage.conversations.stop();
    assertTrue(answer(stage, Decision.ACCEPT, BOB));
    assertFalse(answer(stage, Decision.REJECT, ALICE));
  }

  @Test
  void aTurnThatNobodyAnswersEndsAndTheNextOneRuns() throws Exception {
    pause(stage);
    stage.admit(CODER, "s2");
    late.open();
    Settlement.Aborted ended =
        assertInstanceOf(Settlement.Aborted.class, stage.settled(CODER, "s1"));
    assertTrue(ended.why().orElseThrow().contains("nobody answered"), ended::toString);
    assertInstanceOf(Settlement.Completed.class, stage.settled(CODER, "s2"));
    assertEquals(
        List.of("not run: nobody answered within 1440 minutes"),
        stage.events(CODER).stream()
            .filter(Event.ToolReturned.class::isInstance)
            .map(event -> ((Event.ToolReturned) event).text())
            .distinct()
            .toList());
  }

  @Test
  void itsTimeGoesOnOverARestart() throws Exception {
    pause(stage);
    stage.conversations.stop();
    Stage after = new Stage(store, new Limits(16, 64, 4096));
    after.conversations.recover();
    assertInstanceOf(Settlement.Aborted.class, after.settled(CODER, "s1"));
  }

  @Test
  void whoMayNotResumeItAnyMoreEndsItWithItsCallsClosedAndTheNextOneRuns() throws Exception {
    pause(stage);
    stage.admit(CODER, "s2");
    stage.permitted =
        actor ->
            !(actor instanceof Actor.Agent agent && agent.onBehalfOf().equals(Optional.of(BOB)));
    assertTrue(answer(stage, Decision.ACCEPT, BOB));
    assertInstanceOf(Settlement.Forbidden.class, stage.settled(CODER, "s1"));
    assertInstanceOf(Settlement.Completed.class, stage.settled(CODER, "s2"));
    assertEquals(
        2, stage.events(CODER).stream().filter(Event.ToolReturned.class::isInstance).count());
    assertTrue(stage.conversations.faults().read(0, 10).isEmpty());
  }

  @Test
  void anAbortEndsAPausedTurn() throws Exception {
    pause(stage);
    assertTrue(stage.conversations.abort(CODER));
    assertInstanceOf(Settlement.Aborted.class, stage.settled(CODER, "s1"));
    assertFalse(answer(stage, Decision.ACCEPT, BOB));
  }

  @Test
  void whileItPausesItActsForNobodyAndBelongsToItsOwner() throws Exception {
    pause(stage);
    Authorship authorship = Authorship.NEW;
    for (Event event : stage.events(CODER)) {
      authorship = authorship.apply(event);
      if (event instanceof Event.ToolCalled) {
        assertEquals(Optional.of(ALICE), authorship.actingAuthor());
      }
    }
    assertEquals(Optional.empty(), authorship.actingAuthor());
    assertEquals(Optional.of(ALICE), authorship.restingOwner());
    assertEquals(Optional.of(ALICE), authorship.actingAuthorOrOwner());
  }

  @Test
  void aTurnForNoOneIsAnotherThingThanNoTurn() {
    Event admitted = new Event.SubmissionAdmitted(Stage.submission("s1", ALICE));
    Event begun = new Event.TurnStarted("s2", 1, 1, new Actor.Agent("coder", Optional.empty()));
    Authorship owned = Authorship.NEW.apply(admitted);
    assertEquals(Optional.empty(), owned.actingAuthor());
    assertEquals(Optional.of(new Actor.System()), owned.apply(begun).actingAuthor());
    assertEquals(Optional.of(new Actor.System()), owned.apply(begun).actingAuthorOrOwner());
  }
}
