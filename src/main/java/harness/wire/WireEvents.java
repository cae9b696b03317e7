package harness.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import harness.agent.Address;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.api.FaultBody;
import harness.author.Actor;
import harness.author.Decision;
import harness.conversation.Conversations;
import harness.conversation.Event;
import harness.conversation.Recorded;
import harness.conversation.Settlement;
import harness.conversation.Submission;
import harness.fault.Fault;
import harness.menu.Pick;
import harness.model.Part;
import harness.model.Usage;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Events as the wire shows them: a projection of what is recorded, for one conversation. */
final class WireEvents {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final ObjectMapper JSON = JsonMapper.builder().addModule(new Jdk8Module()).build();

  private final Instance instance;
  private final Conversations conversations;

  /** The last Submission that was shown: the events of one Turn ask for it again and again. */
  private Optional<Submission> last = Optional.empty();

  WireEvents(Instance instance, Conversations conversations) {
    this.instance = instance;
    this.conversations = conversations;
  }

  /** Empty where readers see nothing of it. */
  Optional<ObjectNode> show(Recorded recorded) {
    ObjectNode node = NODES.objectNode();
    boolean shown =
        switch (recorded.event()) {
          case Event.SubmissionAdmitted e -> {
            last = last.or(() -> Optional.of(e.submission()));
            yield admitted(node, e.submission());
          }
          case Event.TurnStarted e -> started(node, e);
          case Event.TurnResumed e -> resumed(node, e);
          case Event.MessageJoined e -> joined(node, e);
          case Event.PromptAppended e -> prompt(node, e);
          case Event.ReplyAppended e -> reply(node, e);
          case Event.ToolCalled e -> called(node, e);
          case Event.ToolReturned e -> returned(node, e);
          case Event.AwaitingAnswer e -> awaiting(node, e);
          case Event.Answered e -> answered(node, e);
          case Event.Proposed e -> proposed(node, e);
          case Event.ProposalResolved e -> resolved(node, e);
          case Event.MemoryLimit e -> memoryLimit(node, e);
          case Event.Picked e -> picked(node, e);
          case Event.Nudged e -> again(node, "nudged", e.submissionId(), e.attempt());
          case Event.Rerolled e -> {
            again(node, "rerolled", e.submissionId(), e.attempt());
            node.put("reason", e.reason());
            yield true;
          }
          case Event.Compacted e -> compacted(node, e);
          case Event.SubmissionSettled e -> settled(node, e);
        };
    if (!shown) {
      return Optional.empty();
    }
    ObjectNode whole = NODES.objectNode();
    whole.set("type", node.remove("type"));
    whole.put("conversationId", instance.id().value());
    whole.putObject("position").put("batch", recorded.batch()).put("index", recorded.index());
    whole.put("at", recorded.at().toString());
    whole.setAll(node);
    return Optional.of(whole);
  }

  private static boolean admitted(ObjectNode node, Submission submission) {
    node.put("type", "submission-admitted").put("submissionId", submission.submissionId());
    node.set("author", actor(submission.author()));
    return true;
  }

  private boolean started(ObjectNode node, Event.TurnStarted e) {
    Submission submission = submission(e.submissionId(), e.admitted());
    node.put("type", "turn-started");
    return segment(node, submission, submission.author(), e.attempt(), e.actor());
  }

  private boolean resumed(ObjectNode node, Event.TurnResumed e) {
    Submission submission = submission(e.submissionId(), e.admitted());
    node.put("type", "turn-resumed");
    return segment(node, submission, e.author(), e.attempt(), e.actor());
  }

  private static boolean segment(
      ObjectNode node, Submission submission, Actor author, int attempt, Actor.Agent actor) {
    node.put("submissionId", submission.submissionId());
    node.set("author", actor(author));
    submission.frame().cwd().ifPresent(cwd -> node.put("cwd", cwd));
    node.put("model", submission.dials().model().toString());
    submission
        .dials()
        .thinkingLevel()
        .ifPresent(level -> node.put("thinkingLevel", level.name().toLowerCase(Locale.ROOT)));
    node.put("attempt", attempt);
    node.set("actor", actor(actor));
    return true;
  }

