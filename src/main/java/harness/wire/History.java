package harness.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import harness.agent.Address;
import harness.agent.Instance;
import harness.author.Actor;
import harness.conversation.Authorship;
import harness.conversation.Conversations;
import harness.conversation.Event;
import harness.conversation.Offset;
import harness.conversation.Recorded;
import harness.conversation.Submission;
import harness.model.Usage;
import harness.store.Held;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A conversation as people read it: what was said, how it was settled, what waits. It is written as
 * it is read, since all of it may be more than memory holds; so its events are read once for each
 * part.
 */
final class History {
  private static final int PAGE_EVENTS = 256;
  private static final ObjectMapper JSON =
      new ObjectMapper().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);

  /** One that is not settled. */
  private record Unsettled(Actor author, String state) {}

  /** What is done with each event. */
  private interface Part {
    void take(Event event) throws IOException;
  }

  private final Conversations conversations;
  private final Instance instance;
  private final Held held;
  private final WireEvents events;

  private final Map<String, Unsettled> queue = new LinkedHashMap<>();
  private Authorship authorship = Authorship.NEW;
  private Optional<Submission> last = Optional.empty();
  private Usage usage = Usage.NONE;

  private History(Conversations conversations, Held held) {
    this.conversations = conversations;
    this.instance = held.instance();
    this.held = held;
    this.events = new WireEvents(instance, conversations);
  }

  /**
   * Reads all of it once, so that what can't be read is known before anything is written.
   *
   * @throws harness.fault.RefusedException where it was freed meanwhile
   */
  static History of(Conversations conversations, Held held) {
    History history = new History(conversations, held);
    for (long next = 0; next < held.events(); ) {
      List<Event> page = history.page(next);
      page.forEach(history::wait);
      next += page.size();
    }
    return history;
  }

  private List<Event> page(long from) {
    int most = (int) Math.min(PAGE_EVENTS, held.events() - from);
    List<Recorded> page = conversations.read(instance, from, most);
    if (page.isEmpty()) {
      throw Conversations.notHeld(instance);
    }
    return page.stream().map(Recorded::event).toList();
  }

  private void each(Part part) throws IOException {
    for (long next = 0; next < held.events(); ) {
      List<Event> page = page(next);
      for (Event event : page) {
        part.take(event);
      }
      next += page.size();
    }
  }

  private void wait(Event event) {
    authorship = authorship.apply(event);
    switch (event) {
      case Event.SubmissionAdmitted e ->
          queue.put(e.submissionId(), new Unsettled(e.submission().author(), "queued"));
      case Event.TurnStarted e -> becomes(e.submissionId(), "running");
      case Event.TurnResumed e -> becomes(e.submissionId(), "running");
      case Event.MessageJoined e -> becomes(e.submissionId(), "joined");
      case Event.AwaitingAnswer e -> becomes(e.submissionId(), "awaiting-answer");
      case Event.SubmissionSettled e -> {
        queue.remove(e.submissionId());
        usage = usage.plus(e.usage());
      }
      case Event.PromptAppended _,
          Event.ReplyAppended _,
          Event.ToolCalled _,
          Event.ToolReturned _,
          Event.Answered _,
          Event.Proposed _,
          Event.ProposalResolved _,
          Event.MemoryLimit _,
          Event.Picked _,
          Event.Nudged _,
          Event.Rerolled _,
          Event.Compacted _ -> {}
    }
  }

  private void becomes(String submissionId, String state) {
    queue.computeIfPresent(submissionId, (_, one) -> new Unsettled(one.author(), state));
  }

  /** Writes it; where it is freed meanwhile it breaks off. */
  void write(OutputStream out) throws IOException {
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      json.writeNumberField("v", 1);
      json.writeStringField("conversationId", instance.id().value());
      json.writeStringField("offset", new Offset(held.life(), held.events()).toString());
      json.writeNumberField(
          "epoch", instance.id().continued() ? Address.generation(instance).epoch() : 0);
      json.writeObjectField("owner", authorship.restingOwner().map(WireEvents::actor).orElse(null));
      json.writeFieldName("usage");
      json.writeTree(WireEvents.usage(usage));
      json.writeArrayFieldStart("messages");
      each(event -> message(json, event));
      json.writeEndArray();
      json.writeArrayFieldStart("settlements");
      each(event -> settlement(json, event));
      json.writeEndArray();
      json.writeArrayFieldStart("queue");
      for (Map.Entry<String, Unsettled> one : queue.entrySet()) {
        json.writeStartObject();
        json.writeStringField("submissionId", one.getKey());
        json.writeObjectField("author", WireEvents.actor(one.getValue().author()));
        json.writeStringField("state", one.getValue().state());
        json.writeEndObject();
      }
      json.writeEndArray();
      if (!conversations.find(instance).map(Held::life).equals(Optional.of(held.life()))) {
        throw Conversations.notHeld(instance);
      }
      json.writeEndObject();
    }
  }

  private void message(JsonGenerator json, Event event) throws IOException {
    switch (event) {
      case Event.SubmissionAdmitted e -> last = Optional.of(e.submission());
      case Event.PromptAppended e -> {
        Submission submission =
            last.filter(one -> one.submissionId().equals(e.submissionId()))
                .orElseGet(() -> conversations.submission(instance, e.admitted()));
        message(json, "user", submission.frame().prompt(), submission.author());
      }
      case Event.ReplyAppended e -> {
        String text = WireEvents.text(e.parts());
        if (!text.isEmpty()) {
          message(json, "assistant", text, e.actor());
        }
      }
      case Event.TurnStarted _,
          Event.TurnResumed _,
          Event.MessageJoined _,
          Event.ToolCalled _,
          Event.ToolReturned _,
          Event.AwaitingAnswer _,
          Event.Answered _,
          Event.Proposed _,
          Event.ProposalResolved _,
          Event.MemoryLimit _,
          Event.Picked _,
          Event.Nudged _,
          Event.Rerolled _,
          Event.Compacted _,
          Event.SubmissionSettled _ -> {}
    }
  }

  private static void message(JsonGenerator json, String role, String text, Actor author)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("role", role);
    json.writeStringField("text", text);
    json.writeObjectField("author", WireEvents.actor(author));
    json.writeEndObject();
  }

  private void settlement(JsonGenerator json, Event event) throws IOException {
    if (event instanceof Event.SubmissionSettled e) {
      json.writeTree(events.settlement(e));
    }
  }
}
