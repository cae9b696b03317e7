package harness.client;

import harness.client.Transport.Exchange;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Sends a request until an answer counts, up a {@link Ladder}, and says once what that cost. */
final class Courier {
  private static final String RETRY_AFTER = "retry-after";
  private static final int SERVER_ERRORS = 500;

  /** The Harness says with it that nothing was done. */
  private static final int NO_ROOM = 507;

  private final Transport transport;
  private final Timing timing;
  private final Consumer<String> log;
  private final Consumer<String> waits;

  Courier(Transport transport, Timing timing, Consumer<String> log, Consumer<String> waits) {
    this.transport = transport;
    this.timing = timing;
    this.log = log;
    this.waits = waits;
  }

  /**
   * What became of a request.
   *
   * @param last the first exchange that counts, or the last one
   * @param unsure whether one of its tries may have done something without saying so
   */
  record Sent(Exchange last, boolean unsure) {}

  /**
   * @param again whether it is sent again after this
   */
  Sent send(Transport.Request request, Ladder ladder, Predicate<Exchange> again)
      throws InterruptedException {
    Instant start = timing.clock().instant();
    boolean unsure = false;
    for (int tries = 1; ; tries++) {
      Exchange exchange = transport.send(request);
      unsure |= isUnsure(exchange);
      Duration spent = Duration.between(start, timing.clock().instant());
      Duration left = ladder.total().minus(spent);
      boolean more = again.test(exchange);
      if (!more || !left.isPositive()) {
        if (tries > 1) {
          log.accept(
              "%s %s was %s after %d tries in %d ms; the last came to: %s"
                  .formatted(
                      request.method(),
                      request.target(),
                      more ? "given up" : "answered",
                      tries,
                      spent.toMillis(),
                      shown(exchange)));
        }
        return new Sent(exchange, unsure);
      }
      if (tries == 1) {
        waits.accept(
            "%s %s came to: %s; it is tried again for up to %d s"
                .formatted(
                    request.method(),
                    request.target(),
                    shown(exchange),
                    ladder.total().toSeconds()));
      }
      Duration wait = ladder.step(tries, timing.random());
      Duration asked = retryAfter(exchange);
      timing.pause().sleep(min(left, asked.compareTo(wait) > 0 ? asked : wait));
    }
  }

  private static boolean isUnsure(Exchange exchange) {
    return switch (exchange) {
      case Exchange.Answered answered ->
          answered.status() >= SERVER_ERRORS && answered.status() != NO_ROOM;
      case Exchange.Unanswered _ -> true;
      case Exchange.Undelivered _ -> false;
    };
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** What the answer asks for; it may be a date too, which is then not waited for. */
  private static Duration retryAfter(Exchange exchange) {
    if (exchange instanceof Exchange.Answered answered) {
      String text = answered.headers().getOrDefault(RETRY_AFTER, "");
      if (text.matches("[0-9]{1,6}")) {
        return Duration.ofSeconds(Integer.parseInt(text));
      }
    }
    return Duration.ZERO;
  }

  private static String shown(Exchange exchange) {
    return switch (exchange) {
      case Exchange.Answered answered -> "status " + answered.status();
      case Exchange.Undelivered undelivered -> undelivered.why();
      case Exchange.Unanswered unanswered -> unanswered.why();
    };
  }
}