  private static boolean joined(ObjectNode node, Event.MessageJoined e) {
    node.put("type", "message-joined").put("submissionId", e.submissionId());
    node.put("joined", e.rides());
    return true;
  }

  private boolean prompt(ObjectNode node, Event.PromptAppended e) {
    Submission submission = submission(e.submissionId(), e.admitted());
    node.put("type", "message-appended").put("submissionId", e.submissionId());
    node.set("message", message(e.messageId(), "user", submission.frame().prompt()));
    node.set("author", actor(submission.author()));
    node.set("provenance", JSON.valueToTree(e.provenance()));
    return true;
  }

  private Submission submission(String id, long admitted) {
    Submission found =
        last.filter(one -> one.submissionId().equals(id))
            .orElseGet(() -> conversations.submission(instance, admitted));
    last = Optional.of(found);
    return found;
  }

  private static boolean reply(ObjectNode node, Event.ReplyAppended e) {
    String text = text(e.parts());
    node.put("type", "message-appended").put("submissionId", e.submissionId());
    ObjectNode message = message(e.messageId(), "assistant", text);
    if (e.cut()) {
      message.put("cut", true);
    }
    node.set("message", message);
    node.set("author", actor(e.actor()));
    node.set("actor", actor(e.actor()));
    node.set("provenance", JSON.valueToTree(e.provenance()));
    return !text.isEmpty();
  }

  private static boolean called(ObjectNode node, Event.ToolCalled e) {
    node.put("type", "tool-called").put("submissionId", e.submissionId());
    node.put("callId", e.callId()).put("name", e.name());
    node.set("input", e.input());
    node.set("actor", actor(e.actor()));
    return true;
  }

  private static boolean returned(ObjectNode node, Event.ToolReturned e) {
    node.put("type", "tool-returned").put("submissionId", e.submissionId());
    node.put("callId", e.callId()).put("outcome", e.outcome().name().toLowerCase(Locale.ROOT));
    node.put("ms", e.millis()).put("bytes", e.bytes()).put("truncated", e.truncated());
    node.set("actor", actor(e.actor()));
    node.set("provenance", JSON.valueToTree(e.provenance()));
    return true;
  }

  private static boolean awaiting(ObjectNode node, Event.AwaitingAnswer e) {
    node.put("type", "awaiting-answer").put("submissionId", e.submissionId());
    node.put("callId", e.callId()).put("tool", e.tool());
    node.set("input", e.input());
    node.set("actor", actor(e.actor()));
    return true;
  }

  private static boolean answered(ObjectNode node, Event.Answered e) {
    node.put("type", "answered").put("submissionId", e.submissionId());
    return decided(node, e.callId(), e.decision(), e.note(), e.author());
  }

  private static boolean decided(
      ObjectNode node, String callId, Decision decision, Optional<String> note, Actor author) {
    node.put("callId", callId).put("decision", decision.name().toLowerCase(Locale.ROOT));
    note.ifPresent(text -> node.put("note", text));
    node.set("author", actor(author));
    return true;
  }

  private static boolean proposed(ObjectNode node, Event.Proposed e) {
    node.put("type", "proposed").put("submissionId", e.submissionId());
    node.setAll(proposal(e));
    node.set("actor", actor(e.actor()));
    node.set("provenance", JSON.valueToTree(e.provenance()));
    return true;
  }

  /** A proposal as lists of them show it: callId, path and diff. */
  static ObjectNode proposal(Event.Proposed e) {
    return NODES
        .objectNode()
        .put("callId", e.callId())
        .put("path", e.proposal().path())
        .put("diff", e.proposal().diff());
  }

  private static boolean resolved(ObjectNode node, Event.ProposalResolved e) {
    node.put("type", "proposal-resolved").put("submissionId", e.submissionId());
    node.set("provenance", JSON.valueToTree(e.provenance()));
    return decided(node, e.callId(), e.decision(), e.note(), e.author());
  }

  private static boolean memoryLimit(ObjectNode node, Event.MemoryLimit e) {
    node.put("type", "memory-limit").put("submissionId", e.submissionId());
    node.put("callId", e.callId()).put("peak", e.peak()).put("limit", e.limit());
    return true;
  }

