package harness.client;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Carries one request to a Harness, once. */
@FunctionalInterface
public interface Transport {
  Exchange send(Request request) throws InterruptedException;

  /**
   * A request.
   *
   * @param target the raw path with its query
   * @param within how long its whole answer is waited for
   */
  record Request(
      String method,
      String target,
      Map<String, String> headers,
      Optional<String> body,
      Duration within) {
    public Request {
      headers = Map.copyOf(headers);
    }
  }

  /** What came of it. */
  sealed interface Exchange {
    /**
     * An answer.
     *
     * @param headers by lower-case name
     */
    record Answered(int status, Map<String, String> headers, String body) implements Exchange {
      public Answered {
        headers = Map.copyOf(headers);
      }
    }

    /** It never left: nothing can have come of it. */
    record Undelivered(String why) implements Exchange {}

    /** It may have arrived, and no whole answer came. */
    record Unanswered(String why) implements Exchange {}
  }
}
