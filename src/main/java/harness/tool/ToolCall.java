package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.agent.Access;
import harness.agent.Instance;
import harness.author.Actor;

/**
 * One call of a Working tool, as data: a tool host needs nothing else to run it.
 *
 * @param callId the Harness's id of the call
 * @param name the tool
 * @param input its arguments as the model wrote them
 * @param cwd the Frame's working directory, absolute and normalised
 * @param access what the definition allows
 * @param mode what becomes of the changes that it asks for
 * @param instance the conversation it runs for
 * @param actor the agent, acting for the Turn's author
 * @param seen which versions of the files that it names the conversation knows
 * @param becomes what an accepted proposal makes of its files
 */
public record ToolCall(
    String callId,
    String name,
    JsonNode input,
    String cwd,
    Access access,
    Mode mode,
    Instance instance,
    Actor actor,
    Seen seen,
    Seen becomes) {
  /** One that accepts no proposal. */
  public ToolCall(
      String callId,
      String name,
      JsonNode input,
      String cwd,
      Access access,
      Mode mode,
      Instance instance,
      Actor actor,
      Seen seen) {
    this(callId, name, input, cwd, access, mode, instance, actor, seen, Seen.NOTHING);
  }
}
