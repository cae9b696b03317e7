package harness.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.agent.Access;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.briefing.Briefing;
import harness.conversation.Event;
import harness.conversation.Settlement;
import harness.conversation.Subscription;
import harness.fault.FaultClass;
import harness.menu.Menu;
import harness.model.Message;
import harness.model.ModelException;
import harness.model.Part;
import harness.model.Reply;
import harness.model.Request;
import harness.model.TokenLimits;
import harness.model.Usage;
import harness.tool.Seen;
import harness.tool.ToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a context that is too long for its model. */
class CompactionTest extends TurnLoopFixture {
  /** Room for the tools and five results of {@link #BIG_TOKENS}, not for six. */
  private static final int WINDOW = 54_000;

  private static final Message ASK = new Message.User(List.of(Briefing.ASK_FOR_SUMMARY));

  @BeforeEach
  void knowTheWindow() {
    model.limits = window(WINDOW);
  }

  private static TokenLimits window(int tokens) {
    return new TokenLimits(OptionalInt.of(tokens), OptionalInt.empty());
  }

  /** A reply whose tokens nobody counted. */
  private static Reply reads(String... paths) {
    return new Reply.Calls(
        Stream.of(paths).<Part>map(path -> call("x", path)).toList(), Usage.NONE);
  }

  private static Reply sums(String text) {
    return new Reply.Text(List.of(new Part.Text(text)), new Usage(1_000, 900, 50));
  }

  private static Reply counted(long tokens, String path) {
    return new Reply.Calls(
        List.of(new Part.Text("I look."), call("x", path)), new Usage(tokens, 0, 1));
  }

  private void readsMuch(int bigs) {
    for (int i = 1; i <= bigs; i++) {
      model.next(reads("big" + i));
    }
  }

  private static String block(Message message) {
    return assertInstanceOf(Message.User.class, message).blocks().getFirst();
  }

  private List<Request> summaryRequests() {
    return model.requests.stream().filter(request -> request.messages().contains(ASK)).toList();
  }

  private Request request(int index) {
    return model.requests.get(index);
  }

  private Event.Compacted compacted() {
    List<Event.Compacted> all = events(Event.Compacted.class);
    assertEquals(1, all.size(), all::toString);
    return all.getFirst();
  }

  private static Settlement.Failed infra(Settlement settlement) {
    Settlement.Failed failed = assertInstanceOf(Settlement.Failed.class, settlement);
    assertEquals(FaultClass.INFRA, failed.fault().faultClass());
    return failed;
  }

  private static void requirePaired(List<Message> messages) {
    Set<String> open = new TreeSet<>();
    for (Message message : messages) {
      switch (message) {
        case Message.User _ -> assertEquals(Set.of(), open);
        case Message.Assistant said -> {
          assertEquals(Set.of(), open);
          said.parts().stream()
              .filter(Part.Call.class::isInstance)
              .forEach(part -> open.add(((Part.Call) part).callId()));
        }
        case Message.Results results -> {
          results.results().forEach(result -> assertTrue(open.remove(result.callId())));
          assertEquals(Set.of(), open);
        }
      }
    }
    assertEquals(Set.of(), open);
  }

  @Test
  void aLongTurnGoesOnFromASummaryItsPromptAndWhatIsRecent() throws Exception {
    readsMuch(6);
    model.next(sums("I read big1 to big3."), says("Done."));
    assertInstanceOf(Settlement.Completed.class, turn(Access.WRITE, "Read them all."));
    Request last = request(7);
    assertEquals(8, model.requests.size());
    assertTrue(block(last.messages().get(0)).endsWith("I read big1 to big3."));
    assertTrue(block(last.messages().get(0)).startsWith("[The harness replaced"));
    assertEquals(request(0).messages().getFirst(), last.messages().get(1), "the prompt");
    List<Message> before = request(5).messages();
    List<Message> recent = last.messages().subList(2, last.messages().size());
    assertEquals(
        before.subList(before.size() - recent.size() + 2, before.size()),
        recent.subList(0, recent.size() - 2));
    long kept = new Tokens(true).of(recent);
    assertTrue(kept > 10_000 && kept <= 20_000, "kept are " + kept);
    model.requests.forEach(request -> requirePaired(request.messages()));
    Event.Compacted event = compacted();
    assertEquals(recent.size(), event.kept());
    assertTrue(event.tokensBefore() > WINDOW - Window.RESERVE, event::toString);
    assertTrue(event.tokensAfter() < event.tokensBefore() - 2 * BIG_TOKENS, event::toString);
  }

