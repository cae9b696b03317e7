package harness.agent;

/**
 * Which conversation: one Instance ID of one Agent.
 *
 * @param agent the Agent's name
 * @param id its Instance ID
 */
public record Instance(String agent, InstanceId id) {
  @Override
  public String toString() {
    return agent + " " + id;
  }
}
