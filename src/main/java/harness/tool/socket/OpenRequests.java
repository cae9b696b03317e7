package harness.tool.socket;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The requests of one connection that are not answered, each by its id. Safe for many threads. */
final class OpenRequests {
  private final Map<Long, Asked> open = new HashMap<>();
  private final Set<Long> givenUp = new HashSet<>();
  private long last;
  private boolean closed;

  /**
   * Opens one; empty where the connection has ended.
   *
   * @throws IOException where too many are open
   */
  synchronized Optional<Long> open(Asked asked) throws IOException {
    if (closed) {
      return Optional.empty();
    }
    if (open.size() == Protocol.MAX_OPEN) {
      throw new IOException(
          Protocol.MAX_OPEN + " requests to the tool host are open already; try again later");
    }
    open.put(++last, asked);
    return Optional.of(last);
  }

  /** The open one with this id; empty where nobody waits for it any more. */
  synchronized Optional<Asked> find(long id) throws ProtocolException {
    Asked asked = open.get(id);
    if (asked == null && !givenUp.contains(id)) {
      throw new ProtocolException("an answer to request " + id + ", which is not open");
    }
    return Optional.ofNullable(asked);
  }

  /** Closes one by its answer; empty where nobody waits for it any more. */
  synchronized Optional<Asked> close(long id) throws ProtocolException {
    Optional<Asked> asked = find(id);
    open.remove(id);
    givenUp.remove(id);
    return asked;
  }

  /** Nobody waits for its answer any more; false where too many are left unanswered. */
  synchronized boolean giveUp(long id) {
    if (open.remove(id) != null) {
      givenUp.add(id);
    }
    return givenUp.size() <= Protocol.MAX_OPEN;
  }

  /** The connection has ended; those that were open. */
  synchronized List<Asked> end() {
    closed = true;
    List<Asked> left = List.copyOf(open.values());
    open.clear();
    return left;
  }
}
