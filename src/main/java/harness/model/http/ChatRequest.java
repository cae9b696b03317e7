package harness.model.http;

import com.fasterxml.jackson.core.JsonGenerator;
import harness.agent.ThinkingLevel;
import harness.model.Image;
import harness.model.Message;
import harness.model.Part;
import harness.model.Request;
import harness.model.ToolOffer;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Writes a request as the Chat Completions API takes it. The same request gives the same bytes, and
 * a conversation that grew gives bytes that begin with those of before: settings, then tools, then
 * the system text, then the messages, each written on its own.
 *
 * <p>The blocks of a user message become one text, an empty line between them, because many servers
 * take nothing else. A result of a tool is a text there: its pictures follow in a message of the
 * user's behind all the results of a reply. Thinking does not go back: it has no signature here.
 * The level {@code off} is sent as nothing, because {@code none} is refused by many servers; the
 * others go as they are.
 */
final class ChatRequest {
  private final JsonGenerator json;

  private ChatRequest(JsonGenerator json) {
    this.json = json;
  }

  static byte[] encode(String model, OptionalInt maxTokens, Request request) {
    return ModelJson.write(json -> new ChatRequest(json).write(model, maxTokens, request));
  }

  private void write(String model, OptionalInt maxTokens, Request request) throws IOException {
    json.writeStartObject();
    json.writeStringField("model", model);
    json.writeBooleanField("stream", true);
    json.writeObjectFieldStart("stream_options");
    json.writeBooleanField("include_usage", true);
    json.writeEndObject();
    if (maxTokens.isPresent()) {
      json.writeNumberField("max_tokens", maxTokens.getAsInt());
    }
    Optional<String> effort = request.thinkingLevel().flatMap(ChatRequest::effort);
    if (effort.isPresent()) {
      json.writeStringField("reasoning_effort", effort.get());
    }
    if (!request.tools().isEmpty()) {
      json.writeArrayFieldStart("tools");
      for (ToolOffer tool : request.tools()) {
        tool(tool);
      }
      json.writeEndArray();
    }
    json.writeArrayFieldStart("messages");
    if (!request.system().isEmpty()) {
      message("system", request.system());
    }
    for (Message message : request.messages()) {
      switch (message) {
        case Message.User user -> message("user", String.join("\n\n", user.blocks()));
        case Message.Assistant assistant -> assistant(assistant.parts());
        case Message.Results results -> results(results.results());
      }
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static Optional<String> effort(ThinkingLevel level) {
    return level == ThinkingLevel.OFF
        ? Optional.empty()
        : Optional.of(level.name().toLowerCase(Locale.ROOT));
  }

  private void tool(ToolOffer tool) throws IOException {
    json.writeStartObject();
    json.writeStringField("type", "function");
    json.writeObjectFieldStart("function");
    json.writeStringField("name", tool.name());
    json.writeStringField("description", tool.description());
    json.writeFieldName("parameters");
    json.writeRawValue(tool.inputSchema());
    json.writeEndObject();
    json.writeEndObject();
  }

  private void message(String role, String content) throws IOException {
    json.writeStartObject();
    json.writeStringField("role", role);
    json.writeStringField("content", content);
    json.writeEndObject();
  }

  private void assistant(List<Part> parts) throws IOException {
    StringBuilder text = new StringBuilder();
    boolean calls = false;
    for (Part part : parts) {
      switch (part) {
        case Part.Text said -> text.append(said.text());
        case Part.Thinking _, Part.Redacted _ -> {}
        case Part.Call _ -> calls = true;
      }
    }
    json.writeStartObject();
    json.writeStringField("role", "assistant");
    json.writeStringField("content", text.toString());
    if (calls) {
      json.writeArrayFieldStart("tool_calls");
      for (Part part : parts) {
        if (part instanceof Part.Call call) {
          call(call);
        }
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private void call(Part.Call call) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", call.callId());
    json.writeStringField("type", "function");
    json.writeObjectFieldStart("function");
    json.writeStringField("name", CallIds.legalName(call.name()));
    json.writeStringField("arguments", CallIds.object(call.input()).toString());
    json.writeEndObject();
    json.writeEndObject();
  }

  private void results(List<Message.Result> results) throws IOException {
    for (Message.Result result : results) {
      json.writeStartObject();
      json.writeStringField("role", "tool");
      json.writeStringField("tool_call_id", result.callId());
      json.writeStringField("content", result.error() ? "Error: " + result.text() : result.text());
      json.writeEndObject();
    }
    if (results.stream().anyMatch(result -> !result.images().isEmpty())) {
      pictures(results);
    }
  }

  private void pictures(List<Message.Result> results) throws IOException {
    json.writeStartObject();
    json.writeStringField("role", "user");
    json.writeArrayFieldStart("content");
    for (Message.Result result : results) {
      for (Image image : result.images()) {
        json.writeStartObject();
        json.writeStringField("type", "text");
        json.writeStringField("text", "The picture that " + result.text() + " tells of:");
        json.writeEndObject();
        json.writeStartObject();
        json.writeStringField("type", "image_url");
        json.writeObjectFieldStart("image_url");
        json.writeStringField("url", "data:" + image.mediaType() + ";base64," + image.data());
        json.writeEndObject();
        json.writeEndObject();
      }
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
