package harness.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import harness.fault.Refusal;
import harness.fault.RefusedException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The probes: started and ready once recovery is over, live as long as requests are answered. */
public final class Health {
  private volatile boolean recovered;

  /** Recovery is over. */
  public void recovered() {
    recovered = true;
  }

  /** Until recovery is over nothing may be read or queued. */
  void requireRecovered() {
    if (!recovered) {
      throw new RefusedException(
          new Refusal.Draining(
              "this Harness is reading its state; send it again in a moment",
              Duration.ofSeconds(1)));
    }
  }

  Answer answer(String path) {
    return switch (path) {
      case "/health/live" -> status(true);
      case "/health/started", "/health/ready" -> status(recovered);
      default -> Answer.error(404, "no probe is " + path + "; there are started, ready and live");
    };
  }

  private static Answer status(boolean up) {
    return new Answer(
        up ? 200 : 503,
        Map.of(),
        Optional.of(JsonNodeFactory.instance.objectNode().put("status", up ? "UP" : "DOWN")));
  }
}
