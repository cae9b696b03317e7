package harness.model.http;

import static harness.model.Says.assertSays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.model.Heard;
import harness.model.Model;
import harness.model.ModelException;
import harness.model.ModelException.Kind;
import harness.model.Reply;
import harness.model.Sink;
import harness.model.Sleeper;
import harness.model.Surroundings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChatModelRetryTest {
  @ParameterizedTest
  @ValueSource(ints = {408, 429, 500, 502, 503, 529})
  void aStatusThatMayPassIsTriedAgain(int status) throws Exception {
    try (Lab lab = new Lab(Lab.LIMITS, 3)) {
      lab.server.then(exchange -> exchange.answer(status, "", "not now"));
      lab.server.then(exchange -> exchange.answer(status, "", "not now"));
      lab.server.then(exchange -> exchange.says("hi"));

      lab.ask();

      assertEquals(3, lab.server.received().size());
      assertEquals(List.of("hi"), lab.heard.texts());
      assertEquals(2, lab.slept.size());
    }
  }

  @Test
  void theAttemptsAreCounted() throws Exception {
    try (Lab lab = new Lab(Lab.LIMITS, 3)) {
      for (int i = 0; i < 3; i++) {
        lab.server.then(exchange -> exchange.answer(503, "", "full"));
      }

      ModelException failure = lab.failure();

      assertEquals(Kind.OVERLOAD, failure.kind());
      assertSays("(after 3 attempts)", failure);
      assertEquals(3, lab.server.received().size());
      assertEquals(2, lab.slept.size());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 422})
  void aStatusThatStaysIsNotTriedAgain(int status) throws Exception {
    try (Lab lab = new Lab(Lab.LIMITS, 3)) {
      lab.server.then(exchange -> exchange.answer(status, "", "no"));

      lab.failure();

      assertEquals(1, lab.server.received().size());
      assertEquals(List.of(), lab.slept);
    }
  }

  @Test
  void whatFailsBeforeAnythingWasShownIsTriedAgain() throws Exception {
    try (Lab lab = new Lab(Lab.LIMITS, 5)) {
      lab.server.then(ProviderServer.Exchange::reset);
      lab.server.then(
          exchange -> {
            exchange.stream();
            exchange.event("{\"error\":{\"code\":500}}");
          });
      lab.server.then(ProviderServer.Exchange::stream);
      lab.server.then(
          exchange -> {
            exchange.stream();
            exchange.event("{");
          });
      lab.server.then(exchange -> exchange.says("hi"));

      assertInstanceOf(Reply.Text.class, lab.ask());

      assertEquals(5, lab.server.received().size());
      assertEquals(List.of("hi"), lab.heard.texts());
    }
  }

  @Test
  void aSilenceBeforeTheFirstTokenIsTriedAgain() throws Exception {
    try (Lab lab = new Lab(Lab.limits(AMPLE, Lab.SHORT, AMPLE), 2)) {
      for (int i = 0; i < 2; i++) {
        lab.server.then(
            exchange -> {
              exchange.stream();
              exchange.hang();
            });
      }

      ModelException failure = lab.failure();

      assertEquals(Kind.STALLED, failure.kind());
      assertSays("(after 2 attempts)", failure);
    }
  }

  @Test
  void everyAttemptSendsTheSameBytes() throws Exception {
    try (Lab lab = new Lab(Lab.LIMITS, 2)) {
      lab.server.then(exchange -> exchange.answer(500, "", ""));
      lab.server.then(exchange -> exchange.says("hi"));

      lab.ask();

      List<ProviderServer.Received> received = lab.server.received();
      Assertions.assertArrayEquals(received.get(0).body(), received.get(1).body());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"content", "reasoning_content", "reasoning"})
  void whatFailsAfterSomethingWasShownIsNotTriedAgain(String field) throws Exception {
    try (Lab lab = new Lab(Lab.LIMITS, 3)) {
      lab.server.then(
          exchange -> {
            exchange.stream();
            exchange.delta("{\"" + field + "\":\"half\"}");
            exchange.event("{\"error\":{\"code\":500}}");
          });

      assertEquals(Kind.SERVER, lab.failure().kind());

      assertEquals(1, lab.server.received().size());
    }
  }

  @Test
  void aCallThatBreaksOffShowedNothingAndIsTriedAgain() throws Exception {
    try (Lab lab = new Lab(Lab.LIMITS, 3)) {
      lab.server.then(
          exchange -> {
            exchange.stream();
            exchange.delta("{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"list\"}}]}");
            exchange.event("{\"error\":{\"code\":500}}");
          });
      lab.server.then(exchange -> exchange.says("hi"));

      lab.ask();

      assertEquals(2, lab.server.received().size());
    }
  }

  @Test
  void aSilenceAfterTheFirstTokenIsNotTriedAgain() throws Exception {
    try (Lab lab = new Lab(Lab.limits(AMPLE, AMPLE, Lab.SHORT), 3)) {
      lab.server.then(
          exchange -> {
            exchange.stream();
            exchange.delta("{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"list\"}}]}");
            exchange.hang();
          });

      assertEquals(Kind.STALLED, lab.failure().kind());

      assertEquals(1, lab.server.received().size());
    }
  }

  @Test
  void aRetryAfterIsObeyed() throws Exception {
    try (Lab lab = new Lab(Lab.LIMITS, 2)) {
      lab.server.then(exchange -> exchange.answer(429, "Retry-After: 20\r\n", "slow"));
      lab.server.then(exchange -> exchange.says("hi"));

      lab.ask();

      Duration wait = lab.slept.get(0);
      assertTrue(wait.compareTo(Duration.ofSeconds(20)) >= 0, wait.toString());
      assertTrue(wait.compareTo(Duration.ofSeconds(21)) < 0, wait.toString());
    }
  }

  @Test
  void aRetryAfterThatIsTooLongFailsAtOnce() throws Exception {
    try (Lab lab = new Lab(Lab.LIMITS, 3)) {
      lab.server.then(exchange -> exchange.answer(429, "Retry-After: 3600\r\n", "slow"));

      ModelException failure = lab.failure();

      assertEquals(Kind.RATE, failure.kind());
      assertSays("left alone for 3600 s", failure);
      assertEquals(List.of(), lab.slept);
    }
  }

  @Test
  void aWaitPastTheWholeCallIsNotMade() throws Exception {
    ModelLimits limits =
        new ModelLimits(AMPLE, AMPLE, AMPLE, AMPLE, Duration.ofSeconds(10), 1_000, 1_000);
    try (Lab lab = new Lab(limits, 3)) {
      lab.server.then(exchange -> exchange.answer(429, "Retry-After: 20\r\n", "slow"));

      ModelException failure = lab.failure();

      assertSays("no time is left to try again", failure);
      assertEquals(List.of(), lab.slept);
    }
  }

  @Test
  void anInterruptEndsTheWaitForTheHeaders() throws Exception {
    try (Lab lab = new Lab()) {
      CountDownLatch asked = new CountDownLatch(1);
      lab.server.then(
          exchange -> {
            asked.countDown();
            exchange.hang();
          });

      interruptOnce(asked, lab.model(), lab.heard);

      assertTrue(lab.server.clientLeft());
    }
  }

  @Test
  void anInterruptEndsTheWaitInTheStream() throws Exception {
    try (Lab lab = new Lab()) {
      CountDownLatch heard = new CountDownLatch(1);
      lab.server.then(
          exchange -> {
            exchange.stream();
            exchange.delta("{\"content\":\"half\"}");
            exchange.hang();
          });

      interruptOnce(
          heard,
          lab.model(),
          new Sink() {
            @Override
            public void text(String delta) {
              heard.countDown();
            }

            @Override
            public void thinking(String delta) {}
          });

      assertTrue(lab.server.clientLeft());
    }
  }

  @Test
  void anInterruptEndsTheWaitBeforeTheNextAttempt() throws Exception {
    try (ProviderServer server = new ProviderServer()) {
      server.then(exchange -> exchange.answer(503, "", "full"));
      CountDownLatch waiting = new CountDownLatch(1);
      Sleeper sleeper =
          duration -> {
            waiting.countDown();
            Sleeper.real().sleep(duration);
          };
      Duration hour = Duration.ofHours(1);
      ModelLimits limits =
          new ModelLimits(AMPLE, AMPLE, AMPLE, AMPLE, hour.multipliedBy(2), 1000, 1000);
      try (HttpProvider provider =
          new HttpProvider(
              new HttpProvider.Settings(
                  "lab",
                  Api.OPENAI_CHAT,
                  server.baseUrl(),
                  new KeySource.None(),
                  limits,
                  new RetryPolicy(3, hour, hour, hour)),
              new Surroundings(
                  InstantSource.system(), sleeper, new Random(1), _ -> Optional.empty()))) {
        interruptOnce(waiting, provider.model("m", Traits.UNKNOWN), new Heard());
      }
    }
  }

  private static void interruptOnce(CountDownLatch reached, Model model, Sink sink)
      throws Exception {
    CompletableFuture<Reply> outcome = new CompletableFuture<>();
    Thread turn =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    outcome.complete(model.respond(Lab.request("hello"), sink));
                  } catch (ModelException | InterruptedException | RuntimeException e) {
                    outcome.completeExceptionally(e);
                  }
                });
    assertTrue(reached.await(10, TimeUnit.SECONDS));
    turn.interrupt();
    ExecutionException ended =
        Assertions.assertThrows(ExecutionException.class, () -> outcome.get(10, TimeUnit.SECONDS));
    assertInstanceOf(InterruptedException.class, ended.getCause());
  }

  private static final Duration AMPLE = Duration.ofSeconds(30);
}
