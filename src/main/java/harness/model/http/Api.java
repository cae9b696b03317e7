package harness.model.http;

import java.util.Arrays;
import java.util.Optional;

/** The APIs that a provider may speak, as configuration names them. */
public enum Api {
  /** Chat Completions, as many servers have it. */
  OPENAI_CHAT("openai-chat", new ChatCompletions()),
  /** OpenAI's Responses. */
  OPENAI_RESPONSES("openai-responses", new OpenAiResponses()),
  /** Anthropic's Messages. */
  ANTHROPIC_MESSAGES("anthropic-messages", new AnthropicMessages());

  private final String wireName;
  private final Dialect dialect;

  Api(String wireName, Dialect dialect) {
    this.wireName = wireName;
    this.dialect = dialect;
  }

  /** The one that configuration names so, if there is one. */
  public static Optional<Api> named(String wireName) {
    return Arrays.stream(values()).filter(one -> one.wireName.equals(wireName)).findFirst();
  }

  public String wireName() {
    return wireName;
  }

  Dialect dialect() {
    return dialect;
  }
}
