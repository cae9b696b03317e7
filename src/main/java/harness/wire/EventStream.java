package harness.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.agent.Instance;
import harness.conversation.Conversations;
import harness.conversation.Offset;
import harness.conversation.Recorded;
import harness.conversation.Subscription;
import harness.fault.RefusedException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A conversation as server-sent events: each durable event with the offset behind it as its id, and
 * the pieces of a reply, without id, as they stream in. A reader that is too slow is let go; it
 * resumes from its last id.
 */
final class EventStream {
  private static final int PAGE_EVENTS = 32;

  private final Conversations conversations;
  private final Instance instance;
  private final Permits.Reading reads;
  private final OutputStream out;
  private final Duration keepAlive;
  private final WireEvents events;
  private Offset offset;

  EventStream(
      Conversations conversations,
      Permits.Reading reads,
      Offset from,
      OutputStream out,
      Duration keepAlive) {
    this.conversations = conversations;
    this.instance = reads.instance();
    this.reads = reads;
    this.offset = from;
    this.out = out;
    this.keepAlive = keepAlive;
    this.events = new WireEvents(instance, conversations);
  }

  /**
   * Writes until the reader or the process goes.
   *
   * @throws RefusedException where its reader may not read on, or there is nothing more to read
   */
  void run(Subscription ear) throws IOException, InterruptedException {
    // The reader sees at once that it is heard, also where nothing is said for long.
    write(": \n\n");
    while (true) {
      switch (ear.await(keepAlive)) {
        case Subscription.Signal.Landed landed -> landed(landed.events());
        case Subscription.Signal.Delta delta ->
            delta(delta.submissionId(), delta.kind(), Optional.empty(), delta.text());
        case Subscription.Signal.Output output ->
            delta(output.submissionId(), "output", Optional.of(output.callId()), output.text());
        case Subscription.Signal.Quiet _ -> write(": \n\n");
        case Subscription.Signal.Overrun _, Subscription.Signal.Closing _ -> {
          return;
        }
      }
    }
  }

  /** Only as far as it was told: what came later stands behind the pieces heard meanwhile. */
  private void landed(long upTo) throws IOException {
    while (offset.sequence() < upTo) {
      int wanted = (int) Math.min(PAGE_EVENTS, upTo - offset.sequence());
      List<Recorded> page = conversations.read(instance, offset, wanted);
      if (page.isEmpty()) {
        return;
      }
      StringBuilder frames = new StringBuilder();
      for (Recorded recorded : page) {
        offset = new Offset(offset.life(), recorded.sequence() + 1);
        Optional<ObjectNode> shown = events.show(recorded);
        shown.ifPresent(
            event ->
                frames
                    .append("id: ")
                    .append(offset)
                    .append("\ndata: ")
                    .append(event)
                    .append("\n\n"));
      }
      write(frames.toString());
    }
  }

  private void delta(String submissionId, String kind, Optional<String> callId, String text)
      throws IOException {
    ObjectNode node =
        JsonNodeFactory.instance.objectNode().put("submissionId", submissionId).put("kind", kind);
    callId.ifPresent(id -> node.put("callId", id));
    node.put("text", text);
    write("event: delta\ndata: " + node + "\n\n");
  }

  private void write(String text) throws IOException {
    reads.require();
    if (!text.isEmpty()) {
      write(out, text);
    }
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** Ends a stream with what a new request for it would be answered. */
  static void refuse(OutputStream out, RefusedException why) throws IOException {
    Answer answer = Failures.answer(why);
    ObjectNode told = JsonNodeFactory.instance.objectNode().put("status", answer.status());
    answer
        .body()
        .ifPresent(
            body -> body.properties().forEach(one -> told.set(one.getKey(), one.getValue())));
    write(out, "event: refused\ndata: " + told + "\n\n");
  }
}
