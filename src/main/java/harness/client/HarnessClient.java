package harness.client;

import com.fasterxml.jackson.databind.JsonNode;
import harness.api.AdmissionAnswer;
import harness.api.FaultBody;
import harness.api.WorkspaceAnswer;
import harness.client.Transport.Exchange;
import harness.client.Transport.Exchange.Answered;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * One Harness, by its wire. What it sends it sends again while the Harness can't be reached or says
 * that it is not ready, for at most 90 s; a wait goes on over restarts, for at most 5 minutes
 * without an answer.
 */
public final class HarnessClient {
  /** How long one try of a request may take. */
  private static final Duration REQUEST_WITHIN = Duration.ofSeconds(30);

  /** A long-poll is parked for 25 s. */
  private static final Duration POLL_WITHIN = Duration.ofSeconds(60);

  /** A poll that is empty sooner is not asked again before: a Harness that ends parks none. */
  private static final Duration POLL_AT_LEAST = Duration.ofSeconds(1);

  private static final String NEXT = "stream-next-offset";
  private static final String UP_TO_DATE = "stream-up-to-date";
  private static final int OK = 200;
  private static final int NOTHING_NEW = 204;
  private static final int NOT_HELD = 404;

  /** Not ready, busy, or something between here and the Harness that can't reach it. */
  private static final Set<Integer> PASSING = Set.of(408, 429, 500, 502, 503, 504);

  /** An admission that is answered so says nothing of the tries before it. */
  private static final Set<Integer> INDEFINITE = Set.of(401, 403, NOT_HELD, 408, 429);

  private final Courier courier;
  private final Timing timing;

  /**
   * @param log what it says once when a request took more than one try
   */
  public HarnessClient(Transport transport, Timing timing, Consumer<String> log) {
    this(transport, timing, log, _ -> {});
  }

  /**
   * @param log what it says once when a request took more than one try
   * @param waits what it says once when the first try came to nothing and there will be others
   */
  public HarnessClient(
      Transport transport, Timing timing, Consumer<String> log, Consumer<String> waits) {
    this.courier = new Courier(transport, timing, log, waits);
    this.timing = timing;
  }

  /** Where Turns may work. */
  public WorkspaceAnswer workspace() throws UnsettledException, InterruptedException {
    return Json.read(ok(get("/workspace", REQUEST_WITHIN)), WorkspaceAnswer.class);
  }

  /**
   * Admits a Turn. Under a key it is sent again whatever became of it; without one only while it
   * was never delivered.
   */
  public Admission admit(Minted minted) throws UnsettledException, InterruptedException {
    Transport.Request request =
        new Transport.Request(
            "POST",
            "/turns",
            minted.key().map(key -> Map.of("Idempotency-Key", key)).orElse(Map.of()),
            Optional.of(minted.body()),
            REQUEST_WITHIN);
    boolean safe = minted.key().isPresent();
    Courier.Sent sent =
        courier.send(
            request,
            Ladder.REQUEST,
            exchange -> safe ? passing().test(exchange) : exchange instanceof Exchange.Undelivered);
    if (!(sent.last() instanceof Answered answered && answered.status() == OK)) {
      throw new UnsettledException(unsettled(sent.last(), false), mayBeAdmitted(sent));
    }
    AdmissionAnswer answer = Json.read(answered.body(), AdmissionAnswer.class);
    return new Admission(
        minted.address(),
        minted.continues(),
        minted.key(),
        answer.instanceId(),
        answer.epoch(),
        answer.isNew(),
        answer.submissionId(),
        answer.offset(),
        answer.ahead());
  }

  /** The key is looked up first, so a refusal of a resend says that no try was admitted. */
  private static boolean mayBeAdmitted(Courier.Sent sent) {
    boolean definite =
        sent.last() instanceof Answered answered
            && (answered.status() < 500 || answered.status() == 507)
            && !INDEFINITE.contains(answered.status());
    return sent.unsure() && !definite;
  }

