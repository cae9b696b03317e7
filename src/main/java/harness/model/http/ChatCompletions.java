package harness.model.http;

import harness.model.Sink;
import java.util.Map;
import java.util.Optional;

/** The Chat Completions API. */
final class ChatCompletions implements Dialect {
  @Override
  public String path() {
    return "/chat/completions";
  }

  @Override
  public Map<String, String> headers(Optional<String> key) {
    return bearer(key);
  }

  static Map<String, String> bearer(Optional<String> key) {
    return key.map(secret -> Map.of("Authorization", "Bearer " + secret)).orElse(Map.of());
  }

  @Override
  public byte[] encode(Question question) {
    return ChatRequest.encode(question.model(), question.traits().maxTokens(), question.request());
  }

  @Override
  public GrowingReply reply(Question question, Sink sink) {
    return new ChatReply(sink, new CallIds(question.request()));
  }
}
