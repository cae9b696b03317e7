package harness.turn;

import harness.conversation.Attempt;
import harness.conversation.Event;
import harness.model.Part;
import harness.model.Reply;
import java.util.List;

/** What a reply is recorded as, its calls apart. */
final class Said {
  private Said() {}

  /** What was said beside calls; nothing where it was calls alone. */
  static List<Event> of(Attempt attempt, Reply reply, boolean cut) {
    List<Part> parts = reply.parts().stream().filter(part -> !(part instanceof Part.Call)).toList();
    return parts.isEmpty()
        ? List.of()
        : List.of(
            new Event.ReplyAppended(
                attempt.submission().submissionId(),
                "m-" + attempt.position(),
                parts,
                cut,
                reply.usage(),
                attempt.actor(),
                attempt.provenance()));
  }
}
