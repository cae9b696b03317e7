package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.model.http.GuardPolicy;
import harness.model.http.HttpProvider;
import harness.model.http.KeySource;
import harness.model.http.ModelLimits;
import harness.model.http.ProviderServer;
import harness.model.http.RetryPolicy;
import harness.model.http.Tongue;
import harness.model.http.Tongue.Failure;
import harness.model.http.Tongue.Finish;
import harness.model.provider.ModelConfig;
import harness.model.provider.ProviderConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What becomes of a Turn whose provider fails, for each API, failure and moment: its Settlement,
 * the kind that its failure was given and how often the provider was asked, of two attempts at
 * most. All rows run in one Harness, as many at once as it lets; each has a provider of its own
 * there.
 */
@Timeout(120)
class ProviderFailuresTest {
  /** When it goes wrong. */
  private enum Moment {
    BEFORE_HEADERS,
    AFTER_HEADERS,
    AFTER_FIRST_TOKEN,
    IN_CALL,
    AFTER_USAGE
  }

  /**
   * One row: what fails and when, then how the Turn settles, the kind ({@code ok}: the call was
   * answered) and the requests that the provider saw.
   */
  private static final String TABLE =
      """
      BAD_REQUEST     BEFORE_HEADERS     failed    bad_request     1
      BAD_REQUEST     AFTER_HEADERS      failed    bad_request     1
      BAD_REQUEST     AFTER_FIRST_TOKEN  failed    bad_request     1
      BAD_REQUEST     IN_CALL            failed    bad_request     1
      BAD_REQUEST     AFTER_USAGE        completed ok              1
      AUTH            BEFORE_HEADERS     failed    auth            1
      AUTH            AFTER_HEADERS      failed    auth            1
      AUTH            AFTER_FIRST_TOKEN  failed    auth            1
      AUTH            IN_CALL            failed    auth            1
      AUTH            AFTER_USAGE        completed ok              1
      RATE            BEFORE_HEADERS     failed    rate            2
      RATE            AFTER_HEADERS      failed    rate            2
      RATE            AFTER_FIRST_TOKEN  failed    rate            1
      RATE            IN_CALL            failed    rate            2
      RATE            AFTER_USAGE        completed ok              1
      OVERLOAD        BEFORE_HEADERS     failed    overload        2
      OVERLOAD        AFTER_HEADERS      failed    overload        2
      OVERLOAD        AFTER_FIRST_TOKEN  failed    overload        1
      OVERLOAD        IN_CALL            failed    overload        2
      OVERLOAD        AFTER_USAGE        completed ok              1
      CONTEXT_LENGTH  BEFORE_HEADERS     failed    context_length  1
      CONTEXT_LENGTH  AFTER_HEADERS      failed    context_length  1
      CONTEXT_LENGTH  AFTER_FIRST_TOKEN  failed    context_length  1
      CONTEXT_LENGTH  IN_CALL            failed    context_length  1
      CONTEXT_LENGTH  AFTER_USAGE        completed ok              1
      CONTENT_REFUSED BEFORE_HEADERS     failed    content_refused 1
      CONTENT_REFUSED AFTER_HEADERS      failed    content_refused 1
      CONTENT_REFUSED AFTER_FIRST_TOKEN  failed    content_refused 1
      CONTENT_REFUSED IN_CALL            failed    content_refused 1
      CONTENT_REFUSED AFTER_USAGE        completed ok              1
      SERVER          BEFORE_HEADERS     failed    server          2
      SERVER          AFTER_HEADERS      failed    server          2
      SERVER          AFTER_FIRST_TOKEN  failed    server          1
      SERVER          IN_CALL            failed    server          2
      SERVER          AFTER_USAGE        completed ok              1
      NETWORK         BEFORE_HEADERS     failed    network         2
      NETWORK         AFTER_HEADERS      failed    network         2
      NETWORK         AFTER_FIRST_TOKEN  failed    network         1
      NETWORK         IN_CALL            failed    network         2
      NETWORK         AFTER_USAGE        completed ok              1
      STALLED         BEFORE_HEADERS     failed    stalled         2
      STALLED         AFTER_HEADERS      failed    stalled         2
      STALLED         AFTER_FIRST_TOKEN  failed    stalled         1
      STALLED         IN_CALL            failed    stalled         1
      STALLED         AFTER_USAGE        completed ok              1
      CUT_OFF         AFTER_HEADERS      failed    cut_off         2
      CUT_OFF         AFTER_FIRST_TOKEN  failed    cut_off         1
      CUT_OFF         IN_CALL            failed    cut_off         2
      CUT_OFF         AFTER_USAGE        completed ok              1
      LENGTH          AFTER_HEADERS      failed    ok              1
      LENGTH          AFTER_FIRST_TOKEN  failed    ok              1
      LENGTH          IN_CALL            failed    ok              1
      """;

