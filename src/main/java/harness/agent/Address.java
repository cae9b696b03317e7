package harness.agent;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where a continued conversation lives, by structure: {@code RUN/PATH/AGENT}. Its generations are
 * the conversations that it had one after the other.
 *
 * @param base the Instance ID of its first generation
 * @param agent the Agent's name
 */
public record Address(InstanceId base, String agent) {
  /** The largest epoch that is told apart from a segment of a path. */
  public static final int MAX_EPOCH = 999_999_999;

  private static final Pattern AGENT = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");
  private static final Pattern EPOCH = Pattern.compile("[1-9][0-9]{0,8}");

  /** A conversation of an address: which of its generations it is. */
  public record Generation(Address address, int epoch) {
    public InstanceId id() {
      return address.at(epoch);
    }

    public Generation next() {
      return new Generation(address, epoch + 1);
    }
  }

  /**
   * @param run one segment
   * @param path the actor path of the Machine instance in its run, segments joined by slashes; may
   *     be empty
   * @param agent starts with a letter, holds letters, digits, {@code _} and {@code -}, and does not
   *     start with {@code f-}, so that it is told apart from an epoch and from a fresh suffix
   * @throws IllegalArgumentException with a sentence that names the part and the rule it broke
   */
  public static Address of(String run, String path, String agent) {
    InstanceId.checkSegment("run", run);
    if (!path.isEmpty()) {
      for (String segment : path.split("/", -1)) {
        InstanceId.checkSegment("path", segment);
      }
    }
    checkAgent(agent);
    return new Address(
        new InstanceId(path.isEmpty() ? run + "/" + agent : run + "/" + path + "/" + agent), agent);
  }

  /**
   * @throws IllegalArgumentException with a sentence that names the rule it broke
   */
  public static void checkAgent(String agent) {
    if (!AGENT.matcher(agent).matches() || agent.startsWith("f-")) {
      throw new IllegalArgumentException(
          "an agent's name starts with a letter, holds letters, digits, '_' and '-' alone, and does"
              + " not start with 'f-'; got '"
              + InstanceId.shown(agent)
              + "'");
    }
  }

  /**
   * The Instance ID of this address at an epoch: the bare address at 0, then with the number.
   *
   * @throws IllegalArgumentException where it is longer than an Instance ID may be
   */
  public InstanceId at(int epoch) {
    return epoch == 0 ? base : new InstanceId(base + "/" + epoch);
  }

  /** The same, where that is no longer than an Instance ID may be. */
  public Optional<InstanceId> find(int epoch) {
    try {
      return Optional.of(at(epoch));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /**
   * The Instance ID of a fresh conversation beside it, told apart by a random suffix.
   *
   * @throws IllegalArgumentException where it is longer than an Instance ID may be
   */
  public InstanceId fresh(String random) {
    return new InstanceId(base + "/f-" + random);
  }

  /**
   * The generation that a conversation is. An id of another structure than {@code RUN/PATH/AGENT}
   * or {@code RUN/PATH/AGENT/EPOCH} is the first generation of an address of its own.
   */
  public static Generation generation(Instance instance) {
    String text = instance.id().value();
    int slash = text.lastIndexOf('/');
    if (slash > 0
        && EPOCH.matcher(text.substring(slash + 1)).matches()
        && text.substring(0, slash).endsWith("/" + instance.agent())) {
      Address address = new Address(new InstanceId(text.substring(0, slash)), instance.agent());
      return new Generation(address, Integer.parseInt(text.substring(slash + 1)));
    }
    return new Generation(new Address(instance.id(), instance.agent()), 0);
  }

  /**
   * A text that no other address has: an Agent may be given a conversation that bears the name of
   * another's.
   */
  public String key() {
    return agent + " " + base.value();
  }

  @Override
  public String toString() {
    return base.value();
  }
}