  @Test
  void theSummaryIsAskedForBehindTheSameBytesAsBefore() throws Exception {
    readsMuch(6);
    model.next(sums("Some."), says("Done."));
    turn(Access.WRITE, "Read them all.");
    Request before = request(5);
    Request asked = summaryRequests().getFirst();
    assertEquals(before.system(), asked.system());
    assertEquals(before.tools(), asked.tools());
    assertEquals(before.thinkingLevel(), asked.thinkingLevel());
    int older = asked.messages().size() - 1;
    assertEquals(before.messages().subList(0, older), asked.messages().subList(0, older));
    assertEquals(ASK, asked.messages().get(older));
  }

  @Test
  void afterACompactionEarlierMessagesStayTheSameAgainAlsoInTheNextTurn() throws Exception {
    readsMuch(6);
    model.next(sums("Some."), reads("a"), says("One."), says("Two."));
    turn(Access.WRITE, "Read them all.");
    turn(Access.WRITE, "And now?");
    for (int i = 8; i < 10; i++) {
      List<Message> before = request(i - 1).messages();
      assertEquals(before, request(i).messages().subList(0, before.size()));
    }
    assertEquals(10, model.requests.size());
  }

  @Test
  void whatWasSaidIsRecordedAllTheSame() throws Exception {
    readsMuch(6);
    model.next(sums("Some."), says("Done."));
    turn(Access.WRITE, "Read them all.");
    assertEquals(6, events(Event.ToolReturned.class).size());
    assertEquals(
        List.of(new Part.Text("Done.")),
        events(Event.ReplyAppended.class).stream().flatMap(e -> e.parts().stream()).toList());
  }

  @Test
  void whatTheProviderCountedDecidesWhereItDid() throws Exception {
    model.next(reads("a", "b", "c"), counted(WINDOW - Window.RESERVE, "d"));
    model.next(sums("Some."), says("Done."));
    assertInstanceOf(Settlement.Completed.class, turn(Access.WRITE, "Read."));
    assertTrue(compacted().tokensBefore() > WINDOW - Window.RESERVE);
    assertTrue(compacted().tokensBefore() < WINDOW - Window.RESERVE + 100);
  }

  @Test
  void whatTheProviderCountedOfAReplyWithoutWordsDecidesToo() throws Exception {
    model.next(reads("a", "b", "c"));
    model.next(new Reply.Calls(List.of(call("x", "d")), new Usage(WINDOW - Window.RESERVE, 0, 1)));
    model.next(sums("Some."), says("Done."));
    assertInstanceOf(Settlement.Completed.class, turn(Access.WRITE, "Read."));
    compacted();
  }

  @Test
  void aLongCallStaysWithItsShortResult() throws Exception {
    for (int i = 1; i <= 6; i++) {
      Part.Call call = call("x", "a" + i);
      ((ObjectNode) call.input()).put("note", "word ".repeat(BIG_TOKENS * 4 / 5));
      model.next(new Reply.Calls(List.of(call), Usage.NONE));
    }
    model.next(sums("Some."), says("Done."));
    assertInstanceOf(Settlement.Completed.class, turn(Access.WRITE, "Read."));
    compacted();
    model.requests.forEach(request -> requirePaired(request.messages()));
  }

