package harness.model.http;

import com.fasterxml.jackson.databind.JsonNode;
import harness.model.Reply;
import harness.model.Usage;

/** A reply of Anthropic's Messages API. */
final class AnthropicReply implements GrowingReply {
  private final ReplyBlocks blocks;
  private String stopReason = "";
  private boolean stopped;
  private long inputTokens;
  private long cachedInputTokens;
  private long outputTokens;

  AnthropicReply(ReplyBlocks blocks) {
    this.blocks = blocks;
  }

  @Override
  public void add(JsonNode event, Failures failures) {
    int number = event.path("index").asInt();
    switch (event.path("type").asText()) {
      case "message_start" -> count(event.path("message").path("usage"));
      case "content_block_start" -> open(number, event.path("content_block"));
      case "content_block_delta" -> grow(number, event.path("delta"));
      case "message_delta" -> {
        stopReason = event.path("delta").path("stop_reason").asText(stopReason);
        count(event.path("usage"));
      }
      case "message_stop" -> stopped = true;
      default -> {
        // A ping, the end of a block, or something newer than this version.
      }
    }
  }

  /** Each count is the whole so far; what was read from or written to a cache is counted apart. */
  private void count(JsonNode usage) {
    if (usage.has("input_tokens")) {
      cachedInputTokens = usage.path("cache_read_input_tokens").asLong();
      inputTokens =
          usage.path("input_tokens").asLong()
              + cachedInputTokens
              + usage.path("cache_creation_input_tokens").asLong();
    }
    outputTokens = usage.path("output_tokens").asLong(outputTokens);
  }

  private void open(int number, JsonNode block) {
    switch (block.path("type").asText()) {
      case "text" -> blocks.text(number, block.path("text").asText(""));
      case "thinking" -> {
        blocks.thinking(number, block.path("thinking").asText(""));
        blocks.signature(number, block.path("signature").asText(""));
      }
      case "redacted_thinking" -> blocks.redacted(number, block.path("data").asText(""));
      case "tool_use" ->
          blocks.call(number, block.path("id").asText(""), block.path("name").asText(""));
      default -> {
        // A block of a tool that the provider runs itself: none was asked for.
      }
    }
  }

  private void grow(int number, JsonNode delta) {
    switch (delta.path("type").asText()) {
      case "text_delta" -> blocks.text(number, delta.path("text").asText(""));
      case "thinking_delta" -> blocks.thinking(number, delta.path("thinking").asText(""));
      case "signature_delta" -> blocks.signature(number, delta.path("signature").asText(""));
      case "input_json_delta" -> blocks.arguments(number, delta.path("partial_json").asText(""));
      default -> {
        // A citation, or something newer than this version.
      }
    }
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
    return !stopReason.isEmpty();
  }

  @Override
  public boolean complete() {
    return stopped;
  }

  @Override
  public Reply end(Failures failures) throws AttemptException {
    Usage usage = new Usage(inputTokens, cachedInputTokens, outputTokens);
    return switch (stopReason) {
      case "" -> throw failures.endedEarly();
      case "refusal" -> throw failures.contentRefused(stopReason);
      case "model_context_window_exceeded" -> throw failures.contextFull(stopReason);
      case "max_tokens" -> blocks.end(true, usage);
      default -> blocks.end(false, usage);
    };
  }
}
