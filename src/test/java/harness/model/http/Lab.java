package harness.model.http;

import static org.junit.jupiter.api.Assertions.assertThrows;

import harness.model.Heard;
import harness.model.Message;
import harness.model.Model;
import harness.model.ModelException;
import harness.model.Reply;
import harness.model.Request;
import harness.model.Surroundings;
import harness.model.TokenLimits;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;

/** A provider in front of a {@link ProviderServer}, with short limits and no waits. */
final class Lab implements AutoCloseable {
  /** Long enough for any machine, where the test does not wait for it. */
  private static final Duration AMPLE = Duration.ofSeconds(30);

  static final ModelLimits LIMITS =
      new ModelLimits(AMPLE, AMPLE, AMPLE, AMPLE, AMPLE, 1_000_000, 100_000);

  /** How long a test waits for what never comes. */
  static final Duration SHORT = Duration.ofMillis(100);

  /** Its breaker has never seen enough to open. */
  static final GuardPolicy NEVER_OPEN =
      new GuardPolicy(32, 1000, 100, AMPLE, Optional.empty(), AMPLE);

  static final String KEY = "sk-very-secret";

  final ProviderServer server;
  final Heard heard = new Heard();
  final List<Duration> slept = new ArrayList<>();
  private final HttpProvider provider;

  Lab() throws IOException {
    this(LIMITS, 1);
  }

  Lab(ModelLimits limits, int attempts) throws IOException {
    this(limits, attempts, new KeySource.Environment("LAB_KEY"));
  }

  Lab(Api api) throws IOException {
    this(api, LIMITS, 1, new KeySource.Environment("LAB_KEY"));
  }

  Lab(ModelLimits limits, int attempts, KeySource key) throws IOException {
    this(Api.OPENAI_CHAT, limits, attempts, key);
  }

  private Lab(Api api, ModelLimits limits, int attempts, KeySource key) throws IOException {
    server = new ProviderServer();
    provider =
        new HttpProvider(
            new HttpProvider.Settings(
                "lab",
                api,
                server.baseUrl(),
                key,
                limits,
                new RetryPolicy(
                    attempts, Duration.ofSeconds(1), Duration.ofSeconds(8), Duration.ofMinutes(1)),
                NEVER_OPEN),
            new Surroundings(
                InstantSource.system(),
                slept::add,
                new Random(7),
                name -> Optional.ofNullable(Map.of("LAB_KEY", KEY).get(name))));
  }

  static ModelLimits limits(Duration headers, Duration firstToken, Duration silence) {
    return new ModelLimits(AMPLE, headers, firstToken, silence, AMPLE, 1_000_000, 100_000);
  }

  Model model() {
    return model(Traits.UNKNOWN);
  }

  Model model(Traits traits) {
    return provider.model("qwen3", traits);
  }

  /** A model whose replies have at most so many tokens, and of which nothing else is known. */
  static Traits sending(int maxTokens) {
    return new Traits(OptionalInt.of(maxTokens), TokenLimits.UNKNOWN, false);
  }

  Reply ask() throws ModelException, InterruptedException {
    return model().respond(request("hello"), heard);
  }

  ModelException failure() {
    return assertThrows(ModelException.class, this::ask);
  }

  static Request request(String prompt) {
    return new Request(
        "be kind", List.of(), List.of(new Message.User(List.of(prompt))), Optional.empty());
  }

  @Override
  public void close() throws IOException {
    provider.close();
    server.close();
  }
}
