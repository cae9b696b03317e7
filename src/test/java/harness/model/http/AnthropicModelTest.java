package harness.model.http;

import static harness.model.Says.assertSays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import harness.agent.ThinkingLevel;
import harness.model.Image;
import harness.model.Message;
import harness.model.ModelException;
import harness.model.Part;
import harness.model.Reply;
import harness.model.Request;
import harness.model.ToolOffer;
import harness.model.Usage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnthropicModelTest {
  private static final String START =
      """
      {"type":"message_start","message":{"id":"m","role":"assistant","content":[],"usage":
      {"input_tokens":10,"cache_read_input_tokens":100,"cache_creation_input_tokens":7,
      "output_tokens":1}}}""";

  private final Lab lab = new Lab(Api.ANTHROPIC_MESSAGES);

  AnthropicModelTest() throws IOException {}

  @AfterEach
  void closeTheLab() throws IOException {
    lab.close();
  }

  private void streams(String... events) {
    lab.server.then(
        exchange -> {
          exchange.stream();
          for (String event : events) {
            JsonNode node = json(event);
            exchange.raw("event: " + node.path("type").asText() + "\ndata: " + node + "\n\n");
          }
        });
  }

  private static JsonNode json(String text) {
    try {
      return ModelJson.MAPPER.readTree(text);
    } catch (IOException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private static String start(int index, String block) {
    return "{\"type\":\"content_block_start\",\"index\":"
        + index
        + ",\"content_block\":"
        + block
        + "}";
  }

  private static String delta(int index, String delta) {
    return "{\"type\":\"content_block_delta\",\"index\":" + index + ",\"delta\":" + delta + "}";
  }

  private static String stop(String reason) {
    return "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\""
        + reason
        + "\"},\"usage\":{\"output_tokens\":42}}";
  }

  private static final String END = "{\"type\":\"message_stop\"}";

  @Test
  void aReplyKeepsItsBlocksInOrderAndItsThinkingWithEachSignature() throws Exception {
    streams(
        START,
        start(0, "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}"),
        delta(0, "{\"type\":\"thinking_delta\",\"thinking\":\"I look\"}"),
        "{\"type\":\"ping\"}",
        delta(0, "{\"type\":\"thinking_delta\",\"thinking\":\" first.\"}"),
        delta(0, "{\"type\":\"signature_delta\",\"signature\":\"c2ln+/=\"}"),
        start(1, "{\"type\":\"redacted_thinking\",\"data\":\"aGlk\"}"),
        start(2, "{\"type\":\"thinking\",\"thinking\":\"Again.\",\"signature\":\"\"}"),
        delta(2, "{\"type\":\"signature_delta\",\"signature\":\"second\"}"),
        start(3, "{\"type\":\"text\",\"text\":\"\"}"),
        delta(3, "{\"type\":\"text_delta\",\"text\":\"I list.\"}"),
        start(4, "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"list\",\"input\":{}}"),
        start(5, "{\"type\":\"tool_use\",\"id\":\"toolu_2\",\"name\":\"read\",\"input\":{}}"),
        delta(5, "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"path\\\":\"}"),
        delta(5, "{\"type\":\"input_json_delta\",\"partial_json\":\"\\\"a\\\"}\"}"),
        stop("tool_use"),
        END);
    Reply reply = lab.ask();
    assertEquals(
        List.of(
            new Part.Thinking("I look first.", "c2ln+/=", "lab/qwen3"),
            new Part.Redacted("aGlk", "lab/qwen3"),
            new Part.Thinking("Again.", "second", "lab/qwen3"),
            new Part.Text("I list."),
            new Part.Call("toolu_1", "list", json("{}")),
            new Part.Call("toolu_2", "read", json("{\"path\":\"a\"}"))),
        assertInstanceOf(Reply.Calls.class, reply).parts());
    assertEquals(new Usage(117, 100, 42), reply.usage());
    assertEquals(List.of("I look", " first.", "Again."), lab.heard.thoughts());
    assertEquals(List.of("I list."), lab.heard.texts());
  }

  @Test
  void theKeyGoesInItsOwnHeaderToTheMessagesOfTheBaseUrl() throws Exception {
    streams(START, start(0, "{\"type\":\"text\",\"text\":\"hi\"}"), stop("end_turn"), END);
    assertInstanceOf(Reply.Text.class, lab.ask());
    String head = lab.server.received().getFirst().head();
    assertTrue(head.startsWith("POST /v1/messages "), head);
    assertTrue(head.contains("x-api-key: " + Lab.KEY + "\r\n"), head);
    assertTrue(head.contains("anthropic-version: 2023-06-01\r\n"), head);
    assertFalse(head.toLowerCase(java.util.Locale.ROOT).contains("authorization"), head);
  }

  @Test
  void aReplyCutByItsLengthLeavesOutTheHalfWrittenCall() throws Exception {
    streams(
        START,
        start(0, "{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"list\",\"input\":{}}"),
        delta(0, "{\"type\":\"input_json_delta\",\"partial_json\":\"{}\"}"),
        start(1, "{\"type\":\"tool_use\",\"id\":\"b\",\"name\":\"write\",\"input\":{}}"),
        delta(1, "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"path\\\":\"}"),
        stop("max_tokens"),
        END);
    assertEquals(
        List.of(new Part.Call("a", "list", json("{}"))),
        assertInstanceOf(Reply.Cut.class, lab.ask()).parts());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "overloaded_error | OVERLOAD",
        "rate_limit_error | RATE",
        "api_error | SERVER",
        "invalid_request_error | BAD_REQUEST",
        "authentication_error | AUTH",
      })
  void anErrorInsideTheStreamIsClassified(String type, ModelException.Kind kind) {
    streams(START, "{\"type\":\"error\",\"error\":{\"type\":\"" + type + "\",\"message\":\"no\"}}");
    assertEquals(kind, lab.failure().kind());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "refusal | CONTENT_REFUSED",
        "model_context_window_exceeded | CONTEXT_LENGTH",
      })
  void anEndThatIsNoneIsAFailure(String reason, ModelException.Kind kind) {
    streams(START, stop(reason), END);
    ModelException failure = lab.failure();
    assertEquals(kind, failure.kind());
    assertSays(reason, failure);
  }

  @Test
  void aStreamThatEndsInTheMiddleIsCutOff() {
    streams(START, start(0, "{\"type\":\"text\",\"text\":\"half\"}"));
    assertEquals(ModelException.Kind.CUT_OFF, lab.failure().kind());
  }

  private static final List<Message> CONVERSATION =
      List.of(
          new Message.User(List.of("Look.", "[cwd]")),
          new Message.Assistant(
              List.of(
                  new Part.Thinking("hm", "sig+/==", "lab/qwen3"),
                  new Part.Thinking("not mine", "other", "lab/other"),
                  new Part.Thinking("unsigned"),
                  new Part.Redacted("aGlk", "lab/qwen3"),
                  new Part.Text(" "),
                  new Part.Call("c-1", "read", json("{\"path\":\"a\"}")))),
          new Message.Results(
              List.of(
                  new Message.Result(
                      "c-1", "read", true, "no", List.of(new Image("image/png", "QUJD"))))));

  private static String encoded(List<Message> messages, Optional<ThinkingLevel> level) {
    Request request =
        new Request(
            "be kind",
            List.of(new ToolOffer("list", "Lists.", json("{\"type\":\"object\"}"))),
            messages,
            level);
    return new String(
        AnthropicRequest.encode(
            new Dialect.Question("lab/qwen3", "qwen3", Lab.sending(20_000), request)),
        StandardCharsets.UTF_8);
  }

  @Test
  void aRequestMarksWhatIsToBeCachedAndSendsThinkingBackAsItCame() {
    assertEquals(
        """
        {"model":"qwen3","max_tokens":20000,"stream":true,\
        "thinking":{"type":"enabled","budget_tokens":8192},\
        "tools":[{"name":"list","description":"Lists.","input_schema":{"type":"object"},\
        "cache_control":{"type":"ephemeral"}}],\
        "system":[{"type":"text","text":"be kind","cache_control":{"type":"ephemeral"}}],\
        "messages":[{"role":"user","content":[{"type":"text","text":"Look."},\
        {"type":"text","text":"[cwd]"}]},\
        {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"sig+/=="},\
        {"type":"redacted_thinking","data":"aGlk"},\
        {"type":"tool_use","id":"c-1","name":"read","input":{"path":"a"}}]},\
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"c-1","is_error":true,\
        "content":[{"type":"text","text":"no"},\
        {"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}],\
        "cache_control":{"type":"ephemeral"}}]}]}""",
        encoded(CONVERSATION, Optional.of(ThinkingLevel.MEDIUM)));
  }

  @Test
  void aConversationThatGrewBeginsWithTheBytesOfBeforeButForTheMark() {
    List<Message> grown = new ArrayList<>(CONVERSATION);
    grown.add(new Message.Assistant(List.of(new Part.Text("Done."))));
    grown.add(new Message.User(List.of("More.")));
    String before = unmarked(encoded(CONVERSATION, Optional.empty()));
    String after = unmarked(encoded(grown, Optional.empty()));
    assertEquals(before.substring(0, before.length() - 2), after.substring(0, before.length() - 2));
  }

  private static String unmarked(String body) {
    return body.replace(",\"cache_control\":{\"type\":\"ephemeral\"}", "");
  }
}
