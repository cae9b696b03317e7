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
import java.util.OptionalInt;

/**
 * Writes a request as OpenAI's Responses API takes it. Nothing is stored at the server, so the
 * whole conversation goes with each request; a model that thinks gets its own reasoning back as the
 * encrypted items that it came as. The level {@code off} is sent as nothing, because models differ
 * in how they take it.
 */
final class ResponsesRequest {
  private final JsonGenerator json;
  private final Dialect.Question question;

  private ResponsesRequest(JsonGenerator json, Dialect.Question question) {
    this.json = json;
    this.question = question;
  }

  static byte[] encode(Dialect.Question question) {
    return ModelJson.write(json -> new ResponsesRequest(json, question).write());
  }

  private void write() throws IOException {
    json.writeStartObject();
    json.writeStringField("model", question.model());
    json.writeBooleanField("stream", true);
    json.writeBooleanField("store", false);
    OptionalInt maxTokens = question.traits().maxTokens();
    if (maxTokens.isPresent()) {
      json.writeNumberField("max_output_tokens", maxTokens.getAsInt());
    }
    Optional<ThinkingLevel> level =
        question.request().thinkingLevel().filter(one -> one != ThinkingLevel.OFF);
    if (level.isPresent()) {
      json.writeObjectFieldStart("reasoning");
      json.writeStringField("effort", level.get().name().toLowerCase(Locale.ROOT));
      json.writeStringField("summary", "auto");
      json.writeEndObject();
      json.writeArrayFieldStart("include");
      json.writeString("reasoning.encrypted_content");
      json.writeEndArray();
    }
    tools(question.request().tools());
    if (!question.request().system().isEmpty()) {
      json.writeStringField("instructions", question.request().system());
    }
    json.writeArrayFieldStart("input");
    for (Message message : question.request().messages()) {
      switch (message) {
        case Message.User user -> user(user.blocks());
        case Message.Assistant assistant -> assistant(assistant.parts());
        case Message.Results results -> results(results.results());
      }
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void tools(List<ToolOffer> tools) throws IOException {
    if (tools.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart("tools");
    for (ToolOffer tool : tools) {
      json.writeStartObject();
      json.writeStringField("type", "function");
      json.writeStringField("name", tool.name());
      json.writeStringField("description", tool.description());
      json.writeFieldName("parameters");
      json.writeRawValue(tool.inputSchema());
      json.writeBooleanField("strict", false);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void user(List<String> blocks) throws IOException {
    startMessage("user");
    for (String block : blocks) {
      text("input_text", block);
    }
    endMessage();
  }

  private void assistant(List<Part> parts) throws IOException {
    for (Part part : parts) {
      switch (part) {
        case Part.Text said -> {
          startMessage("assistant");
          text("output_text", said.text());
          endMessage();
        }
        case Part.Thinking thought -> {
          if (thought.signedBy(question.label())) {
            json.writeRawValue(thought.signature());
          }
        }
        case Part.Redacted _ -> {}
        case Part.Call call -> {
          json.writeStartObject();
          json.writeStringField("type", "function_call");
          json.writeStringField("call_id", call.callId());
          json.writeStringField("name", CallIds.legalName(call.name()));
          json.writeStringField("arguments", CallIds.object(call.input()).toString());
          json.writeEndObject();
        }
      }
    }
  }

  private void results(List<Message.Result> results) throws IOException {
    for (Message.Result result : results) {
      String text = result.error() ? "Error: " + result.text() : result.text();
      json.writeStartObject();
      json.writeStringField("type", "function_call_output");
      json.writeStringField("call_id", result.callId());
      if (result.images().isEmpty()) {
        json.writeStringField("output", text);
      } else {
        json.writeArrayFieldStart("output");
        text("input_text", text);
        for (Image image : result.images()) {
          json.writeStartObject();
          json.writeStringField("type", "input_image");
          json.writeStringField(
              "image_url", "data:" + image.mediaType() + ";base64," + image.data());
          json.writeEndObject();
        }
        json.writeEndArray();
      }
      json.writeEndObject();
    }
  }

  private void startMessage(String role) throws IOException {
    json.writeStartObject();
    json.writeStringField("type", "message");
    json.writeStringField("role", role);
    json.writeArrayFieldStart("content");
  }

  private void endMessage() throws IOException {
    json.writeEndArray();
    json.writeEndObject();
  }

  private void text(String type, String text) throws IOException {
    json.writeStartObject();
    json.writeStringField("type", type);
    json.writeStringField("text", text);
    json.writeEndObject();
  }
}
