package harness.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.conversation.FaultFeed;
import harness.conversation.FaultReport;
import harness.fault.RefusedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code GET /faults}: what an orchestrator's ledger follows. */
final class FaultRoutes {
  /** The most faults of one answer; {@code stream-up-to-date} says whether there are more. */
  static final int MAX_FAULTS = 1_000;

  private final FaultFeed faults;
  private final Duration longPoll;

  FaultRoutes(FaultFeed faults, Duration longPoll) {
    this.faults = faults;
    this.longPoll = longPoll;
  }

  Answer read(Call call) throws InterruptedException {
    long from = offset(call.query("offset"));
    if (from > faults.end()) {
      // A ledger that follows another state directory would wait for what it has never been told.
      throw RefusedException.invalid(
          "offset " + from + " is past the end of the faults; it was never handed out", "offset");
    }
    boolean parks = call.longPolls();
    List<FaultFeed.Placed> found =
        parks ? faults.await(from, MAX_FAULTS, longPoll) : faults.read(from, MAX_FAULTS);
    ArrayNode shown = JsonNodeFactory.instance.arrayNode();
    found.forEach(placed -> placed.report().map(FaultRoutes::show).ifPresent(shown::add));
    long next = found.isEmpty() ? from : found.getLast().place() + 1;
    Answer answer =
        parks && found.isEmpty() ? new Answer(204, Map.of(), Optional.empty()) : Answer.ok(shown);
    return answer
        .with("stream-next-offset", String.valueOf(next))
        .with("stream-up-to-date", String.valueOf(found.size() < MAX_FAULTS));
  }

  private static ObjectNode show(FaultReport report) {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("agent", report.instance().agent())
            .put("instanceId", report.instance().id().value())
            .put("submissionId", report.submissionId());
    node.set("fault", WireEvents.fault(report.instance(), report.settlement()));
    return node;
  }

  private static long offset(Optional<String> given) {
    String text = given.orElse("0");
    if (!text.matches("[0-9]{1,18}")) {
      throw RefusedException.invalid(
          "'" + text + "' is no offset of the faults; give one back as a header gave it", "offset");
    }
    return Long.parseLong(text);
  }
}
