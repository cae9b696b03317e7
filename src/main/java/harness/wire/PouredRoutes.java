package harness.wire;

import harness.agent.Instance;
import harness.conversation.Conversations;
import harness.conversation.Offset;
import harness.conversation.Subscription;
import harness.fault.RefusedException;
import harness.store.Held;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ServerConnectionException;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;

/** Answers of any length, which are written as they come to be: a stream and a whole history. */
final class PouredRoutes {
  private static final System.Logger LOG = System.getLogger(PouredRoutes.class.getName());

  private final ConversationRoutes reading;
  private final Conversations conversations;
  private final Duration keepAlive;

  PouredRoutes(ConversationRoutes reading, Conversations conversations, Duration keepAlive) {
    this.reading = reading;
    this.conversations = conversations;
    this.keepAlive = keepAlive;
  }

  /** Writes an answer. */
  private interface Pouring {
    void into(OutputStream out) throws IOException;
  }

  boolean takes(Call call) {
    return call.method().equals("GET")
        && Router.Route.of(call.segments()) == Router.Route.CONVERSATION
        && (isHistory(call) || isStream(call));
  }

  private static boolean isHistory(Call call) {
    return call.query("view").orElse("updates").equals("history");
  }

  private static boolean isStream(Call call) {
    return call.query("view").orElse("updates").equals("updates")
        && call.header("Accept").orElse("").contains("text/event-stream");
  }

  void answer(Call call, Permits.Reading reads, ServerResponse response) {
    if (isHistory(call)) {
      History history = reading.history(call);
      pour(call, response, "application/json", history::write);
    } else {
      stream(call, reads, response);
    }
  }

  private void stream(Call call, Permits.Reading reads, ServerResponse response) {
    Instance instance = call.instance();
    Held held = reading.held(instance);
    Offset from =
        ConversationRoutes.offset(
            call.header("Last-Event-ID").or(() -> call.query("offset")), held);
    // Before the headers: a conversation that can't be read is then still answered as such.
    try (Subscription ear = conversations.subscribe(instance, true)) {
      pour(
          call,
          response,
          "text/event-stream",
          out -> {
            try {
              new EventStream(conversations, reads, from, out, keepAlive).run(ear);
            } catch (InterruptedException _) {
              Thread.currentThread().interrupt();
            } catch (RefusedException e) {
              LOG.log(Level.DEBUG, "a stream ended: {0}", e.getMessage());
              EventStream.refuse(out, e);
            }
          });
    }
  }

  /** An answer that breaks off is not ended, so that its reader knows. */
  private static void pour(Call call, ServerResponse response, String type, Pouring pouring) {
    response.header(HeaderValues.create(HeaderNames.CONTENT_TYPE, type));
    response.header(HeaderValues.create(HeaderNames.CACHE_CONTROL, "no-store"));
    try {
      OutputStream out = response.outputStream();
      pouring.into(out);
      out.close();
    } catch (IOException | UncheckedIOException | ServerConnectionException e) {
      throw new CloseConnectionException("a reader of " + call.instance() + " went away", e);
    } catch (RefusedException e) {
      throw new CloseConnectionException(call.instance() + " was freed while it was read", e);
    } catch (RuntimeException e) {
      // Its headers are sent, so that no other answer can be given.
      LOG.log(Level.ERROR, "an answer about " + call.instance() + " broke off", e);
      throw new CloseConnectionException("an answer broke off", e);
    }
  }
}
