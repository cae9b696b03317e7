package harness.conversation;

import com.fasterxml.jackson.databind.JsonNode;
import harness.model.Message;
import harness.model.Part;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Counts about how many bytes of memory messages take; rather more than less. */
final class Weight {
  /** What the longer characters take. */
  private static final int CHARACTER_BYTES = 2;

  /** An object, and where it hangs. */
  private static final int OBJECT_BYTES = 64;

  private long bytes;

  long bytes() {
    return bytes;
  }

  Weight submissions(Collection<Submission> submissions) {
    for (Submission one : submissions) {
      text(one.frame().prompt());
      text(one.definition().instructions());
    }
    return this;
  }

  Weight texts(Map<String, String> map) {
    map.forEach(
        (key, value) -> {
          text(key);
          text(value);
        });
    return this;
  }

  Weight messages(List<Message> messages) {
    messages.forEach(this::message);
    return this;
  }

  Weight parts(List<Part> parts) {
    parts.forEach(this::part);
    return this;
  }

  Weight results(List<Message.Result> results) {
    results.forEach(this::result);
    return this;
  }

  private void message(Message message) {
    bytes += OBJECT_BYTES;
    switch (message) {
      case Message.User user -> user.blocks().forEach(this::text);
      case Message.Assistant assistant -> parts(assistant.parts());
      case Message.Results results -> results(results.results());
    }
  }

  private void result(Message.Result result) {
    text(result.callId());
    text(result.text());
    result.images().forEach(image -> text(image.data()));
  }

  private void part(Part part) {
    switch (part) {
      case Part.Text said -> text(said.text());
      case Part.Thinking thought -> {
        text(thought.text());
        text(thought.signature());
      }
      case Part.Redacted hidden -> text(hidden.data());
      case Part.Call call -> {
        text(call.callId());
        json(call.input());
      }
    }
  }

  private void json(JsonNode node) {
    bytes += OBJECT_BYTES;
    if (node.isTextual()) {
      text(node.textValue());
    }
    node.fieldNames().forEachRemaining(this::text);
    node.forEach(this::json);
  }

  private void text(String text) {
    bytes += OBJECT_BYTES + (long) CHARACTER_BYTES * text.length();
  }
}
