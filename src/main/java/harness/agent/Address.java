package harness.agent;

import java.util.Optional;

/**
 * Where a continued conversation lives, by structure: the run, the actor path of the Machine
 * instance in it, and the Agent.
 *
 * @param run one segment
 * @param path segments joined by slashes; may be empty
 * @param agent an agent's name: starts with a letter, holds letters, digits, {@code _} and {@code
 *     -}, and does not start with {@code f-}, so that it is told apart from an epoch and from the
 *     last segment of a fresh conversation
 */
public record Address(String run, String path, String agent) {
  /**
   * @throws IllegalArgumentException with a sentence that names the part and the rule it broke
   */
  public Address {
    InstanceId.checkSegment("run", run);
    if (!path.isEmpty()) {
      for (String segment : path.split("/", -1)) {
        InstanceId.checkSegment("path", segment);
      }
    }
    checkAgent(agent);
  }

  /**
   * @throws IllegalArgumentException with a sentence that names the rule it broke
   */
  public static void checkAgent(String agent) {
    if (!agent.matches("[A-Za-z][A-Za-z0-9_-]*") || agent.startsWith("f-")) {
      throw new IllegalArgumentException(
          "an agent's name starts with a letter, holds letters, digits, '_' and '-' alone, and does"
              + " not start with 'f-'; got '"
              + InstanceId.shown(agent)
              + "'");
    }
  }

  /** The Instance ID of this address at an epoch: the bare address at 0, then with the number. */
  public InstanceId at(int epoch) {
    return InstanceId.parse(epoch == 0 ? toString() : this + "/" + epoch);
  }

  /** The Instance ID of a fresh conversation, told apart by a random suffix. */
  public InstanceId fresh(String random) {
    return InstanceId.parse(this + "/f-" + random);
  }

  /** The address of an Instance ID; empty where the id has another structure or is a fresh one. */
  public static Optional<Address> of(InstanceId id, String agent) {
    String text = id.value();
    int last = text.lastIndexOf('/');
    String tail = text.substring(last + 1);
    if (!tail.equals(agent)) {
      if (last < 0 || !tail.matches("[1-9][0-9]{0,8}")) {
        return Optional.empty();
      }
      text = text.substring(0, last);
      last = text.lastIndexOf('/');
      if (!text.substring(last + 1).equals(agent)) {
        return Optional.empty();
      }
    }
    if (last < 0) {
      return Optional.empty();
    }
    String before = text.substring(0, last);
    int slash = before.indexOf('/');
    return Optional.of(
        slash < 0
            ? new Address(before, "", agent)
            : new Address(before.substring(0, slash), before.substring(slash + 1), agent));
  }

  @Override
  public String toString() {
    return path.isEmpty() ? run + "/" + agent : run + "/" + path + "/" + agent;
  }
}
