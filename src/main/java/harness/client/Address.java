package harness.client;

/**
 * Where the Turns of an Agent live, by structure. The Harness checks its parts when it admits.
 *
 * @param run one segment
 * @param path the actor path of the Machine instance in its run, segments joined by slashes; may be
 *     empty
 * @param agent the Agent's name
 */
public record Address(String run, String path, String agent) {

  /** The Instance ID of its continued conversation at an epoch. */
  public String at(int epoch) {
    return epoch == 0 ? base() : base() + "/" + epoch;
  }

  String base() {
    return machine() + "/" + agent;
  }

  /** The Machine instance: what its Turns do, they do one after the other. */
  String machine() {
    return path.isEmpty() ? run : run + "/" + path;
  }

  @Override
  public String toString() {
    return base();
  }
}
