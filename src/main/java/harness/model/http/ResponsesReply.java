package harness.model.http;

import com.fasterxml.jackson.databind.JsonNode;
import harness.model.Reply;
import harness.model.Usage;

/** A reply of OpenAI's Responses API. */
final class ResponsesReply implements GrowingReply {
  private enum End {
    NONE,
    COMPLETED,
    CUT,
    REFUSED
  }

  private final ReplyBlocks blocks;
  private End end = End.NONE;
  private String reason = "";
  private Usage usage = Usage.NONE;

  ResponsesReply(ReplyBlocks blocks) {
    this.blocks = blocks;
  }

  @Override
  public void add(JsonNode event, Failures failures) throws AttemptException {
    int number = event.path("output_index").asInt();
    String delta = event.path("delta").asText("");
    switch (event.path("type").asText()) {
      case "response.output_item.added" -> open(number, event.path("item"));
      case "response.output_item.done" -> close(number, event.path("item"));
      case "response.output_text.delta", "response.refusal.delta" -> blocks.text(number, delta);
      case "response.reasoning_summary_text.delta", "response.reasoning_text.delta" ->
          blocks.thinking(number, delta);
      case "response.reasoning_summary_part.added" -> {
        if (event.path("summary_index").asInt() > 0) {
          blocks.thinking(number, "\n\n");
        }
      }
      case "response.function_call_arguments.delta" -> blocks.arguments(number, delta);
      case "response.completed" -> end(End.COMPLETED, event.path("response"));
      case "response.incomplete" -> {
        reason = event.path("response").path("incomplete_details").path("reason").asText("");
        end(reason.equals("content_filter") ? End.REFUSED : End.CUT, event.path("response"));
      }
      case "response.failed" -> throw failures.inStream(event.path("response"));
      default -> {
        // What repeats the pieces as a whole, or something newer than this version.
      }
    }
  }

  private void open(int number, JsonNode item) {
    if (item.path("type").asText().equals("function_call")) {
      blocks.call(number, item.path("call_id").asText(""), item.path("name").asText(""));
    }
  }

  /** Reasoning goes back as the item that it came as, which alone proves it. */
  private void close(int number, JsonNode item) {
    if (item.path("type").asText().equals("reasoning") && item.hasNonNull("encrypted_content")) {
      blocks.signature(number, item.toString());
    }
  }

  private void end(End how, JsonNode response) {
    end = how;
    JsonNode counted = response.path("usage");
    usage =
        new Usage(
            counted.path("input_tokens").asLong(),
            counted.path("input_tokens_details").path("cached_tokens").asLong(),
            counted.path("output_tokens").asLong());
  }

  @Override
  public boolean begun() {
    return blocks.begun();
  }

  @Override
  public boolean shown() {
    return blocks.shown();
  }

  @Override
  public boolean finished() {
    return end != End.NONE;
  }

  @Override
  public boolean complete() {
    return finished();
  }

  @Override
  public Reply end(Failures failures) throws AttemptException {
    return switch (end) {
      case NONE -> throw failures.endedEarly();
      case REFUSED -> throw failures.contentRefused(reason);
      case CUT -> blocks.end(true, usage);
      case COMPLETED -> blocks.end(false, usage);
    };
  }
}
