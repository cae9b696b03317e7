package harness.model.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.TextNode;
import harness.model.Heard;
import harness.model.Message;
import harness.model.Part;
import harness.model.Reply;
import harness.model.Request;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChatReplyTest {
  private static final Failures FAILURES =
      new Failures("lab", new KeySource.None(), Optional.empty(), InstantSource.system());

  private final Heard heard = new Heard();
  private ChatReply reply = new ChatReply(heard, new CallIds(Lab.request("x")));

  @Test
  void callsThatComeMixedAreKeptApartByTheirIndex() throws Exception {
    call("{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"grep\",\"arguments\":\"{\\\"pat\"}}");
    call("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"list\",\"arguments\":\"{\"}}");
    call("{\"index\":1,\"function\":{\"arguments\":\"tern\\\":\\\"x\\\"}\"}}");
    call("{\"index\":0,\"function\":{\"arguments\":\"}\"}}");

    assertEquals(List.of("b grep {\"pattern\":\"x\"}", "a list {}"), calls("tool_calls"));
  }

  @Test
  void callsOfOneIndexAreKeptApartByTheirIds() throws Exception {
    call("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"list\",\"arguments\":\"{}\"}}");
    call("{\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"grep\",\"arguments\":\"{}\"}}");

    assertEquals(List.of("a list {}", "b grep {}"), calls("tool_calls"));
  }

  @Test
  void anIdThatComesWithEveryPieceIsOneCall() throws Exception {
    call("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"list\",\"arguments\":\"{\"}}");
    call("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"list\",\"arguments\":\"}\"}}");

    assertEquals(List.of("a list {}"), calls("tool_calls"));
  }

  @Test
  void callsWithoutIndexFollowEachOther() throws Exception {
    call("{\"id\":\"a\",\"function\":{\"name\":\"list\",\"arguments\":\"{\"}}");
    call("{\"function\":{\"arguments\":\"}\"}}");
    call("{\"id\":\"b\",\"function\":{\"name\":\"grep\",\"arguments\":{\"x\":1}}}");

    assertEquals(List.of("a list {}", "b grep {\"x\":1}"), calls("tool_calls"));
  }

  @Test
  void callsWithoutAnIdOrWithATakenOneGetOneOfTheirOwn() throws Exception {
    Message earlier =
        new Message.Assistant(
            List.of(new Part.Call("c0", "list", ModelJson.MAPPER.createObjectNode())));
    reply =
        new ChatReply(
            heard, new CallIds(new Request("", List.of(), List.of(earlier), Optional.empty())));
    call("{\"index\":0,\"id\":\"c0\",\"function\":{\"name\":\"list\",\"arguments\":\"{}\"}}");
    call("{\"index\":1,\"function\":{\"name\":\"list\",\"arguments\":\"{}\"}}");
    call("{\"index\":2,\"id\":\"c2\",\"function\":{\"name\":\"list\",\"arguments\":\"{}\"}}");
    call("{\"index\":3,\"id\":\"c2\",\"function\":{\"name\":\"list\",\"arguments\":\"{}\"}}");

    assertEquals(
        List.of("call_1 list {}", "call_2 list {}", "c2 list {}", "call_4 list {}"),
        calls("tool_calls"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          {}                     | {}
          null                   | {}
          {"a":"\\u00e4"}        | {"a":"ä"}
          {"a":"\\ud83d"}        | {"a":"\uFFFD"}
          [1]                    | [1]
          {"a":                  | "{\\"a\\":"
          {} {}                  | "{} {}"
          ls -l                  | "ls -l"
          """)
  void argumentsThatAreNoJsonAreHandedOnAsAText(String arguments, String input) throws Exception {
    call(
        "{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"x\",\"arguments\":"
            + TextNode.valueOf(arguments)
            + "}}");

    assertEquals(List.of("a x " + input), calls("tool_calls"));
  }

  @Test
  void noArgumentsAreAnEmptyObject() throws Exception {
    call("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"x\",\"arguments\":\"\"}}");

    assertEquals(List.of("a x {}"), calls("tool_calls"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{\"a\":", "12", "tr"})
  void aCutLeavesTheLastCallOutWhereItIsNoWholeObject(String arguments) throws Exception {
    call("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"x\",\"arguments\":\"{}\"}}");
    call(
        "{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"x\",\"arguments\":"
            + TextNode.valueOf(arguments)
            + "}}");
    finish("length");

    Reply.Cut cut = assertInstanceOf(Reply.Cut.class, end());

    assertEquals(
        List.of(new Part.Call("a", "x", ModelJson.MAPPER.createObjectNode())), cut.parts());
  }

  @ParameterizedTest
  @ValueSource(strings = {"stop", "tool_calls", "function_call", "eos"})
  void callsAreCallsWhateverTheReason(String reason) throws Exception {
    call("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"x\",\"arguments\":\"{}\"}}");
    finish(reason);

    assertInstanceOf(Reply.Calls.class, end());
  }

  @Test
  void aReplyOfNothingIsATextOfNothing() throws Exception {
    finish("stop");

    assertEquals(List.of(), assertInstanceOf(Reply.Text.class, end()).parts());
  }

  @Test
  void thinkingThatIsNamedTwiceIsHeardOnce() throws Exception {
    delta("{\"reasoning_content\":\"hm\",\"reasoning\":\"hm\"}");

    assertEquals(List.of("hm"), heard.thoughts());
  }

  @Test
  void thinkingAndTextThatTakeTurnsStayInOrder() throws Exception {
    delta("{\"reasoning\":\"a\"}");
    delta("{\"content\":\"b\"}");
    delta("{\"reasoning\":\"c\",\"content\":\"d\"}");
    finish("stop");

    assertEquals(
        List.of(
            new Part.Thinking("a"), new Part.Text("b"), new Part.Thinking("c"), new Part.Text("d")),
        end().parts());
  }

  @Test
  void aCharacterSplitOverTwoPiecesIsHeardWhole() throws Exception {
    delta("{\"content\":\"a\\ud83d\"}");
    delta("{\"content\":\"\\ude00b\\ud83d\"}");
    finish("stop");

    assertEquals(List.of(new Part.Text("a😀b\uFFFD")), end().parts());
    assertEquals(List.of("a", "😀b", "\uFFFD"), heard.texts());
  }

  @Test
  void aReplyBeginsWithItsFirstTokenAndNotWithItsRole() throws Exception {
    delta("{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[]}");
    assertFalse(reply.begun());
    call("{\"index\":0,\"id\":\"a\"}");
    assertTrue(reply.begun());
    assertFalse(reply.shown());
  }

  private void call(String call) throws Exception {
    delta("{\"tool_calls\":[" + call + "]}");
  }

  private void delta(String delta) throws Exception {
    reply.add(ModelJson.MAPPER.readTree("{\"choices\":[{\"delta\":" + delta + "}]}"), FAILURES);
  }

  private void finish(String reason) throws Exception {
    reply.add(
        ModelJson.MAPPER.readTree(
            "{\"choices\":[{\"delta\":{},\"finish_reason\":\"" + reason + "\"}]}"),
        FAILURES);
  }

  private Reply end() throws Exception {
    return reply.end(FAILURES);
  }

  private List<String> calls(String reason) throws Exception {
    finish(reason);
    return assertInstanceOf(Reply.Calls.class, end()).calls().stream()
        .map(call -> call.callId() + " " + call.name() + " " + call.input())
        .toList();
  }
}