  private static boolean picked(ObjectNode node, Event.Picked e) {
    node.put("type", "picked").put("submissionId", e.submissionId());
    node.setAll(pick(e.pick()));
    node.set("actor", actor(e.actor()));
    return true;
  }

  private static ObjectNode pick(Pick pick) {
    ObjectNode node = NODES.objectNode().put("name", pick.name());
    node.set("input", pick.input());
    return node;
  }

  private static boolean again(ObjectNode node, String type, String submissionId, int attempt) {
    node.put("type", type).put("submissionId", submissionId).put("attempt", attempt);
    return true;
  }

  private static boolean compacted(ObjectNode node, Event.Compacted e) {
    node.put("type", "compacted").put("submissionId", e.submissionId());
    node.put("tokensBefore", e.tokensBefore()).put("tokensAfter", e.tokensAfter());
    return true;
  }

  private boolean settled(ObjectNode node, Event.SubmissionSettled e) {
    node.put("type", "submission-settled");
    node.setAll(settlement(e));
    return true;
  }

  /** A Settlement: submissionId, outcome, pick, error, fault, causedBy, joined and usage. */
  ObjectNode settlement(Event.SubmissionSettled e) {
    ObjectNode node = NODES.objectNode().put("submissionId", e.submissionId());
    switch (e.settlement()) {
      case Settlement.Completed completed -> {
        node.put("outcome", "completed");
        completed.pick().ifPresent(pick -> node.set("pick", pick(pick)));
      }
      case Settlement.Aborted aborted -> {
        node.put("outcome", "aborted");
        String why = aborted.why().orElse("an abort ended the Submission");
        node.set("error", error(Settlement.ErrorType.SUBMISSION_ABORTED, why));
      }
      case Settlement.Forbidden forbidden -> {
        node.put("outcome", "failed");
        node.set("error", error(Settlement.ErrorType.FORBIDDEN, forbidden.message()));
      }
      case Settlement.Failed failed -> {
        node.put("outcome", "failed");
        node.set("error", error(failed.error(), failed.fault().reason()));
        node.set("fault", fault(instance, failed));
        failed.causedBy().ifPresent(cause -> node.put("causedBy", cause));
      }
    }
    e.joined().ifPresent(leader -> node.put("joined", leader));
    node.set("usage", usage(e.usage()));
    return node;
  }

  /** Its cost is a decimal in a text, because many readers of JSON round numbers. */
  static ObjectNode usage(Usage usage) {
    ObjectNode node =
        NODES
            .objectNode()
            .put("inputTokens", usage.inputTokens())
            .put("cachedInputTokens", usage.cachedInputTokens())
            .put("outputTokens", usage.outputTokens());
    usage.cost().ifPresent(cost -> node.put("cost", cost.stripTrailingZeros().toPlainString()));
    return node;
  }

  /**
   * A fault of a conversation: its class, reason, whether it burned, the epochs and what is next.
   */
  static ObjectNode fault(Instance instance, Settlement.Failed failed) {
    Optional<String> next =
        failed
            .bump()
            .flatMap(bump -> Address.generation(instance).address().find(bump.to()))
            .map(InstanceId::value);
    return fault(failed.fault(), failed.bump(), next);
  }

  private static ObjectNode error(Settlement.ErrorType type, String message) {
    return NODES.objectNode().put("type", type.wireName()).put("message", message);
  }

  static ObjectNode fault(Fault fault, Optional<Settlement.Bump> bump, Optional<String> next) {
    return JSON.valueToTree(
        new FaultBody(
            fault.faultClass().wireName(),
            fault.reason(),
            fault.faultClass().burns(),
            bump.map(one -> new FaultBody.Bump(one.from(), one.to())),
            next));
  }

  private static ObjectNode message(String id, String role, String text) {
    ObjectNode node = NODES.objectNode().put("id", id).put("role", role);
    ArrayNode parts = node.putArray("parts");
    parts.addObject().put("type", "text").put("text", text).put("state", "done");
    return node;
  }

  static String text(List<Part> parts) {
    return parts.stream()
        .filter(Part.Text.class::isInstance)
        .map(part -> ((Part.Text) part).text())
        .collect(Collectors.joining());
  }

  static JsonNode actor(Actor actor) {
    return JSON.valueToTree(actor);
  }
}
