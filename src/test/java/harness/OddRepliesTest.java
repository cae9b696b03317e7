package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.model.http.GuardPolicy;
import harness.model.http.HttpProvider;
import harness.model.http.KeySource;
import harness.model.http.ModelLimits;
import harness.model.http.ProviderServer;
import harness.model.http.ProviderServer.Exchange;
import harness.model.http.RetryPolicy;
import harness.model.http.Tongue;
import harness.model.http.Tongue.Finish;
import harness.model.provider.ModelConfig;
import harness.model.provider.ProviderConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Replies that are whole and odd, or none at all, in each API: what becomes of their Turns. */
@Timeout(120)
class OddRepliesTest {
  private static final String MODEL = "odd";
  private static final String END = "0\r\n\r\n";

  private static ProviderServer server;
  private static TestHarness harness;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    server = new ProviderServer();
    List<ProviderConfig> providers = new ArrayList<>();
    for (Tongue tongue : Tongue.values()) {
      providers.add(
          new ProviderConfig.Http(
              new HttpProvider.Settings(
                  tongue.name(),
                  tongue.api(),
                  server.baseUrl(tongue.name()),
                  new KeySource.None(),
                  ModelLimits.DEFAULT,
                  RetryPolicy.DEFAULT,
                  GuardPolicy.DEFAULT),
              ModelConfig.DEFAULT,
              Map.of(MODEL, ModelConfig.DEFAULT)));
    }
    harness =
        TestSettings.in(directory).slots(Map.of("target", "target/feature-x")).start(providers);
  }

  @AfterAll
  static void stop() throws IOException {
    harness.close();
    server.close();
  }

  private record Turn(JsonNode settled, List<JsonNode> events, List<String> requests) {
    String outcome() {
      return settled.path("outcome").asText();
    }

    List<JsonNode> of(String type) {
      return events.stream().filter(event -> event.path("type").asText().equals(type)).toList();
    }

    String said() {
      StringBuilder text = new StringBuilder();
      of("message-appended").stream()
          .filter(event -> event.path("message").path("role").asText().equals("assistant"))
          .forEach(event -> text.append(event.at("/message/parts/0/text").asText()));
      return text.toString();
    }
  }

  private static Turn turn(Tongue tongue, ProviderServer.Answer... script) {
    int before = server.received(tongue.name(), MODEL).size();
    server.when(tongue.name(), MODEL, script);
    ObjectNode body = Bodies.turn("run-1", "hello");
    body.withObject("definition").put("model", tongue.name() + "/" + MODEL);
    Reply admitted = harness.post("/turns", body).ok();
    JsonNode settled = harness.awaitSettled(admitted);
    List<String> requests =
        server.received(tongue.name(), MODEL).stream()
            .skip(before)
            .map(ProviderServer.Received::text)
            .toList();
    return new Turn(settled, harness.events(admitted.conversation()), requests);
  }

  private static ProviderServer.Answer streams(String... events) {
    return exchange -> {
      exchange.chunkedStream();
      exchange.chunk(String.join("", events));
      exchange.raw(END);
    };
  }

  private static ProviderServer.Answer says(Tongue tongue, String text) {
    return streams(tongue.opens(), tongue.says(text), tongue.finishes(Finish.SAID), tongue.ends());
  }

  @ParameterizedTest
  @EnumSource(Tongue.class)
  void aReplyThatDripsByteByByteIsWhole(Tongue tongue) {
    String whole =
        tongue.opens() + tongue.says("Grüße.") + tongue.finishes(Finish.SAID) + tongue.ends();
    Turn turn = turn(tongue, exchange -> drip(exchange, whole));

    assertEquals("completed", turn.outcome(), turn::toString);
    assertEquals("Grüße.", turn.said());
  }

  private static void drip(Exchange exchange, String whole) throws IOException {
    exchange.stream();
    for (byte one : whole.getBytes(StandardCharsets.UTF_8)) {
      exchange.raw(new byte[] {one});
    }
  }

  @ParameterizedTest
  @EnumSource(Tongue.class)
  void aPageInTheStreamsPlaceFailsTheTurnAtOnceAndNamesTheMend(Tongue tongue) {
    Turn turn =
        turn(
            tongue,
            exchange -> exchange.answer(200, "Content-Type: text/html\r\n", "<h1>Sign in</h1>"));

    assertEquals("failed", turn.outcome(), turn::toString);
    assertTrue(
        turn.settled().at("/fault/reason").asText().contains("check that 'base-url'"),
        turn::toString);
    assertEquals(1, turn.requests().size());
  }

  @ParameterizedTest
  @EnumSource(Tongue.class)
  void callsThatComeTogetherAllRunAndGoBackPaired(Tongue tongue) {
    assertBothRun(tongue, "call-1", "call-2");
  }

  @ParameterizedTest
  @EnumSource(Tongue.class)
  void callsUnderOneIdAreToldApart(Tongue tongue) {
    assertBothRun(tongue, "call-1", "call-1");
  }

  private static void assertBothRun(Tongue tongue, String first, String second) {
    Turn turn =
        turn(
            tongue,
            streams(
                tongue.opens(),
                tongue.calls(0, first, "list"),
                tongue.with(0, "{\"path\":"),
                tongue.with(0, "\".\"}"),
                tongue.calls(1, second, "list"),
                tongue.with(1, "{}"),
                tongue.finishes(Finish.CALLED),
                tongue.ends()),
            says(tongue, "Done."));

    assertEquals("completed", turn.outcome(), turn::toString);
    List<String> ids =
        turn.of("tool-called").stream().map(event -> event.path("callId").asText()).toList();
    assertEquals(2, ids.stream().distinct().count(), turn::toString);
    assertEquals(
        ids, turn.of("tool-returned").stream().map(e -> e.path("callId").asText()).toList());
    assertEquals(2, turn.requests().size());
    for (String id : ids) {
      assertEquals(
          3, turn.requests().get(1).split(id, -1).length, id + " is not once called and answered");
    }
    assertEquals(2000, turn.settled().at("/usage/inputTokens").asLong());
  }

  @ParameterizedTest
  @EnumSource(Tongue.class)
  void anEmptyReplyEndsTheTurn(Tongue tongue) {
    Turn turn = turn(tongue, streams(tongue.opens(), tongue.finishes(Finish.SAID), tongue.ends()));

    assertEquals("completed", turn.outcome(), turn::toString);
    assertEquals("", turn.said());
    assertEquals(1, turn.requests().size());
  }

  @ParameterizedTest
  @EnumSource(Tongue.class)
  void bytesThatAreNoUtf8AreReplacedAndHarmNothingElse(Tongue tongue) {
    byte[] whole =
        (tongue.opens() + tongue.says("a?b") + tongue.finishes(Finish.SAID) + tongue.ends())
            .getBytes(StandardCharsets.ISO_8859_1);
    for (int i = 1; i < whole.length; i++) {
      if (whole[i] == '?' && whole[i - 1] == 'a') {
        whole[i] = (byte) 0xC3;
      }
    }
    Turn turn =
        turn(
            tongue,
            exchange -> {
              exchange.stream();
              exchange.raw(whole);
            });

    assertEquals("completed", turn.outcome(), turn::toString);
    assertEquals("a\uFFFDb", turn.said());
  }

  @ParameterizedTest
  @EnumSource(Tongue.class)
  void aReplyCutByItsLengthKeepsWhatWasSaidAndRunsNothing(Tongue tongue) {
    Turn turn =
        turn(
            tongue,
            streams(
                tongue.opens(),
                tongue.says("I write "),
                tongue.calls(0, "call-1", "write"),
                tongue.with(0, "{\"path\":\"a\",\"content\":\"half"),
                tongue.finishes(Finish.CUT),
                tongue.ends()));

    assertEquals("failed", turn.outcome(), turn::toString);
    assertTrue(
        turn.settled().at("/fault/reason").asText().contains("cut by its length limit"),
        turn::toString);
    assertEquals("I write ", turn.said());
    assertEquals(List.of(), turn.of("tool-called"));
    assertEquals(50, turn.settled().at("/usage/outputTokens").asLong());
  }
}
