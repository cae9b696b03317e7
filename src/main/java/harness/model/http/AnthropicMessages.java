package harness.model.http;

import harness.model.Sink;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Anthropic's Messages API. */
final class AnthropicMessages implements Dialect {
  /** The version of the API whose shapes are written and read here. */
  private static final String VERSION = "2023-06-01";

  @Override
  public String path() {
    return "/messages";
  }

  @Override
  public Map<String, String> headers(Optional<String> key) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("anthropic-version", VERSION);
    key.ifPresent(secret -> headers.put("x-api-key", secret));
    return headers;
  }

  @Override
  public byte[] encode(Question question) {
    return AnthropicRequest.encode(question);
  }

  @Override
  public GrowingReply reply(Question question, Sink sink) {
    return new AnthropicReply(
        new ReplyBlocks(sink, new CallIds(question.request()), question.label()));
  }
}
