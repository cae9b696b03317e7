package harness.conversation;

import static harness.conversation.Stage.ALICE;
import static harness.conversation.Stage.CODER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import harness.author.Actor;
import harness.author.Provenance;
import harness.conversation.Turns.Ending;
import harness.fault.FaultClass;
import harness.model.Message;
import harness.model.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One author a Turn: what rides with it and what does not. */
class RidingTest extends ConversationFixture {
  private static final Actor BOB = new Actor.User("bob");
  private static final Actor CLIENT =
      new Actor.ExternalAgent("cursor", Optional.of(new Actor.User("alice")));
  private static final Actor SYSTEM = new Actor.System();
  private static final Actor JUDGE = new Actor.Evaluator("judge");
  private static final Actor SCRIPT = new Actor.ExternalAgent("cron", Optional.empty());

  /** Starts a Turn, lets others queue behind it, and then lets it take what may ride. */
  private List<String> riding(Actor author, Runnable queued) throws Exception {
    List<String> prompts = new ArrayList<>();
    stage.next(
        attempt -> {
          started.open();
          go.await();
          attempt.takeRiders();
          for (Message message : attempt.messages()) {
            prompts.add(((Message.User) message).blocks().getFirst());
          }
          return new Ending(new Settlement.Completed(), Usage.NONE);
        });
    stage.join("s0", author);
    started.await();
    queued.run();
    go.open();
    stage.settled(CODER, "s0");
    return prompts;
  }

  @Test
  void messagesOfTheSameAuthorRideInOrderAndSettleWithTheTurn() throws Exception {
    List<String> prompts =
        riding(
            ALICE,
            () -> {
              stage.join("s1", ALICE);
              stage.join("s2", ALICE);
            });
    assertEquals(List.of("prompt of s0", "prompt of s1", "prompt of s2"), prompts);
    assertEquals(
        List.of("s0 ", "s1 s0", "s2 s0"),
        stage.events(CODER).stream()
            .filter(Event.SubmissionSettled.class::isInstance)
            .map(Event.SubmissionSettled.class::cast)
            .map(e -> e.submissionId() + " " + e.joined().orElse(""))
            .toList());
  }

  @Test
  void aMessageOfAnotherAuthorStaysInTheQueueWithAllBehindIt() throws Exception {
    List<String> prompts =
        riding(
            ALICE,
            () -> {
              stage.join("s1", ALICE);
              stage.join("s2", BOB);
              stage.join("s3", ALICE);
            });
    assertEquals(List.of("prompt of s0", "prompt of s1"), prompts);
    stage.settled(CODER, "s3");
    assertEquals(
        List.of("s0", "s2", "s3"),
        stage.events(CODER).stream()
            .filter(Event.TurnStarted.class::isInstance)
            .map(Event::submissionId)
            .toList());
  }

  @Test
  void aPersonsClientDoesNotRideOnThePerson() throws Exception {
    assertEquals(List.of("prompt of s0"), riding(ALICE, () -> stage.join("s1", CLIENT)));
  }

  @Test
  void allThatActForNoOneShareATurn() throws Exception {
    assertEquals(
        List.of("prompt of s0", "prompt of s1", "prompt of s2"),
        riding(
            SYSTEM,
            () -> {
              stage.join("s1", JUDGE);
              stage.join("s2", SCRIPT);
            }));
  }

  @Test
  void whatIsToBeATurnOfItsOwnDoesNotRide() throws Exception {
    assertEquals(List.of("prompt of s0"), riding(ALICE, () -> stage.admit(CODER, "s1")));
  }

  @Test
  void whoMayNotStartATurnAnyMoreDoesNotRideAndIsPassedOver() throws Exception {
    List<String> prompts =
        riding(
            ALICE,
            () -> {
              stage.join("s1", ALICE);
              stage.permitted = _ -> false;
            });
    assertEquals(List.of("prompt of s0"), prompts);
    assertInstanceOf(Settlement.Forbidden.class, stage.settled(CODER, "s1"));
    assertEquals("SubmissionSettled s1", stage.story(CODER).getLast());
    assertEquals(
        2,
        stage.story(CODER).stream().filter(one -> one.endsWith(" s1")).count(),
        "admitted, settled");
  }

  @ParameterizedTest
  @EnumSource(FaultClass.class)
  void aFaultOfTheTurnIsThatOfWhatRodeWithItAndABurnTakesTheRest(FaultClass fault)
      throws Exception {
    stage.next(
        attempt -> {
          started.open();
          go.await();
          attempt.takeRiders();
          return fault(fault);
        });
    stage.join("s0", ALICE);
    started.await();
    stage.join("s1", ALICE);
    stage.join("s2", BOB);
    go.open();
    Settlement.Failed own = assertInstanceOf(Settlement.Failed.class, stage.settled(CODER, "s0"));
    assertEquals(own, stage.settled(CODER, "s1"));
    Settlement behind = stage.settled(CODER, "s2");
    if (fault.burns()) {
      assertEquals(Optional.of("s0"), assertInstanceOf(Settlement.Failed.class, behind).causedBy());
    } else {
      assertInstanceOf(Settlement.Completed.class, behind);
    }
    assertEquals(1, stage.conversations.faults().read(0, 10).size());
  }

  @Test
  void anAbortSettlesWhatRodeInOrder() throws Exception {
    Stage.Gate rides = new Stage.Gate();
    stage.next(
        attempt -> {
          started.open();
          go.await();
          attempt.takeRiders();
          rides.open();
          new Stage.Gate().await();
          return new Ending(new Settlement.Completed(), Usage.NONE);
        });
    stage.join("s0", ALICE);
    started.await();
    stage.join("s1", ALICE);
    stage.admit(CODER, "s2");
    go.open();
    rides.await();
    stage.conversations.abort(CODER);
    assertEquals(
        List.of("SubmissionSettled s0", "SubmissionSettled s1", "SubmissionSettled s2"),
        stage.story(CODER).stream().filter(one -> one.startsWith("SubmissionSettled")).toList());
  }

  @Test
  void eachMessageSaysWhoseWordItIsAsItsReadersWeighIt() throws Exception {
    stage.join("s0", ALICE);
    stage.settled(CODER, "s0");
    stage.join("s1", BOB);
    stage.settled(CODER, "s1");
    stage.join("s2", SYSTEM);
    stage.settled(CODER, "s2");
    stage.join("s3", CLIENT);
    stage.settled(CODER, "s3");
    assertEquals(
        List.of(Provenance.OWNER, Provenance.OTHER, Provenance.NONE, Provenance.OTHER),
        stage.events(CODER).stream()
            .filter(Event.PromptAppended.class::isInstance)
            .map(event -> ((Event.PromptAppended) event).provenance())
            .toList());
  }
}
