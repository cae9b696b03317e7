package harness.model.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.model.ModelException;
import harness.model.Part;
import harness.model.Reply;
import harness.model.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChatModelTest {
  private final Lab lab = new Lab();

  ChatModelTest() throws IOException {}

  @AfterEach
  void closeTheLab() throws IOException {
    lab.close();
  }

  @Test
  void aStreamBecomesAReplyAndIsHeardAsItComes() throws Exception {
    lab.server.then(
        exchange -> {
          exchange.stream();
          exchange.raw(": a comment\n\n");
          exchange.delta("{\"role\":\"assistant\",\"content\":\"\"}");
          exchange.delta("{\"reasoning_content\":\"I should \"}");
          exchange.delta("{\"reasoning_content\":\"list.\"}");
          exchange.delta("{\"content\":\"Let me \"}");
          exchange.delta("{\"content\":\"löok.\"}");
          exchange.delta(
              "{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"list\",\"arguments\":\"\"}}]}");
          exchange.delta(
              "{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\\\"path\\\":\"}}]}");
          exchange.delta(
              "{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"\\\".\\\"}\"}}]}");
          exchange.finish("tool_calls");
          exchange.event(
              "{\"choices\":[],\"usage\":{\"prompt_tokens\":20,\"completion_tokens\":5,\"prompt_tokens_details\":{\"cached_tokens\":12}}}");
          exchange.event("[DONE]");
        });

    Reply reply = lab.ask();

    assertEquals(
        new Reply.Calls(
            List.of(
                new Part.Thinking("I should list."),
                new Part.Text("Let me löok."),
                new Part.Call("c1", "list", ModelJson.MAPPER.readTree("{\"path\":\".\"}"))),
            new Usage(20, 12, 5)),
        reply);
    assertEquals(List.of("I should ", "list."), lab.heard.thoughts());
    assertEquals(List.of("Let me ", "löok."), lab.heard.texts());
  }

  @Test
  void theRequestGoesToTheEndpointWithTheKeyInItsHeader() throws Exception {
    lab.server.then(exchange -> exchange.says("hi"));

    lab.ask();

    ProviderServer.Received request = lab.server.received().get(0);
    assertTrue(request.head().startsWith("POST /v1/chat/completions HTTP/1.1\r\n"), request.head());
    String head = request.head().toLowerCase(Locale.ROOT);
    assertTrue(head.contains("\r\nauthorization: bearer " + Lab.KEY + "\r\n"), head);
    assertFalse(head.contains("upgrade"), head);
    assertEquals(
        "{\"model\":\"qwen3\",\"stream\":true,\"stream_options\":{\"include_usage\":true},"
            + "\"messages\":[{\"role\":\"system\",\"content\":\"be kind\"},"
            + "{\"role\":\"user\",\"content\":\"hello\"}]}",
        request.text());
  }

  @Test
  void withoutAKeyNoHeaderIsSent() throws Exception {
    try (Lab open = new Lab(Lab.LIMITS, 1, new KeySource.None())) {
      open.server.then(exchange -> exchange.says("hi"));

      open.ask();

      String head = open.server.received().get(0).head().toLowerCase(Locale.ROOT);
      assertFalse(head.contains("authorization"), head);
    }
  }

  @Test
  void aKeyThatWasRotatedIsUsedAtOnce(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("key");
    try (Lab rotating = new Lab(Lab.LIMITS, 1, new KeySource.File(file))) {
      for (String key : List.of("first", "second")) {
        Files.writeString(file, " " + key + "\n");
        rotating.server.then(exchange -> exchange.says("hi"));

        rotating.ask();

        String head = rotating.server.received().getLast().head();
        assertTrue(head.contains("Authorization: Bearer " + key + "\r\n"), head);
      }
    }
  }

  @Test
  void aConnectionServesTheNextCallToo() throws Exception {
    for (int i = 0; i < 2; i++) {
      lab.server.then(
          exchange -> {
            exchange.chunkedStream();
            exchange.chunk(
                "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\n");
            exchange.chunk("data: [DONE]\n\n");
            exchange.raw("0\r\n\r\n");
            exchange.keepAlive();
          });
    }

    lab.ask();
    lab.ask();

    assertEquals(2, lab.server.received().size());
    assertEquals(1, lab.server.connections());
  }

  @Test
  void aReplyIsWholeWithoutTheEndOfItsStream() throws Exception {
    lab.server.then(
        exchange -> {
          exchange.chunkedStream();
          exchange.chunk(
              "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\n");
        });

    assertEquals(new Reply.Text(List.of(new Part.Text("hi")), Usage.NONE), lab.ask());
  }

  @Test
  void aServerThatNamesNoContentTypeIsHeard() throws Exception {
    lab.server.then(
        exchange -> {
          exchange.raw("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
          exchange.delta("{\"content\":\"hi\"}");
          exchange.finish("stop");
        });

    assertEquals(new Reply.Text(List.of(new Part.Text("hi")), Usage.NONE), lab.ask());
  }

  @Test
  void aReplyCutByTheLengthLimitLeavesTheHalfWrittenCallOut() throws Exception {
    lab.server.then(
        exchange -> {
          exchange.stream();
          exchange.delta("{\"content\":\"I write\"}");
          exchange.delta(
              "{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"list\",\"arguments\":\"{}\"}}]}");
          exchange.delta(
              "{\"tool_calls\":[{\"index\":1,\"id\":\"c2\",\"function\":{\"name\":\"write\",\"arguments\":\"{\\\"path\\\":\\\"a\"}}]}");
          exchange.finish("length");
        });

    assertEquals(
        new Reply.Cut(
            List.of(
                new Part.Text("I write"),
                new Part.Call("c1", "list", ModelJson.MAPPER.createObjectNode())),
            Usage.NONE),
        lab.ask());
  }

  @Test
  void aRefusalOfTheContentIsOneAlsoInTheMiddle() {
    lab.server.then(
        exchange -> {
          exchange.stream();
          exchange.delta("{\"content\":\"hm\"}");
          exchange.finish("content_filter");
        });

    assertEquals(ModelException.Kind.CONTENT_REFUSED, lab.failure().kind());
  }
}
