package harness.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.agent.Address;
import harness.agent.Instance;
import harness.author.Actor;
import harness.conversation.Conversations;
import harness.conversation.Event;
import harness.conversation.Offset;
import harness.conversation.Submission;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A conversation as people read it: what was said, how it was settled, what waits. */
final class History {
  private final ObjectNode view = JsonNodeFactory.instance.objectNode();
  private final ArrayNode messages = JsonNodeFactory.instance.arrayNode();
  private final ArrayNode settlements = JsonNodeFactory.instance.arrayNode();
  private final Map<String, Submission> queue = new LinkedHashMap<>();
  private final Map<String, String> states = new LinkedHashMap<>();
  private final Instance instance;
  private final WireEvents events;
  private Optional<Actor> owner = Optional.empty();

  History(Instance instance, Conversations conversations) {
    this.instance = instance;
    this.events = new WireEvents(instance, conversations);
  }

  void add(Event event) {
    switch (event) {
      case Event.SubmissionAdmitted e -> {
        owner = owner.or(() -> e.submission().author().actsFor());
        queue.put(e.submissionId(), e.submission());
        states.put(e.submissionId(), "queued");
      }
      case Event.TurnStarted e -> states.put(e.submissionId(), "running");
      case Event.PromptAppended e -> {
        Submission submission = queue.get(e.submissionId());
        if (submission != null) {
          message("user", submission.frame().prompt(), submission.author());
        }
      }
      case Event.ReplyAppended e -> {
        String text = WireEvents.text(e.parts());
        if (!text.isEmpty()) {
          message("assistant", text, e.actor());
        }
      }
      case Event.SubmissionSettled e -> {
        settlements.add(events.settlement(e));
        queue.remove(e.submissionId());
        states.remove(e.submissionId());
      }
      case Event.ToolCalled _, Event.ToolReturned _ -> {}
    }
  }

  private void message(String role, String text, Actor author) {
    messages
        .addObject()
        .put("role", role)
        .put("text", text)
        .set("author", WireEvents.actor(author));
  }

  ObjectNode view(Offset offset) {
    view.put("v", 1);
    view.put("conversationId", instance.id().value());
    view.put("offset", offset.toString());
    view.put("epoch", instance.id().continued() ? Address.generation(instance).epoch() : 0);
    owner.ifPresentOrElse(
        actor -> view.set("owner", WireEvents.actor(actor)), () -> view.putNull("owner"));
    view.set("messages", messages);
    view.set("settlements", settlements);
    ArrayNode waiting = view.putArray("queue");
    queue.forEach(
        (id, submission) -> {
          ObjectNode one = waiting.addObject().put("submissionId", id);
          one.set("author", WireEvents.actor(submission.author()));
          one.put("state", states.getOrDefault(id, "queued"));
        });
    return view;
  }
}
