package harness.log;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import harness.author.Actor;
import harness.author.Decision;
import harness.conversation.Event;
import harness.conversation.Settlement;
import harness.conversation.Submission;
import harness.menu.Pick;
import harness.model.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What an event says to people: its kind and its text, once for each thing that it says. */
final class Telling {
  /** The most characters that are shown of one text of a call's input. */
  static final int MAX_INPUT_CHARS = 80;

  /** What is said. */
  record Said(String kind, String text) {}

  private Telling() {}

  static List<Said> of(Event event) {
    return switch (event) {
      case Event.SubmissionAdmitted e -> List.of(new Said("prompt", prompt(e.submission())));
      case Event.TurnStarted e -> List.of(new Said("turn", e.submissionId() + " begins"));
      case Event.TurnResumed e ->
          List.of(new Said("turn", e.submissionId() + " goes on for " + e.author().participant()));
      case Event.MessageJoined e ->
          List.of(new Said("joined", e.submissionId() + " rides with " + e.rides()));
      case Event.PromptAppended _ -> List.of();
      case Event.ReplyAppended e -> reply(e);
      case Event.ToolCalled e -> List.of(new Said("call", e.name() + " " + shortened(e.input())));
      case Event.ToolReturned e ->
          List.of(
              new Said(
                  "result",
                  "%s %s, %d bytes in %d ms"
                      .formatted(
                          e.callId(),
                          e.outcome().name().toLowerCase(Locale.ROOT),
                          e.bytes(),
                          e.millis())));
      case Event.AwaitingAnswer e ->
          List.of(new Said("waiting", e.callId() + " " + e.tool() + " " + shortened(e.input())));
      case Event.Answered e ->
          List.of(new Said("answer", decided(e.callId(), e.decision(), e.author(), e.note())));
      case Event.Proposed e ->
          List.of(new Said("proposal", e.callId() + " " + e.proposal().path()));
      case Event.ProposalResolved e ->
          List.of(new Said("proposal", decided(e.callId(), e.decision(), e.author(), e.note())));
      case Event.MemoryLimit e ->
          List.of(
              new Said(
                  "memory", "%s: peak %d of %d bytes".formatted(e.callId(), e.peak(), e.limit())));
      case Event.Picked e -> List.of(new Said("pick", pick(e.pick())));
      case Event.Nudged e -> List.of(new Said("nudge", e.text()));
      case Event.Rerolled e -> List.of(new Said("reroll", e.reason()));
      // Its summary may hold what results did.
      case Event.Compacted e ->
          List.of(
              new Said(
                  "compaction",
                  "%d tokens became %d".formatted(e.tokensBefore(), e.tokensAfter())));
      case Event.SubmissionSettled e ->
          List.of(new Said("settled", e.submissionId() + " " + settlement(e.settlement())));
    };
  }

  private static String prompt(Submission submission) {
    String prompt = submission.frame().prompt();
    return switch (submission.author()) {
      case Actor.System _, Actor.Owner _ -> prompt;
      case Actor.User _, Actor.ExternalAgent _, Actor.Agent _, Actor.Evaluator _ ->
          submission.author().participant() + ": " + prompt;
    };
  }

  private static String decided(
      String callId, Decision decision, Actor author, Optional<String> note) {
    return callId
        + " "
        + decision.name().toLowerCase(Locale.ROOT)
        + " by "
        + author.participant()
        + note.map(text -> ": " + text).orElse("");
  }

  private static List<Said> reply(Event.ReplyAppended reply) {
    List<Said> said = new ArrayList<>();
    for (Part part : reply.parts()) {
      switch (part) {
        case Part.Text text -> said.add(new Said("text", text.text() + cut(reply)));
        case Part.Thinking thinking -> said.add(new Said("thinking", thinking.text()));
        case Part.Redacted _, Part.Call _ -> {}
      }
    }
    return said;
  }

  private static String cut(Event.ReplyAppended reply) {
    return reply.cut() ? " [cut]" : "";
  }

  private static String pick(Pick pick) {
    return pick.name() + " " + shortened(pick.input());
  }

  private static String settlement(Settlement settlement) {
    return switch (settlement) {
      case Settlement.Completed done ->
          "completed" + done.pick().map(pick -> " with " + pick.name()).orElse("");
      case Settlement.Aborted aborted ->
          "aborted" + aborted.why().map(why -> ": " + why).orElse("");
      case Settlement.Forbidden forbidden -> "failed: forbidden: " + forbidden.message();
      case Settlement.Failed failed ->
          "failed: " + failed.fault().faultClass().wireName() + ": " + failed.fault().reason();
    };
  }

  /** The input with each of its texts cut, so that what stands behind a long one is seen too. */
  static JsonNode shortened(JsonNode input) {
    return switch (input.getNodeType()) {
      case OBJECT -> {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        input.properties().forEach(field -> all.set(field.getKey(), shortened(field.getValue())));
        yield all;
      }
      case ARRAY -> {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        input.forEach(one -> all.add(shortened(one)));
        yield all;
      }
      case STRING -> {
        String text = input.textValue();
        yield text.length() <= MAX_INPUT_CHARS
            ? input
            : TextNode.valueOf(
                text.substring(0, MAX_INPUT_CHARS)
                    + "... "
                    + (text.length() - MAX_INPUT_CHARS)
                    + " more");
      }
      case NUMBER, BOOLEAN, NULL, BINARY, MISSING, POJO -> input;
    };
  }
}
