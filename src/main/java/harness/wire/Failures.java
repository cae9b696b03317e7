package harness.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.conversation.Settlement;
import harness.fault.Refusal;
import harness.fault.RefusedException;
import harness.store.CorruptEventException;
import harness.store.StoreUnableException;
import harness.workspace.attach.AttachException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The one ladder from a failure to its answer. */
final class Failures {
  private static final System.Logger LOG = System.getLogger(Failures.class.getName());

  private Failures() {}

  static Answer answer(RuntimeException failure) {
    return switch (failure) {
      case RefusedException refused -> answer(refused.refusal());
      case BrokenBodyException broken ->
          invalid(new Refusal.Invalid(String.valueOf(broken.getMessage()), "")).closing();
      case StoreUnableException unknown when unknown.mayBeStored() ->
          // Not 507, which says that nothing was admitted.
          Answer.error(500, String.valueOf(unknown.getMessage())).closing();
      case StoreUnableException unable ->
          answer(new Refusal.StoreUnable(String.valueOf(unable.getMessage())));
      case AttachException failed ->
          new Answer(
              500,
              Map.of(),
              Optional.of(
                  JsonNodeFactory.instance
                      .objectNode()
                      .put("error", String.valueOf(failed.getMessage()))
                      .put("slot", failed.slot())));
      case CorruptEventException corrupt -> Answer.error(500, String.valueOf(corrupt.getMessage()));
      default -> {
        LOG.log(Level.ERROR, "a bug failed a request", failure);
        yield Answer.error(
            500,
            "a bug of the Harness failed this request (" + failure + "); its log has the trace");
      }
    };
  }

  private static Answer answer(Refusal refusal) {
    return switch (refusal) {
      case Refusal.Invalid invalid -> invalid(invalid);
      case Refusal.Unauthorized r ->
          Answer.error(401, r.message()).with("WWW-Authenticate", "Bearer");
      case Refusal.Forbidden r -> Answer.error(403, r.message());
      case Refusal.NotHeld r -> Answer.error(404, r.message());
      case Refusal.NoRoute r -> Answer.error(404, r.message());
      case Refusal.NoMethod r -> Answer.error(405, r.message()).with("Allow", r.allowed());
      case Refusal.Burned burned -> burned(burned);
      case Refusal.NotAwaited r -> Answer.error(409, r.message());
      case Refusal.TooLarge r -> Answer.error(413, r.message()).closing();
      case Refusal.KeyReused r -> Answer.error(422, r.message());
      case Refusal.Full r ->
          Answer.error(429, r.message()).with("Retry-After", seconds(r.retryAfter()));
      case Refusal.Draining r ->
          Answer.error(503, r.message()).with("Retry-After", seconds(r.retryAfter())).closing();
      case Refusal.NoToolHost r ->
          Answer.error(503, r.message()).with("Retry-After", seconds(r.retryAfter()));
      case Refusal.StoreUnable r -> Answer.error(507, r.message());
    };
  }

  private static Answer invalid(Refusal.Invalid invalid) {
    ObjectNode body =
        JsonNodeFactory.instance
            .objectNode()
            .put("error", invalid.message())
            .put("field", invalid.field());
    return new Answer(400, Map.of(), Optional.of(body));
  }

  private static Answer burned(Refusal.Burned burned) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("error", burned.message());
    body.set(
        "fault",
        WireEvents.fault(
            burned.fault(),
            burned.epoch().map(epoch -> new Settlement.Bump(epoch.from(), epoch.to())),
            burned.next()));
    burned.next().ifPresent(next -> body.put("next", next));
    return new Answer(409, Map.of(), Optional.of(body));
  }

  private static String seconds(Duration duration) {
    return String.valueOf(Math.max(1, duration.toSeconds()));
  }
}