  /**
   * Waits for the end of a Submission, over restarts of the Harness.
   *
   * @param progress hears each event of the conversation, once
   */
  public Outcome await(Bookmark bookmark, Consumer<JsonNode> progress) throws InterruptedException {
    Reading reading = new Reading();
    String next = bookmark.offset();
    while (true) {
      String target = target(bookmark.agent(), bookmark.instanceId()) + "?live=long-poll";
      Instant asked = timing.clock().instant();
      Exchange exchange =
          courier
              .send(
                  get(next.isEmpty() ? target : target + "&offset=" + next, POLL_WITHIN),
                  Ladder.READ,
                  passing())
              .last();
      if (!isPage(exchange)) {
        return unsettled(exchange, true);
      }
      Answered page = (Answered) exchange;
      for (JsonNode event : page.status() == OK ? Json.tree(page.body()) : Json.tree("[]")) {
        progress.accept(event);
        Optional<Outcome> end = reading.end(event);
        if (end.isPresent()) {
          return end.get();
        }
      }
      next = page.headers().getOrDefault(NEXT, "");
      breathe(page, asked);
    }
  }

  /**
   * Ends what runs and what waits on a conversation; returns once that is done.
   *
   * @return whether there was anything
   * @throws UnsettledException also where the conversation is not held: {@link Outcome.Lost}
   */
  public boolean abort(String agent, String instanceId)
      throws UnsettledException, InterruptedException {
    Transport.Request request =
        new Transport.Request(
            "POST",
            target(agent, instanceId) + "/abort",
            Map.of(),
            Optional.empty(),
            REQUEST_WITHIN);
    Exchange exchange = courier.send(request, Ladder.REQUEST, passing()).last();
    return Json.truth(ok(exchange, true), "aborted");
  }

  /**
   * A part of the feed of faults.
   *
   * @param next the offset to go on from
   */
  public record Faults(List<FaultBody.Report> reports, String next, boolean upToDate) {}

  /**
   * The faults from an offset on.
   *
   * @param offset empty for the first
   * @param parks whether it waits for the next where there is none
   */
  public Faults faults(String offset, boolean parks)
      throws UnsettledException, InterruptedException {
    String target =
        "/faults?offset=" + (offset.isEmpty() ? "0" : offset) + (parks ? "&live=long-poll" : "");
    Instant asked = timing.clock().instant();
    Exchange exchange = courier.send(get(target, POLL_WITHIN), Ladder.READ, passing()).last();
    if (!isPage(exchange)) {
      throw new UnsettledException(unsettled(exchange, true));
    }
    Answered page = (Answered) exchange;
    breathe(page, asked);
    return new Faults(
        page.status() == OK ? Json.readList(page.body(), FaultBody.Report.class) : List.of(),
        page.headers().getOrDefault(NEXT, ""),
        page.headers().getOrDefault(UP_TO_DATE, "true").equals("true"));
  }

  private void breathe(Answered page, Instant asked) throws InterruptedException {
    Duration took = Duration.between(asked, timing.clock().instant());
    if (page.status() == NOTHING_NEW && took.compareTo(POLL_AT_LEAST) < 0) {
      timing.pause().sleep(POLL_AT_LEAST.minus(took));
    }
  }

  private static boolean isPage(Exchange exchange) {
    return exchange instanceof Answered answered
        && (answered.status() == OK || answered.status() == NOTHING_NEW)
        && answered.headers().containsKey(NEXT);
  }

  private String ok(Transport.Request request) throws UnsettledException, InterruptedException {
    return ok(courier.send(request, Ladder.REQUEST, passing()).last(), false);
  }

  private static String ok(Exchange exchange, boolean ofConversation) throws UnsettledException {
    if (exchange instanceof Answered answered && answered.status() == OK) {
      return answered.body();
    }
    throw new UnsettledException(unsettled(exchange, ofConversation));
  }

  private static Predicate<Exchange> passing() {
    return exchange ->
        switch (exchange) {
          case Answered answered -> PASSING.contains(answered.status());
          case Exchange.Undelivered _, Exchange.Unanswered _ -> true;
        };
  }

  /**
   * @param ofConversation whether 404 says that a conversation is lost
   */
  private static Outcome.Unsettled unsettled(Exchange exchange, boolean ofConversation) {
    return switch (exchange) {
      case Answered answered -> Json.refusal(answered, ofConversation);
      case Exchange.Undelivered undelivered -> new Outcome.Unreachable(undelivered.why());
      case Exchange.Unanswered unanswered -> new Outcome.Unreachable(unanswered.why());
    };
  }

  private static Transport.Request get(String target, Duration within) {
    return new Transport.Request("GET", target, Map.of(), Optional.empty(), within);
  }

  /** An Instance ID in a path is one segment, and a space in it no plus. */
  private static String target(String agent, String instanceId) {
    return "/agents/" + segment(agent) + "/" + segment(instanceId);
  }

  private static String segment(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
