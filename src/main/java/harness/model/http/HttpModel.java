package harness.model.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import harness.model.Model;
import harness.model.ModelException;
import harness.model.Reply;
import harness.model.Request;
import harness.model.Sink;
import harness.model.Surroundings;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.Optional;
import java.util.function.Supplier;

/** One model behind an API that streams over HTTP. */
final class HttpModel implements Model {
  private static final String DONE = "[DONE]";

  private final HttpProvider.Settings settings;
  private final Surroundings surroundings;
  private final Supplier<HttpClient> client;
  private final Dialect dialect;
  private final String name;
  private final String label;
  private final String shown;
  private final Traits traits;
  private final Keys keys;
  private final Retries retries;
  private final Guards guards;

  HttpModel(
      HttpProvider.Settings settings,
      Surroundings surroundings,
      Supplier<HttpClient> client,
      Guards guards,
      String name,
      Traits traits) {
    this.settings = settings;
    this.surroundings = surroundings;
    this.client = client;
    this.dialect = settings.api().dialect();
    this.name = name;
    this.label = settings.id() + "/" + name;
    this.shown = "model " + label + " at " + settings.baseUrl();
    this.traits = traits;
    this.guards = guards;
    this.keys = new Keys(surroundings.environment());
    this.retries =
        new Retries(
            shown,
            settings.retries(),
            surroundings.sleeper(),
            surroundings.random(),
            kind -> surroundings.watch().retried(settings.id(), kind));
  }

  @Override
  public Reply respond(Request request, Sink sink) throws ModelException, InterruptedException {
    Dialect.Question question = new Dialect.Question(label, name, traits, request);
    byte[] body = dialect.encode(question);
    RunningTime time = new RunningTime(surroundings.clock());
    return retries.run(
        time,
        settings.limits().wholeCall(),
        () -> attempt(body, dialect.reply(question, sink), time));
  }

  @Override
  public boolean ready() {
    return guards.ready();
  }

  private Reply attempt(byte[] body, GrowingReply reply, RunningTime time)
      throws AttemptException, InterruptedException {
    Optional<String> key = keys.read(settings.key(), shown);
    return guards.run(() -> exchange(body, reply, time, key));
  }

  private Reply exchange(byte[] body, GrowingReply reply, RunningTime time, Optional<String> key)
      throws AttemptException, InterruptedException {
    Failures failures = new Failures(shown, settings.key(), key, surroundings.clock());
    try (EventStream events =
        EventStream.open(client.get(), httpRequest(body, key), settings.limits(), time, failures)) {
      read(events, reply, failures);
      return reply.end(failures);
    } catch (AttemptException e) {
      boolean again = !reply.shown() && !(e.kind() == ModelException.Kind.STALLED && reply.begun());
      throw again ? e : e.notAgain();
    }
  }

  private static void read(EventStream events, GrowingReply reply, Failures failures)
      throws AttemptException, InterruptedException {
    try {
      while (true) {
        Optional<ServerEvent> event = events.next(phase(reply));
        if (event.isEmpty()) {
          return;
        }
        if (event.get().data().strip().equals(DONE)) {
          events.finish();
          return;
        }
        reply.add(chunk(event.get(), failures), failures);
        if (reply.complete()) {
          events.finish();
          return;
        }
      }
    } catch (AttemptException e) {
      // A reply that is whole needs nothing that may have come behind it.
      if (!reply.finished()) {
        throw e;
      }
    }
  }

  private static EventStream.Phase phase(GrowingReply reply) {
    if (reply.finished()) {
      return EventStream.Phase.TAIL;
    }
    return reply.begun() ? EventStream.Phase.NEXT_PIECE : EventStream.Phase.FIRST_TOKEN;
  }

  private static JsonNode chunk(ServerEvent event, Failures failures) throws AttemptException {
    JsonNode chunk;
    try {
      chunk = ModelJson.MAPPER.readTree(event.data());
    } catch (JsonProcessingException _) {
      throw failures.noJson(event.data());
    }
    if (chunk == null || !chunk.isObject()) {
      throw failures.noJson(event.data());
    }
    if (event.type().equals("error")
        || chunk.path("type").asText().equals("error")
        || chunk.path("object").asText().equals("error")
        || chunk.hasNonNull("error")) {
      throw failures.inStream(chunk);
    }
    return chunk;
  }

  private HttpRequest httpRequest(byte[] body, Optional<String> key) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(settings.endpoint())
            .header("Content-Type", "application/json")
            .header("Accept", "text/event-stream")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    dialect.headers(key).forEach(request::header);
    return request.build();
  }
}
