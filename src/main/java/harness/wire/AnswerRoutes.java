package harness.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.admission.Admissions;
import harness.admission.Answers;
import harness.api.AnswerBody;
import harness.author.Decision;
import harness.conversation.Event;
import harness.fault.RefusedException;
import java.util.Locale;

/** Answering calls that wait, and resolving proposals. */
final class AnswerRoutes {
  /** The longest note, in characters. */
  private static final int MAX_NOTE_CHARS = 16 * 1024;

  private static final int MAX_CALL_ID_CHARS = 128;

  private final Admissions admissions;
  private final Answers answers;

  AnswerRoutes(Admissions admissions, Answers answers) {
    this.admissions = admissions;
    this.answers = answers;
  }

  /** {@code POST .../answers}. */
  Answer answer(Call call) {
    admissions.requireOpen();
    AnswerBody body = call.body().as(AnswerBody.class);
    body.note()
        .filter(note -> note.length() > MAX_NOTE_CHARS)
        .ifPresent(
            note -> {
              throw RefusedException.invalid(
                  "field 'note' has "
                      + note.length()
                      + " characters; it has at most "
                      + MAX_NOTE_CHARS,
                  "note");
            });
    Answers.Answer answer =
        new Answers.Answer(
            callId(AdmissionCodec.required(body.callId(), "callId")),
            AdmissionCodec.oneOf(
                Decision.values(),
                AdmissionCodec.required(body.decision(), "decision"),
                "decision"),
            body.note().filter(note -> !note.isBlank()),
            body.author().map(one -> Authors.actor(one, "author")).orElseGet(Authors::system));
    answers.answer(call.instance(), answer);
    ObjectNode taken = JsonNodeFactory.instance.objectNode().put("callId", answer.callId());
    return Answer.ok(taken.put("decision", answer.decision().name().toLowerCase(Locale.ROOT)));
  }

  private static String callId(String id) {
    if (id.length() > MAX_CALL_ID_CHARS) {
      throw RefusedException.invalid(
          "field 'callId' has at most " + MAX_CALL_ID_CHARS + " characters", "callId");
    }
    return id;
  }

  /** {@code GET .../proposals}: those that are open. */
  Answer proposals(Call call) {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    ArrayNode open = all.putArray("proposals");
    for (Event.Proposed proposed : answers.open(call.instance())) {
      ObjectNode one = WireEvents.proposal(proposed);
      one.set("author", WireEvents.actor(proposed.actor()));
      open.add(one);
    }
    return Answer.ok(all);
  }
}