  @Test
  void whatTheProviderCountedInAnEarlierTurnIsKnownInTheNext() throws Exception {
    model.next(reads("a", "b", "c"), counted(WINDOW - Window.RESERVE - 40, "d"));
    model.next(new Reply.Text(List.of(), Usage.NONE));
    turn(Access.WRITE, "Read.");
    assertEquals(List.of(), events(Event.Compacted.class));
    model.next(sums("Some."), says("Done."));
    assertInstanceOf(Settlement.Completed.class, turn(Access.WRITE, "Read on. ".repeat(20)));
    compacted();
  }

  @Test
  void aContextThatFitsIsLeftAlone() throws Exception {
    readsMuch(5);
    model.next(says("Done."));
    turn(Access.WRITE, "Read.");
    assertEquals(List.of(), events(Event.Compacted.class));
    assertEquals(6, model.requests.size());
  }

  @Test
  void whereNoWindowIsKnownNothingIsCompacted() throws Exception {
    model.limits = TokenLimits.UNKNOWN;
    readsMuch(6);
    model.nextFails(ModelException.Kind.CONTEXT_LENGTH);
    Settlement.Failed failed = infra(turn(Access.WRITE, "Read."));
    assertEquals("lab is unwell: CONTEXT_LENGTH", failed.fault().reason());
    assertEquals(7, model.requests.size());
    assertEquals(List.of(), events(Event.Compacted.class));
  }

  @Test
  void aProviderThatFindsTheContextTooLongIsAskedOnceMoreAfterACompaction() throws Exception {
    readsMuch(4);
    model.nextFails(ModelException.Kind.CONTEXT_LENGTH);
    model.next(sums("Some."), says("Done."));
    assertInstanceOf(Settlement.Completed.class, turn(Access.WRITE, "Read."));
    compacted();
    assertEquals(7, model.requests.size());
  }

  @Test
  void aProviderThatFindsItTooLongAfterThatTooIsOneFault() throws Exception {
    readsMuch(4);
    model.nextFails(ModelException.Kind.CONTEXT_LENGTH);
    model.next(sums("Some."));
    model.nextFails(ModelException.Kind.CONTEXT_LENGTH);
    Settlement.Failed failed = infra(turn(Access.WRITE, "Read."));
    assertEquals("lab is unwell: CONTEXT_LENGTH", failed.fault().reason());
    assertEquals(7, model.requests.size());
  }

  @Test
  void aProviderThatFindsItTooLongInTheMiddleOfAReplyIsNotAskedAgain() throws Exception {
    readsMuch(4);
    model.speaksThenFails("I th", ModelException.Kind.CONTEXT_LENGTH);
    infra(turn(Access.WRITE, "Read."));
    assertEquals(5, model.requests.size());
    assertTrue(events(Event.ReplyAppended.class).getFirst().cut());
  }

  @Test
  void anotherFailureOfTheProviderIsNoReasonForACompaction() throws Exception {
    readsMuch(4);
    model.nextFails(ModelException.Kind.SERVER);
    infra(turn(Access.WRITE, "Read."));
    assertEquals(5, model.requests.size());
  }

  @Test
  void aPromptThatIsTooLongByItselfIsOneFaultAndNobodyIsAsked() throws Exception {
    Settlement.Failed failed = infra(turn(Access.WRITE, "word ".repeat(50_000)));
    assertEquals(List.of(), model.requests);
    assertTrue(failed.fault().reason().contains("larger window"), failed.fault().reason());
    assertTrue(failed.fault().reason().contains("lab/one"), failed.fault().reason());
  }

  @Test
  void aSummaryThatIsNoShorterIsOneFault() throws Exception {
    readsMuch(6);
    model.next(sums("word ".repeat(40_000)));
    Settlement.Failed failed = infra(turn(Access.WRITE, "Read."));
    assertTrue(failed.fault().reason().contains("no shorter"), failed.fault().reason());
    assertEquals(7, model.requests.size());
    assertEquals(List.of(), events(Event.Compacted.class));
  }

