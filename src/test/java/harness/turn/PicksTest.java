package harness.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.agent.Access;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.briefing.Notice;
import harness.conversation.Event;
import harness.conversation.Settlement;
import harness.fault.FaultClass;
import harness.menu.Menu;
import harness.menu.MenuTool;
import harness.menu.Pick;
import harness.model.Message;
import harness.model.Part;
import harness.model.Reply;
import harness.model.Request;
import harness.model.ToolOffer;
import harness.model.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How a Turn ends that may, or must, end with a pick. */
class PicksTest extends TurnLoopFixture {
  private static final Instance FRESH =
      new Instance("coder", InstanceId.parse("run-1/task/coder/f-abc"));

  private static final Menu MENU =
      Menu.of(
          List.of(
              MenuTool.of("finish", "The work is done.", schema("summary")),
              MenuTool.of("dispute", "The work is wrong.", schema("reason"))));

  private static ObjectNode schema(String required) {
    ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    schema.putObject("properties").putObject(required).put("type", "string");
    schema.putArray("required").add(required);
    return schema;
  }

  private static Part.Call pick(String name, String field, String text) {
    return new Part.Call("p", name, JsonNodeFactory.instance.objectNode().put(field, text));
  }

  private static Reply silent(Part.Call... calls) {
    return new Reply.Calls(List.of(calls), Usage.NONE);
  }

  private Settlement turn(Menu menu, String prompt) throws Exception {
    return turn(CODER, Access.WRITE, menu, true, prompt);
  }

  private static FaultClass fault(Settlement settlement) {
    return assertInstanceOf(Settlement.Failed.class, settlement).fault().faultClass();
  }

  private static Optional<Pick> pick(Settlement settlement) {
    return assertInstanceOf(Settlement.Completed.class, settlement).pick();
  }

  private List<Message.Result> results(int request) {
    return assertInstanceOf(Message.Results.class, model.requests.get(request).messages().getLast())
        .results();
  }

  private static List<String> last(Request request) {
    return assertInstanceOf(Message.User.class, request.messages().getLast()).blocks();
  }

  @Test
  void aPickEndsTheTurnAndNothingBehindItIsRun() throws Exception {
    model.next(calls(call("1", "a"), pick("finish", "summary", "ok"), call("2", "late")));
    Pick made = new Pick("finish", JsonNodeFactory.instance.objectNode().put("summary", "ok"));
    assertEquals(Optional.of(made), pick(turn(MENU, "Do it.")));
    assertEquals(1, model.requests.size());
    assertEquals(
        List.of("a"), host.calls().stream().map(one -> one.input().path("path").asText()).toList());
    assertEquals(made, events(Event.Picked.class).getFirst().pick());
    model.next(says("Nothing."));
    turn(MENU.allowing(List.of()), "And now?");
    Message.Results all =
        assertInstanceOf(Message.Results.class, model.requests.getLast().messages().get(2));
    assertEquals(
        List.of("result of a", "picked; the turn is over", "not run: the Turn was ended"),
        all.results().stream().map(Message.Result::text).toList());
  }

  @Test
  void aPickIsRecordedInOneAppendWithItsSettlement() throws Exception {
    model.next(silent(pick("finish", "summary", "ok"), call("2", "late")));
    turn(MENU, "Do it.");
    assertEquals(
        List.of(4L, 4L, 4L, 4L),
        conversations.read(CODER, 4, 10).stream().skip(1).map(one -> one.batch() - 1).toList());
  }

  @Test
  void aPickThatIsNotAllowedGoesBackWithWhatIs() throws Exception {
    model.next(
        silent(pick("dispute", "reason", "no")), silent(pick("finish", "summary", "then this")));
    assertEquals("finish", pick(turn(MENU.allowing(List.of("finish")), "Do it.")).get().name());
    Message.Result refused = results(1).getFirst();
    assertTrue(refused.error());
    assertEquals("'dispute' is not allowed now. Allowed picks: finish.", refused.text());
  }

  @Test
  void aPickWhoseInputIsWrongGoesBackWithTheFieldThatIs() throws Exception {
    model.next(
        silent(pick("finish", "sumary", "ok")),
        silent(
            new Part.Call("p", "finish", JsonNodeFactory.instance.objectNode().put("summary", 7))),
        silent(pick("finish", "summary", "ok")));
    assertEquals("finish", pick(turn(MENU, "Do it.")).get().name());
    assertTrue(results(1).getFirst().text().contains("'summary'"), results(1)::toString);
    assertTrue(results(2).getFirst().text().contains("/summary"), results(2)::toString);
    assertTrue(results(2).getFirst().text().contains("Allowed picks: dispute, finish"));
  }

  @Test
  void aWrongPickAgainAndAgainIsARunaway() throws Exception {
    for (int i = 0; i < 3; i++) {
      model.next(silent(pick("finish", "sumary", "ok")));
    }
    assertEquals(FaultClass.RUNAWAY, fault(turn(MENU, "Do it.")));
  }

  @Test
  void aTurnThatOwesAPickIsNudgedInTheSameConversationAndEachNudgeSaysWhatIsAllowed()
      throws Exception {
    model.next(says("Done, I think."), says("Really."), silent(pick("finish", "summary", "ok")));
    assertEquals("finish", pick(turn(MENU, "Do it.")).get().name());
    assertEquals(
        List.of(1, 2), events(Event.Nudged.class).stream().map(Event.Nudged::attempt).toList());
    for (Request nudged : model.requests.subList(1, 3)) {
      assertTrue(last(nudged).getFirst().endsWith("Allowed picks: dispute, finish"));
    }
    assertEquals(5, model.requests.get(2).messages().size());
  }

