package harness.model;

import harness.agent.ThinkingLevel;
import java.util.List;
import java.util.Optional;

/**
 * What a model is asked. The same tools, system and earlier messages are the same bytes each time,
 * so that a provider's prefix cache hits.
 */
public record Request(
    String system,
    List<ToolOffer> tools,
    List<Message> messages,
    Optional<ThinkingLevel> thinkingLevel) {
  public Request {
    tools = List.copyOf(tools);
    messages = List.copyOf(messages);
  }
}
