package harness.model.http;

import harness.model.Sink;
import java.util.Map;
import java.util.Optional;

/** OpenAI's Responses API, with nothing kept at the server. */
final class OpenAiResponses implements Dialect {
  @Override
  public String path() {
    return "/responses";
  }

  @Override
  public Map<String, String> headers(Optional<String> key) {
    return ChatCompletions.bearer(key);
  }

  @Override
  public byte[] encode(Question question) {
    return ResponsesRequest.encode(question);
  }

  @Override
  public GrowingReply reply(Question question, Sink sink) {
    return new ResponsesReply(
        new ReplyBlocks(sink, new CallIds(question.request()), question.label()));
  }
}
