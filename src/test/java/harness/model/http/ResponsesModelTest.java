package harness.model.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
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

class ResponsesModelTest {
  /** As a server wrote it: it goes back so. */
  private static final String REASONING =
      "{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"I look.\"}],\"encrypted_content\":\"gAAA+/=\"}";

  private static final String USAGE =
      "\"usage\":{\"input_tokens\":117,\"input_tokens_details\":{\"cached_tokens\":100},\"output_tokens\":42}";

  private final Lab lab = new Lab(Api.OPENAI_RESPONSES);

  ResponsesModelTest() throws IOException {}

  @AfterEach
  void closeTheLab() throws IOException {
    lab.close();
  }

  private void streams(String... events) {
    lab.server.then(
        exchange -> {
          exchange.stream();
          for (String event : events) {
            exchange.raw(
                "event: " + json(event).path("type").asText() + "\ndata: " + event + "\n\n");
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

  private static String event(String type, int index, String rest) {
    return "{\"type\":\"response." + type + "\",\"output_index\":" + index + "," + rest + "}";
  }

  private static String completed() {
    return "{\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"error\":null,"
        + USAGE
        + "}}";
  }

  @Test
  void aReplyKeepsItsItemsInOrderAndItsReasoningAsItCame() throws Exception {
    streams(
        "{\"type\":\"response.created\",\"response\":{\"status\":\"in_progress\",\"error\":null}}",
        event(
            "output_item.added",
            0,
            "\"item\":{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[]}"),
        event("reasoning_summary_text.delta", 0, "\"summary_index\":0,\"delta\":\"I look.\""),
        event("output_item.done", 0, "\"item\":" + REASONING),
        event("output_item.added", 1, "\"item\":{\"type\":\"message\",\"content\":[]}"),
        event("output_text.delta", 1, "\"delta\":\"I read \""),
        event("output_text.delta", 1, "\"delta\":\"it.\""),
        event("output_text.done", 1, "\"text\":\"I read it.\""),
        event(
            "output_item.added",
            2,
            "\"item\":{\"type\":\"function_call\",\"id\":\"fc_1\",\"call_id\":\"call_1\",\"name\":\"read\",\"arguments\":\"\"}"),
        event("function_call_arguments.delta", 2, "\"delta\":\"{\\\"path\\\":\""),
        event("function_call_arguments.delta", 2, "\"delta\":\"\\\"a\\\"}\""),
        completed());
    Reply reply = lab.ask();
    assertEquals(
        List.of(
            new Part.Thinking("I look.", REASONING, "lab/qwen3"),
            new Part.Text("I read it."),
            new Part.Call("call_1", "read", json("{\"path\":\"a\"}"))),
        assertInstanceOf(Reply.Calls.class, reply).parts());
    assertEquals(new Usage(117, 100, 42), reply.usage());
    assertEquals(List.of("I read ", "it."), lab.heard.texts());
    assertTrue(lab.server.received().getFirst().head().startsWith("POST /v1/responses "));
  }

  @Test
  void aReplyCutByItsLengthLeavesOutTheHalfWrittenCall() throws Exception {
    streams(
        event("output_text.delta", 0, "\"delta\":\"I write.\""),
        event(
            "output_item.added",
            1,
            "\"item\":{\"type\":\"function_call\",\"call_id\":\"call_1\",\"name\":\"write\"}"),
        event("function_call_arguments.delta", 1, "\"delta\":\"{\\\"path\\\":\""),
        "{\"type\":\"response.incomplete\",\"response\":{\"incomplete_details\":{\"reason\":\"max_output_tokens\"},"
            + USAGE
            + "}}");
    Reply.Cut cut = assertInstanceOf(Reply.Cut.class, lab.ask());
    assertEquals(List.of(new Part.Text("I write.")), cut.parts());
    assertEquals(42, cut.usage().outputTokens());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "{\"type\":\"error\",\"code\":\"server_error\",\"message\":\"oops\"} | SERVER",
        "{\"type\":\"error\",\"code\":\"rate_limit_exceeded\",\"message\":\"slow\"} | RATE",
        "{\"type\":\"response.failed\",\"response\":{\"error\":{\"code\":\"server_error\",\"message\":\"oops\"}}} | SERVER",
        "{\"type\":\"response.failed\",\"response\":{\"error\":{\"code\":\"context_length_exceeded\",\"message\":\"long\"}}} | CONTEXT_LENGTH",
        "{\"type\":\"response.incomplete\",\"response\":{\"incomplete_details\":{\"reason\":\"content_filter\"}}} | CONTENT_REFUSED",
      })
  void anEndThatIsNoneIsAFailure(String event, ModelException.Kind kind) {
    streams(event("output_text.delta", 0, "\"delta\":\"well\""), event);
    assertEquals(kind, lab.failure().kind());
  }

  @Test
  void aStreamThatEndsInTheMiddleIsCutOff() {
    streams(event("output_text.delta", 0, "\"delta\":\"half\""));
    assertEquals(ModelException.Kind.CUT_OFF, lab.failure().kind());
  }

  private static final List<Message> CONVERSATION =
      List.of(
          new Message.User(List.of("Look.", "[cwd]")),
          new Message.Assistant(
              List.of(
                  new Part.Thinking("I look.", REASONING, "lab/qwen3"),
                  new Part.Thinking("not mine", "{}", "lab/other"),
                  new Part.Text("I read it."),
                  new Part.Call("c-1", "read", json("{\"path\":\"a\"}")),
                  new Part.Call("c-2", "no name!", json("\"half\"")))),
          new Message.Results(
              List.of(
                  new Message.Result("c-1", "read", false, "text"),
                  new Message.Result(
                      "c-2", "x", true, "no", List.of(new Image("image/png", "QUJD"))))));

  private static String encoded(List<Message> messages, Optional<ThinkingLevel> level) {
    Request request =
        new Request(
            "be kind",
            List.of(new ToolOffer("list", "Lists.", json("{\"type\":\"object\"}"))),
            messages,
            level);
    return new String(
        ResponsesRequest.encode(
            new Dialect.Question("lab/qwen3", "qwen3", Lab.sending(900), request)),
        StandardCharsets.UTF_8);
  }

  @Test
  void aRequestCarriesTheConversationAndItsOwnReasoningAsItCame() {
    assertEquals(
        """
        {"model":"qwen3","stream":true,"store":false,"max_output_tokens":900,\
        "reasoning":{"effort":"high","summary":"auto"},"include":["reasoning.encrypted_content"],\
        "tools":[{"type":"function","name":"list","description":"Lists.",\
        "parameters":{"type":"object"},"strict":false}],"instructions":"be kind",\
        "input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Look."},\
        {"type":"input_text","text":"[cwd]"}]},"""
            + REASONING
            + """
            ,{"type":"message","role":"assistant","content":[{"type":"output_text","text":"I read it."}]},\
            {"type":"function_call","call_id":"c-1","name":"read","arguments":"{\\"path\\":\\"a\\"}"},\
            {"type":"function_call","call_id":"c-2","name":"no_name_",\
            "arguments":"{\\"invalid_arguments\\":\\"half\\"}"},\
            {"type":"function_call_output","call_id":"c-1","output":"text"},\
            {"type":"function_call_output","call_id":"c-2","output":[\
            {"type":"input_text","text":"Error: no"},\
            {"type":"input_image","image_url":"data:image/png;base64,QUJD"}]}]}""",
        encoded(CONVERSATION, Optional.of(ThinkingLevel.HIGH)));
  }

  @Test
  void aConversationThatGrewBeginsWithTheBytesOfBefore() {
    List<Message> grown = new ArrayList<>(CONVERSATION);
    grown.add(new Message.Assistant(List.of(new Part.Text("Done."))));
    String before = encoded(CONVERSATION, Optional.empty());
    String after = encoded(grown, Optional.empty());
    assertEquals(before.substring(0, before.length() - 2), after.substring(0, before.length() - 2));
  }
}
