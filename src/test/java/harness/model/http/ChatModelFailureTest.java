package harness.model.http;

import static harness.model.Says.assertHides;
import static harness.model.Says.assertSays;
import static org.junit.jupiter.api.Assertions.assertEquals;

import harness.model.Heard;
import harness.model.ModelException;
import harness.model.ModelException.Kind;
import harness.model.Surroundings;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChatModelFailureTest {
  /** The first call in a process takes longer than the limits of these tests. */
  @BeforeAll
  static void warmUp() throws Exception {
    try (Lab lab = new Lab()) {
      lab.server.then(exchange -> exchange.says("hi"));
      lab.ask();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          400 | {"error":{"message":"no such field"}}                                     | BAD_REQUEST     | answers 400: no such field
          400 | {"error":{"message":"long","code":"context_length_exceeded"}}             | CONTEXT_LENGTH  | longer than the model can read
          400 | {"object":"error","message":"This model's maximum context length is 4096"} | CONTEXT_LENGTH | longer than the model can read
          400 | {"error":{"message":"exceeds the available context size","type":"exceed_context_size_error"}} | CONTEXT_LENGTH | context size
          413 | Prompt is too long                                                        | CONTEXT_LENGTH  | Prompt is too long
          400 | {"error":{"message":"policy","code":"content_filter"}}                    | CONTENT_REFUSED | policy
          401 | {"error":{"message":"bad key"}}                                           | AUTH            | the environment variable LAB_KEY
          402 | {"error":{"message":"pay"}}                                               | AUTH            | paid up
          403 | {"detail":"forbidden"}                                                    | AUTH            | forbidden
          404 | {"error":{"message":"no model qwen3"}}                                    | BAD_REQUEST     | check 'base-url' and the name of the model
          408 | timeout                                                                   | RATE            | answers 408
          409 | busy                                                                      | RATE            | answers 409
          422 | {"detail":[{"loc":["body"],"msg":"field required"}]}                      | BAD_REQUEST     | field required
          429 | {"error":"slow down"}                                                     | RATE            | slow down
          429 | {"error":{"message":"empty","code":"insufficient_quota"}}                 | RATE            | the quota is spent
          500 | {"error":{"message":"oops"}}                                              | SERVER          | oops
          502 | <html>bad gateway</html>                                                  | SERVER          | bad gateway
          503 | loading                                                                   | OVERLOAD        | loading
          529 | overloaded                                                                | OVERLOAD        | overloaded
          418 | teapot                                                                    | BAD_REQUEST     | answers 418: teapot
          """)
  void aStatusIsClassifiedByItsNumberAndItsWords(int status, String body, Kind kind, String says)
      throws IOException {
    try (Lab lab = new Lab()) {
      lab.server.then(exchange -> exchange.answer(status, "", body));

      ModelException failure = lab.failure();

      assertEquals(kind, failure.kind(), failure.toString());
      assertSays(says, failure);
      assertSays("model lab/qwen3 at http://127.0.0.1", failure);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          {"error":{"message":"gone","code":502}}                                | SERVER
          {"error":{"message":"busy","code":529}}                                | OVERLOAD
          {"error":{"message":"busy","type":"overloaded_error"}}                 | OVERLOAD
          {"error":{"message":"slow","code":"rate_limit_exceeded"}}              | RATE
          {"error":{"message":"long","code":"context_length_exceeded"}}          | CONTEXT_LENGTH
          {"error":{"message":"no","type":"invalid_request_error","code":null}}  | BAD_REQUEST
          {"error":{"message":"no","type":"authentication_error"}}               | AUTH
          {"error":{"message":"no","code":"content_policy_violation"}}           | CONTENT_REFUSED
          {"error":{"message":"oops","type":"server_error"}}                     | SERVER
          {"error":"oops"}                                                       | SERVER
          {"object":"error","message":"oops","code":500}                         | SERVER
          """)
  void anErrorInsideAStreamThatBeganWellIsClassified(String event, Kind kind) throws IOException {
    try (Lab lab = new Lab()) {
      lab.server.then(
          exchange -> {
            exchange.stream();
            exchange.delta("{\"content\":\"well\"}");
            exchange.event(event);
          });

      ModelException failure = lab.failure();

      assertEquals(kind, failure.kind(), failure.toString());
      assertSays("broke its stream off with an error", failure);
      assertEquals(List.of("well"), lab.heard.texts());
    }
  }

  @Test
  void anEventNamedErrorIsOne() throws IOException {
    try (Lab lab = new Lab()) {
      lab.server.then(
          exchange -> {
            exchange.stream();
            exchange.raw("event: error\ndata: {\"message\":\"oops\",\"code\":503}\n\n");
          });

      assertEquals(Kind.OVERLOAD, lab.failure().kind());
    }
  }

  @Test
  void aServerThatIsNotThereIsNamed() throws Exception {
    int port;
    try (ServerSocket taken = new ServerSocket(0)) {
      port = taken.getLocalPort();
    }
    try (HttpProvider provider =
        new HttpProvider(
            new HttpProvider.Settings(
                "lab",
                Api.OPENAI_CHAT,
                URI.create("http://127.0.0.1:" + port),
                new KeySource.None(),
                Lab.LIMITS,
                new RetryPolicy(1, Lab.SHORT, Lab.SHORT, Lab.SHORT)),
            new Surroundings(
                InstantSource.system(), _ -> {}, new Random(1), _ -> Optional.empty()))) {

      ModelException failure =
          Assertions.assertThrows(
              ModelException.class,
              () -> provider.model("m", Traits.UNKNOWN).respond(Lab.request("x"), new Heard()));

      assertEquals(Kind.NETWORK, failure.kind());
      assertSays("can't be reached", failure);
    }
  }

  @Test
  void aConnectionThatBreaksBeforeTheAnswerIsTheNetworks() throws IOException {
    try (Lab lab = new Lab()) {
      lab.server.then(ProviderServer.Exchange::reset);

      assertEquals(Kind.NETWORK, lab.failure().kind());
    }
  }

  @Test
  void aConnectionThatBreaksInTheHeadersIsTheNetworks() throws IOException {
    try (Lab lab = new Lab()) {
      lab.server.then(exchange -> exchange.raw("HTTP/1.1 200 OK\r\nContent-"));

      assertEquals(Kind.NETWORK, lab.failure().kind());
    }
  }

  @Test
  void aConnectionThatBreaksInTheStreamIsTheNetworks() throws IOException {
    try (Lab lab = new Lab()) {
      lab.server.then(
          exchange -> {
            exchange.chunkedStream();
            exchange.chunk("data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n");
          });

      ModelException failure = lab.failure();

      assertEquals(Kind.NETWORK, failure.kind());
      assertSays("broke the connection off while it streamed", failure);
      assertEquals(List.of("half"), lab.heard.texts());
    }
  }

  @Test
  void aStreamThatEndsInTheMiddleIsCutOff() throws IOException {
    try (Lab lab = new Lab()) {
      lab.server.then(
          exchange -> {
            exchange.stream();
            exchange.delta("{\"content\":\"half\"}");
          });

      ModelException failure = lab.failure();

      assertEquals(Kind.CUT_OFF, failure.kind());
      assertSays("ended its stream in the middle", failure);
    }
  }

  @Test
  void aStreamThatIsDoneWithoutAFinishReasonIsCutOff() throws IOException {
    try (Lab lab = new Lab()) {
      lab.server.then(
          exchange -> {
            exchange.stream();
            exchange.event("[DONE]");
          });

      assertEquals(Kind.CUT_OFF, lab.failure().kind());
    }
  }

  @ParameterizedTest
  @CsvSource({"error", "abort", "insufficient_system_resource"})
  void aReplyThatTheServerGaveUpIsTheServersFailure(String reason) throws IOException {
    try (Lab lab = new Lab()) {
      lab.server.then(
          exchange -> {
            exchange.stream();
            exchange.finish(reason);
          });

      assertEquals(Kind.SERVER, lab.failure().kind());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          {"choices":[{"delta":
          [1,2]
          hello
          """)
  void anEventThatIsNoJsonObjectIsTheServersFailure(String data) throws IOException {
    try (Lab lab = new Lab()) {
      lab.server.then(
          exchange -> {
            exchange.stream();
            exchange.event(data);
          });

      ModelException failure = lab.failure();

      assertEquals(Kind.SERVER, failure.kind());
      assertSays("no JSON object", failure);
    }
  }

  @Test
  void anAnswerOfAnotherTypeSaysWhatToCheck() throws IOException {
    try (Lab lab = new Lab()) {
      lab.server.then(
          exchange -> exchange.answer(200, "Content-Type: text/html\r\n", "<h1>Welcome</h1>"));

      ModelException failure = lab.failure();

      assertEquals(Kind.BAD_REQUEST, failure.kind());
      assertSays("text/html", failure);
      assertSays("check that 'base-url'", failure);
    }
  }

  @Test
  void anErrorThatComesWithStatus200IsAnError() throws IOException {
    try (Lab lab = new Lab()) {
      lab.server.then(
          exchange ->
              exchange.answer(
                  200,
                  "Content-Type: application/json\r\n",
                  "{\"error\":{\"message\":\"full\",\"code\":503}}"));

      assertEquals(Kind.OVERLOAD, lab.failure().kind());
    }
  }

  @Test
  void aRedirectIsNotFollowed() throws IOException {
    try (Lab lab = new Lab()) {
      lab.server.then(exchange -> exchange.answer(307, "Location: http://elsewhere/v1\r\n", ""));

      ModelException failure = lab.failure();

      assertEquals(Kind.BAD_REQUEST, failure.kind());
      assertSays("a redirect to http://elsewhere/v1", failure);
      assertEquals(1, lab.server.received().size());
    }
  }

  @Test
  void headersThatDoNotComeAreAStall() throws Exception {
    try (Lab lab = new Lab(Lab.limits(Lab.SHORT, AMPLE, AMPLE), 1)) {
      lab.server.then(ProviderServer.Exchange::hang);

      ModelException failure = lab.failure();

      assertEquals(Kind.STALLED, failure.kind());
      assertSays("the headers of the answer did not come within 100 ms", failure);
      Assertions.assertTrue(lab.server.clientLeft());
    }
  }

  @Test
  void aFirstTokenThatDoesNotComeIsAStallWhateverElseComes() throws Exception {
    ModelLimits limits =
        new ModelLimits(AMPLE, AMPLE, Lab.SHORT, AMPLE, AMPLE, 1_000_000_000, 1_000);
    try (Lab lab = new Lab(limits, 1)) {
      lab.server.then(
          exchange -> {
            exchange.stream();
            exchange.delta("{\"role\":\"assistant\",\"content\":\"\"}");
            while (true) {
              exchange.raw(": processing\n\n");
            }
          });

      ModelException failure = lab.failure();

      assertEquals(Kind.STALLED, failure.kind());
      assertSays("the first token did not come within 100 ms", failure);
      Assertions.assertTrue(lab.server.clientLeft());
    }
  }

  @Test
  void aStreamThatGoesSilentIsAStall() throws Exception {
    try (Lab lab = new Lab(Lab.limits(AMPLE, AMPLE, Lab.SHORT), 3)) {
      lab.server.then(
          exchange -> {
            exchange.stream();
            exchange.delta("{\"content\":\"half\"}");
            exchange.hang();
          });

      ModelException failure = lab.failure();

      assertEquals(Kind.STALLED, failure.kind());
      assertSays("more of the stream did not come within 100 ms", failure);
      Assertions.assertTrue(lab.server.clientLeft());
    }
  }

  @Test
  void aReplyWithoutEndEndsWithTheWholeCall() throws Exception {
    ModelLimits limits =
        new ModelLimits(AMPLE, AMPLE, AMPLE, AMPLE, Duration.ofMillis(300), 100_000_000, 1_000);
    try (Lab lab = new Lab(limits, 3)) {
      lab.server.then(
          exchange -> {
            exchange.stream();
            while (true) {
              exchange.raw(": still here\n\n");
            }
          });

      ModelException failure = lab.failure();

      assertEquals(Kind.STALLED, failure.kind());
      assertSays("did not finish its reply within 300 ms", failure);
      Assertions.assertTrue(lab.server.clientLeft());
    }
  }

  @Test
  void aReplyPastItsSizeIsCutOff() throws Exception {
    ModelLimits limits = new ModelLimits(AMPLE, AMPLE, AMPLE, AMPLE, AMPLE, 10_000, 5_000);
    try (Lab lab = new Lab(limits, 3)) {
      lab.server.then(
          exchange -> {
            exchange.stream();
            while (true) {
              exchange.delta("{\"content\":\"again and again\"}");
            }
          });

      ModelException failure = lab.failure();

      assertEquals(Kind.CUT_OFF, failure.kind());
      assertSays("longer than 10000 bytes", failure);
    }
  }

  @Test
  void aLinePastItsSizeIsCutOff() throws Exception {
    ModelLimits limits = new ModelLimits(AMPLE, AMPLE, AMPLE, AMPLE, AMPLE, 1_000_000, 5_000);
    try (Lab lab = new Lab(limits, 3)) {
      lab.server.then(
          exchange -> {
            exchange.stream();
            exchange.raw("data: " + "x".repeat(10_000));
            exchange.hang();
          });

      ModelException failure = lab.failure();

      assertEquals(Kind.CUT_OFF, failure.kind());
      assertSays("a line is longer than 5000 bytes", failure);
    }
  }

  @Test
  void aFailureOfManyBytesIsShownInPart() throws Exception {
    try (Lab lab = new Lab()) {
      lab.server.then(
          exchange -> {
            exchange.raw("HTTP/1.1 500 Oops\r\nConnection: close\r\n\r\n");
            exchange.raw("oops ".repeat(100_000));
          });

      ModelException failure = lab.failure();

      assertEquals(Kind.SERVER, failure.kind());
      Assertions.assertTrue(failure.toString().length() < 1_000, failure.toString());
    }
  }

  @Test
  void aKeyThatTheServerRepeatsIsNotShown() throws IOException {
    try (Lab lab = new Lab()) {
      lab.server.then(
          exchange -> exchange.answer(401, "", "{\"error\":\"bad key " + Lab.KEY + "\"}"));

      ModelException failure = lab.failure();

      assertSays("bad key [key]", failure);
      assertHides(Lab.KEY, failure);
    }
  }

  @Test
  void aMissingKeyIsNamedBeforeAnythingIsSent() throws IOException {
    try (Lab lab = new Lab(Lab.LIMITS, 3, new KeySource.Environment("NO_KEY"))) {
      ModelException failure = lab.failure();

      assertEquals(Kind.AUTH, failure.kind());
      assertSays("the environment variable NO_KEY is not set", failure);
    }
    try (Lab lab = new Lab(Lab.LIMITS, 3, new KeySource.File(Path.of("/nowhere/key")))) {
      ModelException failure = lab.failure();

      assertEquals(Kind.AUTH, failure.kind());
      assertSays("the file /nowhere/key is not there", failure);
      assertEquals(List.of(), lab.slept);
    }
  }

  private static final Duration AMPLE = Duration.ofSeconds(30);
}
