package harness.wire;

import harness.fault.Refusal;
import harness.fault.RefusedException;
import harness.metrics.Metrics;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;

/**
 * From a request to its route, by method and raw path: an Instance ID with an encoded slash in it
 * is one segment and never an action.
 */
public final class Router implements Handler {
  private final Gate gate;
  private final Health health;
  private final TurnRoutes turns;
  private final AnswerRoutes answers;
  private final ConversationRoutes reading;
  private final FaultRoutes faults;
  private final AttachRoutes attaching;
  private final PouredRoutes poured;
  private final Permits permits;
  private final Metrics metrics;

  public Router(
      Gate gate,
      Health health,
      Core core,
      Patience patience,
      InstantSource clock,
      Metrics metrics) {
    this.attaching = new AttachRoutes(core.attachments());
    this.metrics = metrics;
    this.gate = gate;
    this.health = health;
    this.answers = new AnswerRoutes(core.admissions(), core.answers());
    this.turns = new TurnRoutes(core.admissions());
    this.faults = new FaultRoutes(core.conversations().faults(), patience.longPoll());
    this.permits = new Permits(core.authority());
    this.reading = new ConversationRoutes(core.conversations(), patience, clock);
    this.poured = new PouredRoutes(reading, core.conversations(), patience.keepAlive());
  }

  @Override
  public void handle(ServerRequest request, ServerResponse response) {
    Answer answer;
    boolean admits = false;
    try {
      String raw = request.prologue().uriPath().rawPath();
      if (raw.startsWith("/health/")) {
        answer = health.answer(raw);
      } else {
        gate.check(request.headers().first(HeaderNames.AUTHORIZATION));
        Call call = new Call(request, RawPath.parse(raw).segments());
        admits = call.method().equals("POST") && Route.of(call.segments()).admits();
        if (Route.of(call.segments()) != Route.METRICS) {
          health.requireRecovered();
        }
        permits.check(call);
        if (poured.takes(call)) {
          poured.answer(call, permits.reading(call), response);
          return;
        }
        answer = route(call);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answer = Answer.error(503, "this Harness is ending; read on from your offset later");
    } catch (CloseConnectionException e) {
      throw e;
    } catch (RuntimeException e) {
      answer = Failures.answer(e);
    }
    if (admits) {
      metrics.admissions().answered(answer.status());
    }
    send(request, response, answer);
  }

  private Answer route(Call call) throws InterruptedException {
    String method = call.method();
    return switch (Route.of(call.segments())) {
      case TURNS -> {
        require(call, "POST");
        yield turns.turn(call);
      }
      case AGENTS -> {
        require(call, "PUT");
        yield reading.free(call);
      }
      case FAULTS -> {
        require(call, "GET");
        yield faults.read(call);
      }
      case ATTACH -> {
        require(call, "POST");
        yield attaching.attach(call);
      }
      case WORKSPACE -> {
        require(call, "GET");
        yield attaching.workspace();
      }
      case METRICS -> {
        require(call, "GET");
        yield Answer.text(Metrics.CONTENT_TYPE, metrics.text());
      }
      case CONVERSATION -> {
        require(call, "GET", "HEAD", "POST");
        yield switch (method) {
          case "POST" -> turns.submission(call);
          case "HEAD" -> reading.head(call);
          default -> view(call);
        };
      }
      case ABORT -> {
        require(call, "POST");
        permits.checkAbort(call);
        yield reading.abort(call);
      }
      case ANSWERS -> {
        require(call, "POST");
        yield answers.answer(call);
      }
      case PROPOSALS -> {
        require(call, "GET");
        yield answers.proposals(call);
      }
      case NONE ->
          throw new RefusedException(
              new Refusal.NoRoute(
                  "no route has the path "
                      + call.request().prologue().uriPath().rawPath()
                      + "; an Instance ID in a path is one percent-encoded segment"));
    };
  }

  private static void require(Call call, String... methods) {
    if (!List.of(methods).contains(call.method())) {
      String allowed = String.join(", ", methods);
      throw new RefusedException(
          new Refusal.NoMethod(
              call.method() + " is not taken here; this route takes " + allowed, allowed));
    }
  }

  private Answer view(Call call) throws InterruptedException {
    String view = call.query("view").orElse("updates");
    return switch (view) {
      case "updates" -> reading.updates(call, permits.reading(call));
      default ->
          throw RefusedException.invalid(
              "view is '" + view + "'; it is 'updates' or 'history'", "view");
    };
  }

  private static void send(ServerRequest request, ServerResponse response, Answer answer) {
    boolean head = request.prologue().method().equals(Method.HEAD);
    if (request.content().hasEntity() && !request.continueSent()) {
      // Whoever waits for leave to send a body may send it still, or another request in its place.
      send(response, answer.closing(), head);
      throw new CloseConnectionException("answered before the body was sent");
    }
    send(response, answer, head);
    if (answer.closes() || asksToClose(request)) {
      // A sender that is cut off in the middle of its body may never read the answer. How much of
      // it is read is bounded by the server.
      try {
        request.content().consume();
      } catch (RuntimeException e) {
        throw new CloseConnectionException("its sender went away", e);
      }
      throw new CloseConnectionException("closed as the answer or the caller said");
    }
  }

  static boolean asksToClose(ServerRequest request) {
    return request.headers().containsToken(HeaderValues.CONNECTION_CLOSE);
  }

  /**
   * @param head whether it answers HEAD: what follows the headers would be read as the next answer
   */
  private static void send(ServerResponse response, Answer answer, boolean head) {
    response.status(answer.status());
    answer.headers().forEach((name, value) -> response.header(HeaderNames.create(name), value));
    if (answer.body().isEmpty() || head) {
      response.send();
      return;
    }
    if (answer.isJson()) {
      response.header(HeaderValues.CONTENT_TYPE_JSON);
    }
    response.send(answer.written().getBytes(StandardCharsets.UTF_8));
  }

  /** What a path means, whatever the method. */
  enum Route {
    TURNS,
    AGENTS,
    FAULTS,
    ATTACH,
    WORKSPACE,
    METRICS,
    CONVERSATION,
    ABORT,
    ANSWERS,
    PROPOSALS,
    NONE;

    /** Whether a POST to it is an admission. */
    boolean admits() {
      return this == TURNS || this == CONVERSATION;
    }

    static Route of(List<String> segments) {
      return switch (segments.getFirst() + " " + segments.size()) {
        case "turns 1" -> TURNS;
        case "agents 1" -> AGENTS;
        case "faults 1" -> FAULTS;
        case "attach 1" -> ATTACH;
        case "workspace 1" -> WORKSPACE;
        case "metrics 1" -> METRICS;
        case "agents 3" -> CONVERSATION;
        case "agents 4" ->
            switch (segments.get(3)) {
              case "abort" -> ABORT;
              case "answers" -> ANSWERS;
              case "proposals" -> PROPOSALS;
              default -> NONE;
            };
        default -> NONE;
      };
    }
  }
}
