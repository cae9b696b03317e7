package harness.model.provider;

import static harness.model.Says.assertSays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.agent.Dials;
import harness.agent.ModelName;
import harness.agent.ThinkingLevel;
import harness.fault.Refusal;
import harness.fault.RefusedException;
import harness.model.Heard;
import harness.model.Message;
import harness.model.Reply;
import harness.model.Request;
import harness.model.Sleeper;
import harness.model.Surroundings;
import harness.model.TokenLimits;
import harness.model.http.Api;
import harness.model.http.HttpProvider;
import harness.model.http.KeySource;
import harness.model.http.ModelLimits;
import harness.model.http.RetryPolicy;
import harness.model.scripted.Script;
import harness.model.scripted.ScriptException;
import java.math.BigDecimal;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConfiguredModelsTest {
  private static final Surroundings SURROUNDINGS =
      new Surroundings(
          InstantSource.system(), Sleeper.real(), new Random(1), _ -> Optional.empty());

  private static final Script DEMO_SCRIPT =
      script(
          "models: { a: [ { steps: [ { text: hi } ] } ], b/c: [ { steps: [ { cut: true } ] } ] }");

  private static final ProviderConfig DEMO =
      new ProviderConfig.Scripted(
          "demo", DEMO_SCRIPT, Map.of("b/c", withLevels(ThinkingLevel.HIGH, ThinkingLevel.OFF)));

  private static final HttpProvider.Settings LAB =
      new HttpProvider.Settings(
          "lab",
          Api.OPENAI_CHAT,
          URI.create("http://127.0.0.1:9/v1"),
          new KeySource.None(),
          ModelLimits.DEFAULT,
          RetryPolicy.DEFAULT);

  @Test
  void aModelTakesImagesWhereItsOwnWordOrItsProvidersSaysSo() {
    ModelConfig yes = images(true);
    ConfiguredModels models =
        models(
            new ProviderConfig.Scripted("demo", DEMO_SCRIPT, Map.of("a", yes)),
            new ProviderConfig.Http(
                LAB, yes, Map.of("sees", ModelConfig.DEFAULT, "blind", images(false))));

    assertEquals(
        List.of(true, false, true, false),
        List.of("demo/a", "demo/b/c", "lab/sees", "lab/blind").stream()
            .map(name -> models.find(dials(name)).takesImages())
            .toList());
  }

  private static ModelConfig images(boolean taken) {
    return new ModelConfig(
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.of(taken),
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void theModelsOfAScriptAreFoundByName() {
    ConfiguredModels models = models(DEMO);

    assertNotEquals(models.find(dials("demo/a")), models.find(dials("demo/b/c")));
  }

  @Test
  void aWellKnownModelIsWhatTheCatalogueSaysWhereConfigurationSaysNothing() {
    ModelConfig narrow =
        new ModelConfig(OptionalInt.of(50_000), OptionalInt.empty(), Optional.empty());
    ConfiguredModels models =
        models(
            new ProviderConfig.Http(
                at(Api.OPENAI_RESPONSES),
                ModelConfig.DEFAULT,
                Map.of(
                    "gpt-5-2025-08-07",
                    ModelConfig.DEFAULT,
                    "gpt-4.1",
                    narrow,
                    "gpt-5-turbo",
                    ModelConfig.DEFAULT)));

    assertEquals(
        new TokenLimits(OptionalInt.of(400_000), OptionalInt.of(128_000)),
        models.find(dials("lab/gpt-5-2025-08-07")).limits());
    assertTrue(models.find(dials("lab/gpt-5-2025-08-07")).takesImages());
    assertEquals(
        new TokenLimits(OptionalInt.of(50_000), OptionalInt.of(32_768)),
        models.find(dials("lab/gpt-4.1")).limits());
    assertEquals(TokenLimits.UNKNOWN, models.find(dials("lab/gpt-5-turbo")).limits());
  }

  @Test
  void aWellKnownModelBehindAnotherApiIsNotKnown() {
    ConfiguredModels models =
        models(
            new ProviderConfig.Http(
                at(Api.ANTHROPIC_MESSAGES),
                ModelConfig.DEFAULT,
                Map.of("gpt-4.1", ModelConfig.DEFAULT)));

    assertEquals(TokenLimits.UNKNOWN, models.find(dials("lab/gpt-4.1")).limits());
  }

  @Test
  void aModelWithoutThinkingRefusesEveryLevelButOffByName() {
    ConfiguredModels models =
        models(
            new ProviderConfig.Http(
                at(Api.OPENAI_CHAT), ModelConfig.DEFAULT, Map.of("gpt-4o", ModelConfig.DEFAULT)));
    ModelName model = ModelName.parse("lab/gpt-4o");

    models.find(new Dials(model, Optional.of(ThinkingLevel.OFF)));
    assertEquals(
        new Refusal.Invalid(
            "model 'lab/gpt-4o' has no thinking level 'high'; known: off", "thinkingLevel"),
        refusal(models, new Dials(model, Optional.of(ThinkingLevel.HIGH))));
  }

  @Test
  void theCostOfAReplyIsExact() throws Exception {
    Price price =
        new Price(new BigDecimal("3"), new BigDecimal("0.30"), new BigDecimal("15.000001"));
    Script script =
        script(
            "models: { a: [ { steps: [ { text: hi, usage: { input: 1000007, cached: 7,"
                + " output: 3 } } ] } ] }");
    ModelConfig priced =
        new ModelConfig(
            OptionalInt.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(price));
    ConfiguredModels models =
        models(new ProviderConfig.Scripted("demo", script, Map.of("a", priced)));

    Reply reply =
        models
            .find(dials("demo/a"))
            .respond(
                new Request(
                    "", List.of(), List.of(new Message.User(List.of("x"))), Optional.empty()),
                new Heard());

    // 1,000,000 fresh at 3, 7 cached at 0.30 and 3 said at 15.000001, each for a million.
    assertEquals(
        0,
        new BigDecimal("3.000047100003").compareTo(reply.usage().cost().orElseThrow()),
        reply.usage().toString());
  }

  private static HttpProvider.Settings at(Api api) {
    return new HttpProvider.Settings(
        "lab", api, LAB.baseUrl(), LAB.key(), LAB.limits(), LAB.retries());
  }

  @Test
  void anUnknownProviderIsRefusedNamingTheKnownOnes() {
    assertEquals(
        new Refusal.Invalid("no provider 'lab' is configured; known: demo", "model"),
        refusal(models(DEMO), dials("lab/a")));
  }

  @Test
  void withNoProviderTheRefusalSaysWhereToAddOne() {
    assertEquals(
        new Refusal.Invalid(
            "no provider 'lab' is configured; none is: add one under 'providers'", "model"),
        refusal(models(), dials("lab/a")));
  }

  @Test
  void anUnknownModelIsRefusedNamingTheKnownOnes() {
    assertEquals(
        new Refusal.Invalid("provider 'demo' has no model 'z'; known: a, b/c", "model"),
        refusal(models(DEMO), dials("demo/z")));
  }

  @Test
  void aThinkingLevelThatTheModelLacksIsRefusedNamingItsLevels() {
    Dials dials = new Dials(ModelName.parse("demo/b/c"), Optional.of(ThinkingLevel.LOW));

    assertEquals(
        new Refusal.Invalid(
            "model 'demo/b/c' has no thinking level 'low'; known: off, high", "thinkingLevel"),
        refusal(models(DEMO), dials));
  }

  @Test
  void aModelWithoutListedLevelsHasAllOfThem() {
    for (ThinkingLevel level : ThinkingLevel.values()) {
      models(DEMO).find(new Dials(ModelName.parse("demo/a"), Optional.of(level)));
    }
  }

  @Test
  void aModelBehindHttpIsFoundAndTakesWhatItDoesNotSayFromItsProvider() {
    ProviderConfig lab =
        new ProviderConfig.Http(
            LAB,
            new ModelConfig(
                OptionalInt.empty(), OptionalInt.of(8192), Optional.of(Set.of(ThinkingLevel.LOW))),
            Map.of("qwen3", ModelConfig.DEFAULT, "big", withLevels(ThinkingLevel.HIGH)));
    Dials low = new Dials(ModelName.parse("lab/qwen3"), Optional.of(ThinkingLevel.LOW));
    Dials big = new Dials(ModelName.parse("lab/big"), Optional.of(ThinkingLevel.LOW));

    try (ConfiguredModels models = models(DEMO, lab)) {
      assertSame(models.find(low), models.find(dials("lab/qwen3")));
      assertEquals(
          new Refusal.Invalid(
              "model 'lab/big' has no thinking level 'low'; known: high", "thinkingLevel"),
          refusal(models, big));
    }
  }

  @Test
  void aProviderBehindHttpNamesItsModels() {
    assertSays(
        "provider 'lab' needs 'models'",
        assertThrows(
            IllegalArgumentException.class,
            () -> new ProviderConfig.Http(LAB, ModelConfig.DEFAULT, Map.of())));
  }

  @Test
  void settingsForAModelThatTheScriptLacksAreRefused() {
    assertSays(
        "the script has no model 'z'; it has a, b/c",
        assertThrows(
            IllegalArgumentException.class,
            () ->
                new ProviderConfig.Scripted(
                    "demo",
                    ((ProviderConfig.Scripted) DEMO).script(),
                    Map.of("z", ModelConfig.DEFAULT))));
  }

  @Test
  void twoProvidersOfOneIdAreRefused() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> models(DEMO, DEMO));

    assertSays("'demo'", refused);
  }

  private static ModelConfig withLevels(ThinkingLevel... levels) {
    return new ModelConfig(OptionalInt.empty(), OptionalInt.empty(), Optional.of(Set.of(levels)));
  }

  private static ConfiguredModels models(ProviderConfig... configs) {
    return new ConfiguredModels(List.of(configs), SURROUNDINGS);
  }

  private static Dials dials(String model) {
    return new Dials(ModelName.parse(model), Optional.empty());
  }

  private static Refusal refusal(ConfiguredModels models, Dials dials) {
    return assertThrows(RefusedException.class, () -> models.find(dials)).refusal();
  }

  private static Script script(String yaml) {
    try {
      return Script.parse(yaml, "test");
    } catch (ScriptException e) {
      throw new AssertionError(e);
    }
  }
}
