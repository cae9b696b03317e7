package harness.model.http;

import com.fasterxml.jackson.core.JsonGenerator;
import harness.agent.ThinkingLevel;
import harness.model.Image;
import harness.model.Message;
import harness.model.Part;
import harness.model.ToolOffer;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Writes a request as Anthropic's Messages API takes it. What is the same in each request of a
 * conversation is marked to be cached: the tools, the system text, and all messages so far. The
 * last mark moves on with the newest message; but for it, earlier messages are the same bytes.
 */
final class AnthropicRequest {
  /** The API asks for a limit; this is what every model of it can write. */
  private static final int DEFAULT_MAX_TOKENS = 8_192;

  /** The smallest budget for thinking that the API takes. */
  private static final int MIN_THINKING_TOKENS = 1_024;

  private final JsonGenerator json;
  private final Dialect.Question question;

  private AnthropicRequest(JsonGenerator json, Dialect.Question question) {
    this.json = json;
    this.question = question;
  }

  static byte[] encode(Dialect.Question question) {
    return ModelJson.write(json -> new AnthropicRequest(json, question).write());
  }

  private void write() throws IOException {
    Traits traits = question.traits();
    int maxTokens = traits.maxTokens().orElse(traits.limits().output().orElse(DEFAULT_MAX_TOKENS));
    json.writeStartObject();
    json.writeStringField("model", question.model());
    json.writeNumberField("max_tokens", maxTokens);
    json.writeBooleanField("stream", true);
    Optional<ThinkingLevel> level = question.request().thinkingLevel();
    if (level.isPresent()) {
      thinking(level.get(), maxTokens);
    }
    tools(question.request().tools());
    if (!question.request().system().isBlank()) {
      json.writeArrayFieldStart("system");
      text(question.request().system(), true);
      json.writeEndArray();
    }
    messages(question.request().messages());
    json.writeEndObject();
  }

  /** A budget leaves room for what is said; a limit that has none for both leaves thinking out. */
  private void thinking(ThinkingLevel level, int maxTokens) throws IOException {
    if (question.traits().adaptiveThinking()) {
      adaptiveThinking(level);
      return;
    }
    int budget = Math.min(budget(level), maxTokens - MIN_THINKING_TOKENS);
    if (level == ThinkingLevel.OFF || budget < MIN_THINKING_TOKENS) {
      return;
    }
    json.writeObjectFieldStart("thinking");
    json.writeStringField("type", "enabled");
    json.writeNumberField("budget_tokens", budget);
    json.writeEndObject();
  }

  private void adaptiveThinking(ThinkingLevel level) throws IOException {
    if (level == ThinkingLevel.OFF) {
      return;
    }
    json.writeObjectFieldStart("thinking");
    json.writeStringField("type", "adaptive");
    json.writeEndObject();
    json.writeObjectFieldStart("output_config");
    json.writeStringField("effort", level.name().toLowerCase(Locale.ROOT));
    json.writeEndObject();
  }

  private static int budget(ThinkingLevel level) {
    return switch (level) {
      case OFF -> 0;
      case MINIMAL -> MIN_THINKING_TOKENS;
      case LOW -> 2_048;
      case MEDIUM -> 8_192;
      case HIGH -> 16_384;
      case XHIGH -> 32_768;
    };
  }

  private void tools(List<ToolOffer> tools) throws IOException {
    if (tools.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart("tools");
    for (ToolOffer tool : tools) {
      json.writeStartObject();
      json.writeStringField("name", tool.name());
      json.writeStringField("description", tool.description());
      json.writeFieldName("input_schema");
      json.writeRawValue(tool.inputSchema());
      mark(tool == tools.getLast());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void messages(List<Message> messages) throws IOException {
    json.writeArrayFieldStart("messages");
    for (Message message : messages) {
      boolean newest = message == messages.getLast();
      switch (message) {
        case Message.User user -> {
          start("user");
          for (String block : user.blocks()) {
            text(block, newest && block == user.blocks().getLast());
          }
          end();
        }
        case Message.Results results -> {
          start("user");
          for (Message.Result result : results.results()) {
            result(result, newest && result == results.results().getLast());
          }
          end();
        }
        case Message.Assistant assistant -> {
          List<Part> parts = assistant.parts().stream().filter(this::goesBack).toList();
          if (!parts.isEmpty()) {
            start("assistant");
            for (Part part : parts) {
              part(part, newest && part == parts.getLast());
            }
            end();
          }
        }
      }
    }
    json.writeEndArray();
  }

  /** The API refuses empty text, and thinking that is not its own. */
  private boolean goesBack(Part part) {
    return switch (part) {
      case Part.Text said -> !said.text().isBlank();
      case Part.Thinking thought -> thought.signedBy(question.label());
      case Part.Redacted hidden -> hidden.model().equals(question.label());
      case Part.Call _ -> true;
    };
  }

  private void part(Part part, boolean marked) throws IOException {
    switch (part) {
      case Part.Text said -> text(said.text(), marked);
      case Part.Thinking thought -> {
        json.writeStartObject();
        json.writeStringField("type", "thinking");
        json.writeStringField("thinking", thought.text());
        json.writeStringField("signature", thought.signature());
        json.writeEndObject();
      }
      case Part.Redacted hidden -> {
        json.writeStartObject();
        json.writeStringField("type", "redacted_thinking");
        json.writeStringField("data", hidden.data());
        json.writeEndObject();
      }
      case Part.Call call -> {
        json.writeStartObject();
        json.writeStringField("type", "tool_use");
        json.writeStringField("id", call.callId());
        json.writeStringField("name", CallIds.legalName(call.name()));
        json.writeFieldName("input");
        json.writeTree(CallIds.object(call.input()));
        mark(marked);
        json.writeEndObject();
      }
    }
  }

  private void result(Message.Result result, boolean marked) throws IOException {
    json.writeStartObject();
    json.writeStringField("type", "tool_result");
    json.writeStringField("tool_use_id", result.callId());
    if (result.error()) {
      json.writeBooleanField("is_error", true);
    }
    json.writeArrayFieldStart("content");
    text(result.text().isBlank() ? "(nothing)" : result.text(), false);
    for (Image image : result.images()) {
      json.writeStartObject();
      json.writeStringField("type", "image");
      json.writeObjectFieldStart("source");
      json.writeStringField("type", "base64");
      json.writeStringField("media_type", image.mediaType());
      json.writeStringField("data", image.data());
      json.writeEndObject();
      json.writeEndObject();
    }
    json.writeEndArray();
    mark(marked);
    json.writeEndObject();
  }

  private void text(String text, boolean marked) throws IOException {
    json.writeStartObject();
    json.writeStringField("type", "text");
    json.writeStringField("text", text);
    mark(marked);
    json.writeEndObject();
  }

  private void mark(boolean marked) throws IOException {
    if (marked) {
      json.writeObjectFieldStart("cache_control");
      json.writeStringField("type", "ephemeral");
      json.writeEndObject();
    }
  }

  private void start(String role) throws IOException {
    json.writeStartObject();
    json.writeStringField("role", role);
    json.writeArrayFieldStart("content");
  }

  private void end() throws IOException {
    json.writeEndArray();
    json.writeEndObject();
  }
}