  /** What can't be: no stream ends, and no reply is cut or over, before it began. */
  private static final Set<String> CANT_BE =
      Set.of("CUT_OFF BEFORE_HEADERS", "LENGTH BEFORE_HEADERS", "LENGTH AFTER_USAGE");

  private record Row(
      Tongue tongue, Failure failure, Moment moment, String outcome, String kind, int requests) {
    static List<Row> all() {
      List<Row> rows = new ArrayList<>();
      for (Tongue tongue : Tongue.values()) {
        for (String line : TABLE.lines().toList()) {
          String[] cells = line.split(" +");
          rows.add(
              new Row(
                  tongue,
                  Failure.valueOf(cells[0]),
                  Moment.valueOf(cells[1]),
                  cells[2],
                  cells[3],
                  Integer.parseInt(cells[4])));
        }
      }
      return rows;
    }

    /** Of the provider that fails so. */
    String name() {
      return (tongue + "-" + failure + "-" + moment).toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String toString() {
      return name();
    }
  }

  private static final String ALWAYS = "always";
  private static final String ONCE = "once";
  private static final Duration AMPLE = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(600);
  private static final Map<String, Reply> ADMITTED = new ConcurrentHashMap<>();

  private static ProviderServer server;
  private static String metrics = "";
  private static TestHarness harness;

  @BeforeAll
  static void admitARowForEach(@TempDir Path directory) throws Exception {
    server = new ProviderServer();
    List<ProviderConfig> providers = new ArrayList<>();
    for (Row row : Row.all()) {
      server.when(row.name(), ALWAYS, exchange -> misbehave(row, exchange));
      server.when(
          row.name(),
          ONCE,
          exchange -> misbehave(row, exchange),
          exchange -> whole(row.tongue(), exchange));
      providers.add(provider(row));
    }
    harness =
        TestSettings.in(directory).slots(Map.of("target", "target/feature-x")).start(providers);
    for (Row row : Row.all()) {
      for (String model : List.of(ALWAYS, ONCE)) {
        ObjectNode body = Bodies.turn("run-1", "hello");
        body.withObject("definition").put("model", row.name() + "/" + model);
        ADMITTED.put(row.name() + "/" + model, harness.post("/turns", body).ok());
      }
    }
    ADMITTED.values().forEach(harness::awaitSettled);
    metrics = harness.get("/metrics").ok().body();
  }

  @AfterAll
  static void stop() throws IOException {
    harness.close();
    server.close();
  }

  private static ProviderConfig provider(Row row) {
    return new ProviderConfig.Http(
        new HttpProvider.Settings(
            row.name(),
            row.tongue().api(),
            server.baseUrl(row.name()),
            new KeySource.None(),
            limits(row),
            new RetryPolicy(2, Duration.ofMillis(2), Duration.ofMillis(4), AMPLE),
            GuardPolicy.DEFAULT),
        ModelConfig.DEFAULT,
        Map.of(ALWAYS, ModelConfig.DEFAULT, ONCE, ModelConfig.DEFAULT));
  }

  /** Short where it hangs alone, because a busy machine makes everything late. */
  private static ModelLimits limits(Row row) {
    if (row.failure() != Failure.STALLED) {
      return limits(AMPLE, AMPLE, AMPLE);
    }
    return switch (row.moment()) {
      case BEFORE_HEADERS -> limits(SHORT, AMPLE, AMPLE);
      case AFTER_HEADERS -> limits(AMPLE, SHORT, AMPLE);
      case AFTER_FIRST_TOKEN, IN_CALL, AFTER_USAGE -> limits(AMPLE, AMPLE, SHORT);
    };
  }

  private static ModelLimits limits(Duration headers, Duration firstToken, Duration silence) {
    return new ModelLimits(AMPLE, headers, firstToken, silence, AMPLE, 1_000_000, 100_000);
  }

  private static void misbehave(Row row, ProviderServer.Exchange exchange) throws IOException {
    Tongue tongue = row.tongue();
    if (row.moment() == Moment.BEFORE_HEADERS && row.failure().status() > 0) {
      exchange.answer(
          row.failure().status(),
          row.failure() == Failure.RATE ? "Retry-After: 0\r\n" : "",
          tongue.refusal(row.failure()));
      return;
    }
    if (row.moment() != Moment.BEFORE_HEADERS) {
      exchange.chunkedStream();
      exchange.chunk(tongue.opens());
    }
    switch (row.moment()) {
      case BEFORE_HEADERS, AFTER_HEADERS -> {}
      case AFTER_FIRST_TOKEN -> exchange.chunk(tongue.says("Half a "));
      case IN_CALL ->
          exchange.chunk(tongue.calls(0, "call-1", "write") + tongue.with(0, "{\"path\":\"a"));
      case AFTER_USAGE -> exchange.chunk(tongue.says("All of it.") + tongue.finishes(Finish.SAID));
    }
    switch (row.failure()) {
      case NETWORK -> {
        // Its end without the last chunk is a connection that broke.
      }
      case STALLED -> exchange.hang();
      case CUT_OFF -> exchange.raw("0\r\n\r\n");
      case LENGTH -> exchange.chunk(tongue.finishes(Finish.CUT) + tongue.ends());
      case BAD_REQUEST, AUTH, RATE, OVERLOAD, CONTEXT_LENGTH, CONTENT_REFUSED, SERVER ->
          exchange.chunk(tongue.fails(row.failure()));
    }
  }

  private static void whole(Tongue tongue, ProviderServer.Exchange exchange) throws IOException {
    exchange.chunkedStream();
    exchange.chunk(
        tongue.opens() + tongue.says("Whole.") + tongue.finishes(Finish.SAID) + tongue.ends());
    exchange.raw("0\r\n\r\n");
  }

  static Stream<Row> rows() {
    return Row.all().stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void aTurnSettlesAsTheTableSays(Row row) {
    Reply admitted = admitted(row, ALWAYS);
    JsonNode settled = harness.awaitSettled(admitted);

    assertEquals(row.outcome(), settled.path("outcome").asText(), settled::toString);
    if (row.outcome().equals("failed")) {
      assertEquals("submission_failed", settled.path("error").path("type").asText());
      assertEquals("infra", settled.path("fault").path("class").asText());
      assertTrue(settled.path("fault").path("burned").asBoolean(), settled::toString);
      assertFalse(settled.path("fault").path("reason").asText().isBlank());
    }
    assertEquals(row.requests(), server.received(row.name(), ALWAYS).size(), settled::toString);
    String counted =
        "harness_model_call_seconds_count{outcome=\"%s\",provider=\"%s\"}"
            .formatted(row.kind(), row.name());
    assertTrue(metrics.contains(counted), () -> counted + " is not there: " + settled);
    assertEquals(
        0,
        harness.events(admitted.conversation()).stream()
            .filter(event -> event.path("type").asText().equals("tool-called"))
            .count(),
        "a half-written call was run");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void aTurnWhoseProviderFailsOnceCompletesWhereItIsAskedAgain(Row row) {
    JsonNode settled = harness.awaitSettled(admitted(row, ONCE));

    String outcome = row.requests() > 1 ? "completed" : row.outcome();
    assertEquals(outcome, settled.path("outcome").asText(), settled::toString);
    assertEquals(row.requests(), server.received(row.name(), ONCE).size(), settled::toString);
    if (outcome.equals("completed")) {
      JsonNode usage = settled.path("usage");
      assertEquals(1000, usage.path("inputTokens").asLong(), settled::toString);
      assertEquals(400, usage.path("cachedInputTokens").asLong(), settled::toString);
      assertEquals(50, usage.path("outputTokens").asLong(), settled::toString);
    }
  }

  private static Reply admitted(Row row, String model) {
    return Optional.ofNullable(ADMITTED.get(row.name() + "/" + model)).orElseThrow();
  }

  @Test
  void theTableHasEachFailureAtEachMomentThatCanBe() {
    Set<String> missing = new HashSet<>();
    for (Failure failure : Failure.values()) {
      for (Moment moment : Moment.values()) {
        missing.add(failure + " " + moment);
      }
    }
    TABLE
        .lines()
        .map(line -> line.split(" +"))
        .forEach(row -> missing.remove(row[0] + " " + row[1]));
    assertEquals(CANT_BE, missing);
  }
}