  @Test
  void aSummaryThatLeavesTooMuchIsNotSummarisedItself() throws Exception {
    readsMuch(4);
    model.next(sums("word ".repeat(14_200)));
    Settlement.Failed failed = infra(turn(Access.WRITE, "word ".repeat(9_000)));
    assertTrue(failed.fault().reason().contains("nothing older"), failed.fault().reason());
    assertEquals(1, summaryRequests().size());
  }

  @Test
  void aSummaryThatIsCutOrEmptyIsOneFaultAndWhatItUsedIsCounted() throws Exception {
    for (Reply none :
        List.of(
            new Reply.Cut(List.of(new Part.Text("Half a")), new Usage(7, 0, 3)),
            new Reply.Text(
                List.of(new Part.Thinking("Hm."), new Part.Text(" \n")), new Usage(7, 0, 3)))) {
      CompactionTest again = new CompactionTest();
      again.knowTheWindow();
      again.readsMuch(6);
      again.model.next(none);
      infra(again.turn(Access.WRITE, "Read."));
      assertEquals(7, again.model.requests.size());
      assertEquals(
          new Usage(7, 0, 3), again.events(Event.SubmissionSettled.class).getFirst().usage());
      assertEquals(List.of(), again.events(Event.Compacted.class));
      assertEquals(List.of(), again.events(Event.ReplyAppended.class));
    }
  }

  @Test
  void aModelThatFailsToSummariseIsOneFaultWithItsWords() throws Exception {
    readsMuch(6);
    model.nextFails(ModelException.Kind.SERVER);
    Settlement.Failed failed = infra(turn(Access.WRITE, "Read."));
    assertEquals(
        "the older messages could not be summarised: lab is unwell: SERVER",
        failed.fault().reason());
  }

  @Test
  void callsInsteadOfASummaryAreNotRunAndTheModelIsAskedOnceMore() throws Exception {
    readsMuch(6);
    model.next(calls(call("x", "a"), call("x", "b")), sums("Some."), says("Done."));
    assertInstanceOf(Settlement.Completed.class, turn(Access.WRITE, "Read."));
    assertEquals(6, host.calls().size());
    List<Request> asked = summaryRequests();
    List<Message> first = asked.get(0).messages();
    List<Message> second = asked.get(1).messages();
    assertEquals(first, second.subList(0, first.size()));
    requirePaired(second);
    Message.Results refused = assertInstanceOf(Message.Results.class, second.getLast());
    assertTrue(refused.results().stream().allMatch(Message.Result::error));
    assertEquals(
        new Usage(100 + 1_000 + 10, 10 + 900 + 1, 20 + 50 + 2),
        events(Event.SubmissionSettled.class).getFirst().usage());
  }

  @Test
  void callsInsteadOfASummaryTwiceAreOneFault() throws Exception {
    readsMuch(6);
    model.next(reads("a"), reads("a"));
    infra(turn(Access.WRITE, "Read."));
    assertEquals(8, model.requests.size());
    assertEquals(6, host.calls().size());
  }

  @Test
  void anEarlierSummaryIsFoldedIntoTheNext() throws Exception {
    readsMuch(6);
    model.next(sums("First summary."));
    model.next(reads("big7", "bigger1", "bigger2", "bigger3"));
    model.next(sums("Second summary."), says("Done."));
    model.next(says("Still there."));
    assertInstanceOf(Settlement.Completed.class, turn(Access.WRITE, "Read them all."));
    assertInstanceOf(Settlement.Completed.class, turn(Access.WRITE, "And?"));
    assertEquals(2, events(Event.Compacted.class).size());
    assertTrue(block(summaryRequests().get(1).messages().getFirst()).endsWith("First summary."));
    List<Message> last = model.requests.getLast().messages();
    assertTrue(block(last.getFirst()).endsWith("Second summary."));
    assertEquals(1, last.stream().filter(one -> one.toString().contains("summary.")).count());
    assertEquals(request(0).messages().getFirst(), last.get(1));
  }

