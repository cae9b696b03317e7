package harness.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.agent.Access;
import harness.agent.Definition;
import harness.author.Actor;
import harness.author.Decision;
import harness.briefing.Notice;
import harness.conversation.Event;
import harness.conversation.Settlement;
import harness.conversation.Subscription;
import harness.fault.FaultClass;
import harness.model.Image;
import harness.model.Message;
import harness.model.ModelException;
import harness.model.Part;
import harness.model.Reply;
import harness.model.Request;
import harness.model.Usage;
import harness.tool.Mode;
import harness.tool.Seen;
import harness.tool.ToolCall;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TurnLoopTest extends TurnLoopFixture {
  @Test
  void aReplyWithoutCallsEndsTheTurn() throws Exception {
    model.next(says("All is well."));
    assertInstanceOf(Settlement.Completed.class, turn(Access.WRITE, "How is it?"));
    assertEquals(
        List.of(new Part.Text("All is well.")),
        events(Event.ReplyAppended.class).getFirst().parts());
  }

  @Test
  void everyCallOfAReplyIsRunInOrderAndItsResultGoesBack() throws Exception {
    model.next(calls(call("x", "a"), call("x", "b")), says("Done."));
    assertInstanceOf(Settlement.Completed.class, turn(Access.WRITE, "Read both."));
    assertEquals(
        List.of("a", "b"),
        host.calls().stream().map(one -> one.input().get("path").textValue()).toList());
    List<Message> second = model.requests.get(1).messages();
    Message.Assistant assistant = assertInstanceOf(Message.Assistant.class, second.get(1));
    Message.Results results = assertInstanceOf(Message.Results.class, second.get(2));
    List<String> asked =
        assistant.parts().stream()
            .filter(Part.Call.class::isInstance)
            .map(part -> ((Part.Call) part).callId())
            .toList();
    assertEquals(asked, results.results().stream().map(Message.Result::callId).toList());
    assertEquals(2, asked.stream().distinct().count(), "one id given twice is told apart");
    assertEquals("result of a", results.results().getFirst().text());
  }

  @Test
  void anErrorOfAToolGoesBackToTheModelAndTheTurnGoesOn() throws Exception {
    model.next(calls(call("x", "broken")), says("I see."));
    assertInstanceOf(Settlement.Completed.class, turn(Access.WRITE, "Try."));
    Message.Results results =
        assertInstanceOf(Message.Results.class, model.requests.get(1).messages().get(2));
    assertTrue(results.results().getFirst().error());
    assertEquals(Event.Outcome.ERROR, events(Event.ToolReturned.class).getFirst().outcome());
  }

  @Test
  void aCallIsMadeByTheAgentForTheAuthorInTheFramesDirectory() throws Exception {
    model.next(calls(call("x", "a")), says("Done."));
    turn(Access.READ, "Read.");
    ToolCall made = host.calls().getFirst();
    assertEquals("/work/target", made.cwd());
    assertEquals(Access.READ, made.access());
    assertEquals(new Actor.Agent("run-1/task/coder", Optional.of(ALICE)), made.actor());
  }

  @Test
  void aTurnWithoutEndIsARunaway() throws Exception {
    for (int i = 0; i < 20; i++) {
      model.next(calls(call("x", "file-" + i)));
    }
    Settlement.Failed failed = (Settlement.Failed) turn(Access.WRITE, "Go on.");
    assertEquals(FaultClass.RUNAWAY, failed.fault().faultClass());
    assertEquals(8, model.requests.size());
  }

  @Test
  void identicalCallsInARowAreARunawayAndTheLastOneIsNotRun() throws Exception {
    for (int i = 0; i < 5; i++) {
      model.next(calls(call("x", "same")));
    }
    Settlement.Failed failed = (Settlement.Failed) turn(Access.WRITE, "Again.");
    assertEquals(FaultClass.RUNAWAY, failed.fault().faultClass());
    assertEquals(2, host.calls().size());
    assertEquals(
        events(Event.ToolCalled.class).size(),
        events(Event.ToolReturned.class).size(),
        "every call has a result");
  }

  @ParameterizedTest
  @EnumSource
  void identicalCallsAreARunawayAlsoWhereEachWasAnswered(Decision each) throws Exception {
    approve = List.of("read");
    decision = each;
    for (int i = 0; i < 5; i++) {
      model.next(calls(call("x", "same")));
    }
    Settlement.Failed failed = (Settlement.Failed) turn(Access.WRITE, "Again.");
    assertEquals(FaultClass.RUNAWAY, failed.fault().faultClass());
    assertEquals(2, events(Event.AwaitingAnswer.class).size());
    assertEquals(each == Decision.ACCEPT ? 2 : 0, host.calls().size());
  }

  @Test
  void identicalCallsAreCountedForEachTurnByItself() throws Exception {
    for (int i = 0; i < 3; i++) {
      model.next(calls(call("x", "same"), call("x", "same")), says("Done."));
      assertInstanceOf(Settlement.Completed.class, turn(Access.WRITE, "Again."));
    }
  }

  @Test
  void whatIsProposedWaitsForNoApproval() throws Exception {
    approve = List.of("write");
    writes = Definition.Writes.SUGGEST;
    ObjectNode input = JsonNodeFactory.instance.objectNode().put("path", "a");
    model.next(calls(new Part.Call("x", "write", input)), says("Suggested."));
    assertInstanceOf(Settlement.Completed.class, turn(Access.WRITE, "Suggest it."));
    assertEquals(List.of(), events(Event.AwaitingAnswer.class));
    assertEquals(Mode.SUGGEST, host.calls().getFirst().mode());
  }

  @Test
  void identicalCallsWithOtherResultsAreNoRunaway() throws Exception {
    for (int i = 0; i < 5; i++) {
      model.next(calls(call("x", "growing")));
    }
    model.next(says("Done."));
    assertInstanceOf(Settlement.Completed.class, turn(Access.WRITE, "Poll it."));
  }

  @Test
  void aReplyCutByItsLengthRunsNoCallAndIsAFaultThatSaysWhatToRaise() throws Exception {
    model.next(new Reply.Cut(List.of(new Part.Text("half"), call("x", "a")), Usage.NONE));
    Settlement.Failed failed = (Settlement.Failed) turn(Access.WRITE, "Write much.");
    assertEquals(FaultClass.INFRA, failed.fault().faultClass());
    assertTrue(failed.fault().reason().contains("max-tokens"), failed.fault().reason());
    assertEquals(List.of(), host.calls());
    assertTrue(events(Event.ReplyAppended.class).getFirst().cut());
  }

  @Test
  void aReplyWithoutAWordEndsTheTurnAllTheSame() throws Exception {
    model.next(new Reply.Text(List.of(), Usage.NONE));
    assertInstanceOf(Settlement.Completed.class, turn(Access.WRITE, "Say nothing."));
    assertEquals(List.of(), events(Event.ReplyAppended.class));
  }

  @Test
  void aReplyCutInItsFirstCallIsTheFaultOfItsLength() throws Exception {
    model.next(new Reply.Cut(List.of(), Usage.NONE));
    Settlement.Failed failed = (Settlement.Failed) turn(Access.WRITE, "Call.");
    assertTrue(failed.fault().reason().contains("max-tokens"), failed.fault().reason());
  }

  @Test
  void aModelThatFailsForGoodIsAFaultWithItsWords() throws Exception {
    model.fail(new ModelException(ModelException.Kind.AUTH, "lab refused its key"));
    Settlement.Failed failed = (Settlement.Failed) turn(Access.WRITE, "Hello?");
    assertEquals(FaultClass.INFRA, failed.fault().faultClass());
    assertEquals("lab refused its key", failed.fault().reason());
  }

  @Test
  void whatTheModelWasAskedBeforeNeverChanges() throws Exception {
    model.next(calls(call("x", "a")), says("One."), calls(call("x", "b")), says("Two."));
    turn(Access.WRITE, "First.");
    turn(Access.WRITE, "Second.", Notice.conversationNew("of a test"));
    List<Request> requests = model.requests;
    assertEquals(4, requests.size());
    for (int i = 1; i < requests.size(); i++) {
      Request before = requests.get(i - 1);
      Request after = requests.get(i);
      assertEquals(before.system(), after.system());
      assertEquals(before.tools(), after.tools());
      assertEquals(before.messages(), after.messages().subList(0, before.messages().size()));
    }
  }

  @Test
  void theBriefingFollowsThePromptInABlockOfItsOwn() throws Exception {
    model.next(says("Yes."));
    turn(Access.WRITE, "The caller's words.", Notice.conversationNew("of a test"));
    Message.User user =
        assertInstanceOf(Message.User.class, model.requests.getFirst().messages().getFirst());
    assertEquals("The caller's words.", user.blocks().getFirst());
    assertEquals(2, user.blocks().size());
    assertTrue(user.blocks().get(1).startsWith("Working directory: /work/target\n"));
    assertTrue(user.blocks().get(1).contains("This conversation is new: of a test."));
  }

  @Test
  void withoutAWorkspaceNoToolIsOffered() throws Exception {
    model.next(says("Yes."));
    turn(Access.NONE, "Think.");
    Request request = model.requests.getFirst();
    assertEquals(List.of(), request.tools());
    assertTrue(request.system().contains("no tools"), request.system());
    assertEquals(
        1, assertInstanceOf(Message.User.class, request.messages().getFirst()).blocks().size());
  }

  @Test
  void aSettlementSumsUpWhatTheTurnUsed() throws Exception {
    model.next(calls(call("x", "a")), says("Done."));
    turn(Access.WRITE, "Count.");
    assertEquals(new Usage(110, 11, 22), events(Event.SubmissionSettled.class).getFirst().usage());
  }

  @Test
  void aCallIsToldWhichVersionsOfItsFilesTheConversationKnows() throws Exception {
    model.next(calls(call("1", "seen")), calls(call("1", "../target/./seen")), says("Seen."));
    turn(Access.WRITE, "Read it twice.");
    assertEquals(
        List.of(Seen.NOTHING, new Seen(Map.of("/work/target/seen", "v1"))),
        host.calls().stream().map(ToolCall::seen).toList());
    model.next(calls(call("1", "seen"), call("2", "another")), says("Still."));
    turn(Access.WRITE, "And later?");
    assertEquals(
        List.of(new Seen(Map.of("/work/target/seen", "v1")), Seen.NOTHING),
        host.calls().stream().skip(2).map(ToolCall::seen).toList());
  }

  private List<Message.Result> results(int message) {
    return assertInstanceOf(Message.Results.class, model.requests.getLast().messages().get(message))
        .results();
  }

  @Test
  void aPictureIsShownToAModelThatTakesImages() throws Exception {
    model.next(calls(call("1", "picture"), call("2", "a"), call("3", "picture")), says("Seen."));
    turn(Access.WRITE, "Look.");
    Image image = new Image("image/png", "iVBO");
    assertEquals(
        List.of(List.of(image), List.of(), List.of(image)),
        results(2).stream().map(Message.Result::images).toList());
  }

  @Test
  void aPictureIsNotRecordedForAModelThatTakesNoneAndThatIsSaid() throws Exception {
    model.takesImages = false;
    model.next(calls(call("1", "picture")), says("Not seen."));
    turn(Access.WRITE, "Look.");
    Event.ToolReturned returned = events(Event.ToolReturned.class).getFirst();
    assertEquals(List.of(), returned.images());
    assertEquals(
        "result of picture\n[the picture is not shown: the model takes no images]",
        returned.text());
  }

  @Test
  void aPictureThatTheConversationHasNoRoomForIsLeftOutForGood() throws Exception {
    for (int i = 0; i < 3; i++) {
      model.next(calls(call("1", "poster"), call("2", "a"), call("3", "poster"), call("4", "b")));
    }
    model.next(says("Enough."));
    turn(Access.WRITE, "Look at them all.");
    List<Event.ToolReturned> posters =
        events(Event.ToolReturned.class).stream()
            .filter(returned -> returned.text().startsWith("result of poster"))
            .toList();
    assertEquals(
        List.of(1, 1, 1, 1, 0, 0), posters.stream().map(one -> one.images().size()).toList());
    assertEquals(
        "result of poster\n[the picture is not shown: the conversation holds 16777216 bytes of"
            + " pictures, and with this one they would be more than the 16777216 that it takes]",
        posters.getLast().text());
  }

  @Test
  void aReaderHearsWhatACallPutsOutWhileItRuns() throws Exception {
    model.next(calls(call("1", "loud")), says("Done."));
    try (Subscription ear = conversations.subscribe(CODER, true)) {
      turn(Access.WRITE, "Make it so.");
      while (true) {
        if (ear.await(DEADLINE) instanceof Subscription.Signal.Output heard) {
          assertEquals(new Subscription.Signal.Output("s0", "c-3-0", "half of it"), heard);
          return;
        }
      }
    }
  }
}
