package harness.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import harness.agent.Address;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.conversation.Conversations;
import harness.conversation.Offset;
import harness.conversation.Recorded;
import harness.conversation.Subscription;
import harness.fault.RefusedException;
import harness.store.Held;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reading, ending and freeing conversations. */
final class ConversationRoutes {
  /** The most events of one answer; {@code stream-up-to-date} says whether there are more. */
  static final int MAX_EVENTS = 10_000;

  /** How long one answer grows, in characters, before it ends with the page that it is at. */
  private static final int MAX_CHARS = 2 * 1024 * 1024;

  /** How many events are in memory at once. */
  private static final int PAGE_EVENTS = 32;

  private final Conversations conversations;
  private final Patience patience;
  private final InstantSource clock;

  ConversationRoutes(Conversations conversations, Patience patience, InstantSource clock) {
    this.conversations = conversations;
    this.patience = patience;
    this.clock = clock;
  }

  /** The holds check. */
  Answer head(Call call) {
    Instance instance = call.instance();
    held(instance);
    return new Answer(200, Map.of(), Optional.empty());
  }

  Answer updates(Call call, Permits.Reading reading) throws InterruptedException {
    Instance instance = call.instance();
    Held held = held(instance);
    Offset from = offset(call.query("offset"), held);
    boolean parks = call.longPolls();
    if (parks && from.sequence() == held.events()) {
      held = park(instance, held);
      reading.require();
    }
    WireEvents events = new WireEvents(instance, conversations);
    ArrayNode shown = JsonNodeFactory.instance.arrayNode();
    long next = from.sequence();
    int chars = 0;
    while (next < held.events() && shown.size() < MAX_EVENTS && chars < MAX_CHARS) {
      List<Recorded> page = conversations.read(instance, next, PAGE_EVENTS);
      if (page.isEmpty()) {
        throw Conversations.notHeld(instance);
      }
      for (Recorded recorded : page) {
        Optional<String> event = events.show(recorded).map(ObjectNode::toString);
        event.ifPresent(text -> shown.addRawValue(new RawValue(text)));
        chars += event.map(String::length).orElse(0);
      }
      next += page.size();
    }
    requireStill(instance, from.life());
    Answer answer =
        parks && next == from.sequence()
            ? new Answer(204, Map.of(), Optional.empty())
            : Answer.ok(shown);
    return answer
        .with("stream-next-offset", new Offset(held.life(), next).toString())
        .with("stream-up-to-date", String.valueOf(next >= held.events()));
  }

  /** Waits until the conversation has more events than it had, or the time is over. */
  private Held park(Instance instance, Held held) throws InterruptedException {
    Instant end = clock.instant().plus(patience.longPoll());
    try (Subscription ear = conversations.subscribe(instance, false)) {
      while (true) {
        Held now = held(instance);
        Duration left = Duration.between(clock.instant(), end);
        if (now.events() > held.events() || left.isNegative() || left.isZero()) {
          return now;
        }
        switch (ear.await(left)) {
          case Subscription.Signal.Closing _,
              Subscription.Signal.Overrun _,
              Subscription.Signal.Quiet _ -> {
            return now;
          }
          case Subscription.Signal.Landed _,
              Subscription.Signal.Delta _,
              Subscription.Signal.Output _ -> {}
        }
      }
    }
  }

  /** All of it, to be written. */
  History history(Call call) {
    return History.of(conversations, held(call.instance()));
  }

  Answer abort(Call call) {
    boolean aborted = conversations.abort(call.instance());
    return Answer.ok(JsonNodeFactory.instance.objectNode().put("aborted", aborted));
  }

  /** {@code PUT /agents}: what is still needed. */
  Answer free(Call call) {
    Live body = call.body().as(Live.class);
    Set<Instance> live = new HashSet<>();
    for (Live.Named named :
        body.live()
            .orElseThrow(() -> RefusedException.invalid("field 'live' is missing", "live"))) {
      String agent = AdmissionCodec.required(named.agent(), "live.agent");
      String id = AdmissionCodec.required(named.instanceId(), "live.instanceId");
      try {
        Address.checkAgent(agent);
        live.add(new Instance(agent, InstanceId.parse(id)));
      } catch (IllegalArgumentException e) {
        throw RefusedException.invalid("field 'live': " + e.getMessage(), "live");
      }
    }
    int freed = conversations.free(live, patience.freeAfter());
    return Answer.ok(JsonNodeFactory.instance.objectNode().put("freed", freed));
  }

  /** The conversation may have been freed, and begun anew, while it was read. */
  private void requireStill(Instance instance, String life) {
    if (!held(instance).life().equals(life)) {
      throw Conversations.notHeld(instance);
    }
  }

  Held held(Instance instance) {
    return conversations.find(instance).orElseThrow(() -> Conversations.notHeld(instance));
  }

  /** Where a reader goes on: from the start without an offset. */
  static Offset offset(Optional<String> given, Held held) {
    if (given.isEmpty()) {
      return new Offset(held.life(), 0);
    }
    Offset offset;
    try {
      offset = Offset.parse(given.get());
    } catch (IllegalArgumentException e) {
      throw RefusedException.invalid(String.valueOf(e.getMessage()), "offset");
    }
    if (!offset.life().equals(held.life())) {
      throw Conversations.notHeld(held.instance());
    }
    if (offset.sequence() > held.events()) {
      throw RefusedException.invalid(
          "offset '" + given.get() + "' is past the end; it was never handed out", "offset");
    }
    return offset;
  }

  /** The body of a statement of what is needed. */
  record Live(@JsonProperty("live") Optional<List<Named>> live) {
    record Named(Optional<String> agent, Optional<String> instanceId) {}
  }
}