  @Test
  void aContinuedTurnThatIsNudgedInVainIsNoSignalAtOnce() throws Exception {
    model.next(says("One."), says("Two."), says("Three."));
    assertEquals(FaultClass.NO_SIGNAL, fault(turn(MENU, "Do it.")));
    assertEquals(3, model.requests.size());
    assertEquals(List.of(), events(Event.Rerolled.class));
  }

  @Test
  void aTurnWithoutAllowedPicksEndsWithItsText() throws Exception {
    model.next(says("One."), says("Two."));
    assertEquals(Optional.empty(), pick(turn(Menu.NONE, "Say it.")));
    assertEquals(Optional.empty(), pick(turn(MENU.allowing(List.of()), "Say it.")));
    assertEquals(2, model.requests.size());
    assertTrue(last(model.requests.get(1)).get(1).endsWith("Allowed picks: none"));
  }

  @Test
  void aTurnWhoseCallerChoseTheConversationIsNeitherNudgedNorRerolled() throws Exception {
    model.next(says("One."));
    assertEquals(Optional.empty(), pick(turn(FRESH, Access.WRITE, MENU, false, "Do it.")));
    for (int i = 0; i < 3; i++) {
      model.next(calls(call("x", "same")));
    }
    assertEquals(FaultClass.RUNAWAY, fault(turn(FRESH, Access.WRITE, MENU, false, "Do it again.")));
    assertEquals(4, model.requests.size());
  }

  @Test
  void aFreshTurnThatRunsInCirclesBeginsAnewOnAnEmptyContext() throws Exception {
    for (int i = 0; i < 3; i++) {
      model.next(calls(call("x", "seen")));
    }
    model.next(calls(call("x", "seen")), silent(pick("finish", "summary", "at last")));
    assertEquals(
        "finish", pick(turn(FRESH, Access.WRITE, MENU, true, "Look around.")).get().name());
    assertEquals(
        model.requests.getFirst(), model.requests.get(3), "the identical prompt, and nothing else");
    assertEquals(3, model.requests.get(4).messages().size());
    List<Event> all = events(FRESH);
    Event.Rerolled rerolled =
        all.stream()
            .filter(Event.Rerolled.class::isInstance)
            .map(Event.Rerolled.class::cast)
            .findFirst()
            .orElseThrow();
    assertEquals(1, rerolled.attempt());
    assertTrue(rerolled.reason().contains("identical calls of read"), rerolled.reason());
    assertTrue(host.calls().get(2).seen().versions().isEmpty(), "it has not seen the file yet");
    assertEquals(4, all.stream().filter(Event.ReplyAppended.class::isInstance).count());
  }

  @Test
  void aFreshTurnIsRerolledOnceAndUsesWhatBothTriesUsed() throws Exception {
    for (int i = 0; i < 6; i++) {
      model.next(says("Text " + i));
    }
    assertEquals(FaultClass.NO_SIGNAL, fault(turn(FRESH, Access.WRITE, MENU, true, "Do it.")));
    assertEquals(6, model.requests.size());
    Event.SubmissionSettled settled =
        assertInstanceOf(Event.SubmissionSettled.class, events(FRESH).getLast());
    assertEquals(new Usage(60, 6, 12), settled.usage());
  }

  @Test
  void aLaterTurnGoesOnFromTheTryThatWasMadeLast() throws Exception {
    model.next(says("1"), says("2"), says("3"), says("4"), silent(pick("finish", "summary", "ok")));
    turn(FRESH, Access.WRITE, MENU, true, "Do it.");
    model.next(says("I know."));
    turn(FRESH, Access.WRITE, Menu.NONE, false, "What was it?");
    List<Message> messages = model.requests.getLast().messages();
    assertEquals(6, messages.size(), messages::toString);
    assertEquals(new Message.Assistant(List.of(new Part.Text("4"))), messages.get(1));
  }

  @Test
  void menuToolsAreOfferedBehindTheWorkingToolsTheSameWhateverIsAllowed() throws Exception {
    List<MenuTool> other = new ArrayList<>(MENU.tools()).reversed();
    model.next(says("One."), silent(pick("finish", "summary", "ok")));
    turn(MENU.allowing(List.of()), "First.");
    turn(
        CODER,
        Access.WRITE,
        Menu.of(other).allowing(List.of("finish")),
        true,
        "Second.",
        Notice.conversationNew("of a test"));
    Request one = model.requests.get(0);
    Request two = model.requests.get(1);
    assertEquals(one.system(), two.system());
    assertEquals(one.tools().toString(), two.tools().toString());
    List<String> names = one.tools().stream().map(ToolOffer::name).toList();
    assertEquals(List.of("dispute", "finish"), names.subList(names.size() - 2, names.size()));
    assertEquals("read", names.getFirst());
    assertEquals(one.messages(), two.messages().subList(0, one.messages().size()));
    assertTrue(last(two).getLast().endsWith("\nAllowed picks: finish"), last(two)::toString);
    assertEquals("Second.", last(two).getFirst());
  }
}
