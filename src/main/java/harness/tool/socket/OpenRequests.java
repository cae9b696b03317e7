package harness.tool.socket;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The requests of one connection that are not answered, each by its id. Safe for many threads. */
final class OpenRequests {
  private final Map<Long, Asked> open = new HashMap<>();
  private final Map<Long, Asked> givenUp = new HashMap<>();
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

  /** The one with this id, whether or not anybody waits for it: its bounds hold in any case. */
  synchronized Asked find(long id) throws ProtocolException {
    Asked asked = open.getOrDefault(id, givenUp.get(id));
    if (asked == null) {
      throw new ProtocolException("an answer to request " + id + ", which is not open");
    }
    return asked;
  }

  /** Closes one by its answer; empty where nobody waits for it any more. */
  synchronized Optional<Asked> close(long id) {
    givenUp.remove(id);
    return Optional.ofNullable(open.remove(id));
  }

  /** Nobody waits for its answer any more; false where too many are left unanswered. */
  synchronized boolean giveUp(long id) {
    Asked asked = open.remove(id);
    if (asked != null) {
      asked.giveUp();
      givenUp.put(id, asked);
    }
    return givenUp.size() <= Protocol.MAX_OPEN;
  }

  /** It was not sent, so that no answer to it comes. */
  synchronized void forget(long id) {
    open.remove(id);
  }

  /** The connection has ended; those that were open. */
  synchronized List<Asked> end() {
    closed = true;
    List<Asked> left = List.copyOf(open.values());
    open.clear();
    return left;
  }
}