  @Test
  void whatAModelOfASmallerWindowCantReadAtOnceIsSummarisedInParts() throws Exception {
    model.limits = window(400_000);
    readsMuch(7);
    model.next(new Reply.Text(List.of(new Part.Text("Read.")), Usage.NONE));
    turn(Access.WRITE, "Read them all.");
    model.limits = window(30_000);
    model.next(sums("Part one."), sums("Parts one and two."), sums("All."), says("Done."));
    assertInstanceOf(Settlement.Completed.class, turn(Access.WRITE, "Go on."));
    Tokens tokens = new Tokens(true);
    for (Request request : model.requests.subList(8, model.requests.size())) {
      long length = tokens.ofHead(request) + tokens.of(request.messages());
      assertTrue(length < 30_000, "it was asked with " + length);
    }
    assertEquals(3, events(Event.Compacted.class).size());
  }

  @Test
  void aCompactionIsNoStep() throws Exception {
    readsMuch(6);
    model.next(sums("Some."), reads("a"), says("Done."));
    assertInstanceOf(Settlement.Completed.class, turn(Access.WRITE, "Read."));
    assertEquals(9, model.requests.size(), "of eight steps");
    compacted();
  }

  @Test
  void theVersionsOfFilesThatAreKnownSurvive() throws Exception {
    model.next(reads("seen"));
    readsMuch(6);
    model.next(sums("Some."), says("Done."), reads("seen"), says("Seen."));
    turn(Access.WRITE, "Read.");
    turn(Access.WRITE, "Again.");
    compacted();
    ToolCall last = host.calls().getLast();
    assertEquals(new Seen(Map.of("/work/target/seen", "v1")), last.seen());
  }

  @Test
  void picturesThatWereSummarisedMakeRoomForOthers() throws Exception {
    model.next(reads("poster", "a", "poster", "b", "poster", "c", "poster"));
    readsMuch(5);
    model.next(sums("Some."), reads("poster"), says("Done."));
    turn(Access.WRITE, "Look.");
    compacted();
    assertEquals(1, events(Event.ToolReturned.class).getLast().images().size());
  }

  @Test
  void aReaderIsNotToldTheSummary() throws Exception {
    readsMuch(6);
    model.next(sums("Between us."), says("Done."));
    try (Subscription ear = conversations.subscribe(CODER, true)) {
      turn(Access.WRITE, "Read.");
      List<String> heard = new ArrayList<>();
      while (!heard.contains("Done.")) {
        Subscription.Signal signal = ear.await(DEADLINE);
        assertFalse(signal instanceof Subscription.Signal.Quiet, "it never spoke");
        if (signal instanceof Subscription.Signal.Delta delta) {
          heard.add(delta.text());
        }
      }
      assertEquals(List.of("Done."), heard);
    }
  }

  @Test
  void aTurnThatBeginsAnewHasNoSummary() throws Exception {
    Instance fresh = new Instance("coder", InstanceId.parse("run-1/task/coder/f-abc"));
    model.next(reads("big1", "big2", "big3"), reads("big4", "big5", "big6"), sums("Some."));
    model.next(reads("same"), reads("same"), reads("same"), says("Done."));
    assertInstanceOf(
        Settlement.Completed.class, turn(fresh, Access.WRITE, Menu.NONE, true, "Read."));
    assertEquals(1, model.requests.getLast().messages().size());
    assertEquals(request(0), model.requests.getLast());
  }

  @Test
  void theReserveIsAThirdOfASmallWindowAndAtLeastTheOutputOfALargeOne() {
    assertEquals(Optional.empty(), Window.of(TokenLimits.UNKNOWN));
    assertEquals(200_000 - 16_384, limit(200_000, 8_192));
    assertEquals(200_000 - 64_000, limit(200_000, 64_000));
    assertEquals(20_000, limit(30_000, 8_192));
    assertEquals(128_000 - 42_666, limit(128_000, 64_000));
  }

  private static long limit(int window, int output) {
    return Window.of(new TokenLimits(OptionalInt.of(window), OptionalInt.of(output)))
        .orElseThrow()
        .limit();
  }
}
