package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import harness.Bodies;
import harness.Reply;
import harness.TestHarness;
import harness.TestSettings;
import harness.model.provider.ModelConfig;
import harness.model.provider.Price;
import harness.model.provider.ProviderConfig;
import harness.model.scripted.Script;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class CostTest {
  @Test
  void aSettlementAndTheWholeConversationSayWhatTheyCost(@TempDir Path directory) throws Exception {
    Script script =
        Script.parse(
            "models: { plain: [ { steps: [ { text: hi, usage: { input: 7, cached: 2, output: 1 } }"
                + " ] } ] }",
            "of the test");
    Price price = new Price(new BigDecimal("2.5"), new BigDecimal("0.25"), BigDecimal.TEN);
    ModelConfig priced =
        new ModelConfig(
            OptionalInt.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(price));
    try (TestHarness harness =
        TestSettings.in(directory)
            .slots(Map.of("target", "target/feature-x"))
            .start(List.of(new ProviderConfig.Scripted("test", script, Map.of("plain", priced))))) {
      Reply first = harness.post("/turns", Bodies.continued("run-1", "one")).ok();
      assertEquals("0.000023", harness.awaitSettled(first).at("/usage/cost").textValue());
      harness.awaitSettled(harness.post("/turns", Bodies.continued("run-1", "two")).ok());

      JsonNode history = harness.get(first.conversation() + "?view=history").ok().json();

      assertEquals("0.000046", history.at("/usage/cost").textValue(), history::toString);
      assertEquals(14, history.at("/usage/inputTokens").asLong());
    }
  }
}
