package harness.model.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import harness.agent.ThinkingLevel;
import harness.model.Image;
import harness.model.Message;
import harness.model.Part;
import harness.model.Request;
import harness.model.ToolOffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ChatRequestTest {
  private static final List<Message> CONVERSATION =
      List.of(
          new Message.User(List.of("write \"it\"\n", "cwd: /work")),
          new Message.Assistant(
              List.of(
                  new Part.Thinking("hm", "sig", "lab/one"),
                  new Part.Text("I write. "),
                  new Part.Text("Now."),
                  call("c1", "write", "{\"path\":\"ä\",\"n\":1.50}"),
                  call("c2", "list", "{}"))),
          new Message.Results(
              List.of(
                  new Message.Result("c1", "write", true, "no such directory"),
                  new Message.Result("c2", "list", false, "a.txt"))),
          new Message.Assistant(List.of(new Part.Text("Done."))),
          new Message.User(List.of("again")));

  @Test
  void aRequestIsWrittenInAFixedOrder() {
    assertEquals(
        """
        {"model":"qwen3","stream":true,"stream_options":{"include_usage":true},"max_tokens":100,\
        "reasoning_effort":"high",\
        "tools":[{"type":"function","function":{"name":"list","description":"Lists.","parameters":{"type":"object","properties":{}}}}],\
        "messages":[{"role":"system","content":"be kind"},\
        {"role":"user","content":"write \\"it\\"\\n\\n\\ncwd: /work"},\
        {"role":"assistant","content":"I write. Now.","tool_calls":[\
        {"id":"c1","type":"function","function":{"name":"write","arguments":"{\\"path\\":\\"ä\\",\\"n\\":1.5}"}},\
        {"id":"c2","type":"function","function":{"name":"list","arguments":"{}"}}]},\
        {"role":"tool","tool_call_id":"c1","content":"Error: no such directory"},\
        {"role":"tool","tool_call_id":"c2","content":"a.txt"},\
        {"role":"assistant","content":"Done."},\
        {"role":"user","content":"again"}]}""",
        text(request(CONVERSATION, Optional.of(ThinkingLevel.HIGH)), OptionalInt.of(100)));
  }

  @Test
  void theSameRequestIsTheSameBytes() {
    Request request = request(CONVERSATION, Optional.empty());

    assertArrayEquals(
        ChatRequest.encode("m", OptionalInt.empty(), request),
        ChatRequest.encode("m", OptionalInt.empty(), request));
  }

  @Test
  void theBytesOfAConversationThatGrewBeginWithThoseOfBefore() {
    String whole = text(request(CONVERSATION, Optional.empty()), OptionalInt.empty());
    for (int length = 1; length < CONVERSATION.size(); length++) {
      String before =
          text(request(CONVERSATION.subList(0, length), Optional.empty()), OptionalInt.empty());
      String prefix = before.substring(0, before.length() - "]}".length());

      assertTrue(whole.startsWith(prefix), prefix);
      assertEquals(',', whole.charAt(prefix.length()));
    }
  }

  @Test
  void theLevelOffIsSentAsNothingAndTheOthersAsTheyAre() {
    for (ThinkingLevel level : ThinkingLevel.values()) {
      String text = text(request(CONVERSATION, Optional.of(level)), OptionalInt.empty());

      switch (level) {
        case OFF -> assertTrue(!text.contains("reasoning_effort"), text);
        case MINIMAL -> assertTrue(text.contains("\"reasoning_effort\":\"minimal\""), text);
        case LOW -> assertTrue(text.contains("\"reasoning_effort\":\"low\""), text);
        case MEDIUM -> assertTrue(text.contains("\"reasoning_effort\":\"medium\""), text);
        case HIGH -> assertTrue(text.contains("\"reasoning_effort\":\"high\""), text);
        case XHIGH -> assertTrue(text.contains("\"reasoning_effort\":\"xhigh\""), text);
      }
    }
  }

  @Test
  void withoutToolsAndSystemNeitherIsSent() {
    Request request =
        new Request("", List.of(), List.of(new Message.User(List.of("x"))), Optional.empty());

    assertEquals(
        "{\"model\":\"qwen3\",\"stream\":true,\"stream_options\":{\"include_usage\":true},"
            + "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}",
        text(request, OptionalInt.empty()));
  }

  @Test
  void aCallThatNoServerWouldTakeGoesBackAsOneThatItTakes() throws Exception {
    List<Message> conversation = new ArrayList<>(CONVERSATION);
    conversation.add(
        new Message.Assistant(
            List.of(
                new Part.Call("c3", "", TextNode.valueOf("{\"path\":")),
                new Part.Call("c4", "wrïte file", json("[1]")))));

    JsonNode sent =
        ModelJson.MAPPER.readTree(
            text(request(conversation, Optional.empty()), OptionalInt.empty()));

    JsonNode calls = sent.path("messages").path(conversation.size() + 1).path("tool_calls");
    assertEquals("unnamed", calls.path(0).path("function").path("name").asText());
    assertEquals(
        "{\"invalid_arguments\":\"{\\\"path\\\":\"}",
        calls.path(0).path("function").path("arguments").asText());
    assertEquals("wr_te_file", calls.path(1).path("function").path("name").asText());
    assertEquals(
        "{\"invalid_arguments\":[1]}", calls.path(1).path("function").path("arguments").asText());
  }

  @Test
  void thePicturesOfResultsFollowBehindAllOfThem() {
    List<Message> conversation = new ArrayList<>(CONVERSATION.subList(0, 2));
    conversation.add(
        new Message.Results(
            List.of(
                new Message.Result(
                    "c1",
                    "read",
                    false,
                    "[a.png is a PNG image]",
                    List.of(new Image("image/png", "iVBO"))),
                new Message.Result("c2", "list", false, "a.png"))));
    String before = text(request(conversation, Optional.empty()), OptionalInt.empty());

    assertTrue(
        before.endsWith(
            """
            {"role":"tool","tool_call_id":"c1","content":"[a.png is a PNG image]"},\
            {"role":"tool","tool_call_id":"c2","content":"a.png"},\
            {"role":"user","content":[\
            {"type":"text","text":"The picture that [a.png is a PNG image] tells of:"},\
            {"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO"}}]}]}"""),
        before);
    conversation.add(new Message.User(List.of("and now?")));
    String after = text(request(conversation, Optional.empty()), OptionalInt.empty());
    assertTrue(after.startsWith(before.substring(0, before.length() - "]}".length())), after);
  }

  @Test
  void halfASurrogatePairInAPromptIsNoFailure() {
    Request request =
        new Request("", List.of(), List.of(new Message.User(List.of("x\ud83d"))), Optional.empty());

    assertTrue(text(request, OptionalInt.empty()).contains("\"x?\""));
  }

  private static Request request(List<Message> messages, Optional<ThinkingLevel> level) {
    return new Request(
        "be kind",
        List.of(new ToolOffer("list", "Lists.", json("{\"type\":\"object\",\"properties\":{}}"))),
        messages,
        level);
  }

  private static String text(Request request, OptionalInt maxTokens) {
    return new String(ChatRequest.encode("qwen3", maxTokens, request), StandardCharsets.UTF_8);
  }

  private static Part.Call call(String id, String name, String input) {
    return new Part.Call(id, name, json(input));
  }

  private static JsonNode json(String text) {
    try {
      return ModelJson.MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }
}
