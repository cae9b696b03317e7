package harness.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The script of the provider that scenarios are played with: one model for each, by its name. */
public final class ScenarioScript {
  private ScenarioScript() {}

  /** The script of several scenarios, as JSON, which is YAML too. */
  public static String of(List<Scenario> scenarios) {
    ObjectNode document = Wire.JSON.createObjectNode();
    ObjectNode models = document.putObject("models");
    for (Scenario scenario : scenarios) {
      models.set(scenario.name(), rules(scenario.script()));
    }
    return document.toPrettyString() + "\n";
  }

  static JsonNode of(String name, JsonNode rules) {
    ObjectNode document = Wire.JSON.createObjectNode();
    document.putObject("models").set(name, rules(rules));
    return document;
  }

  /** A scenario without a script has a model all the same: it says one word. */
  private static JsonNode rules(JsonNode rules) {
    if (!rules.isMissingNode() && !rules.isNull()) {
      return rules;
    }
    ObjectNode rule = Wire.JSON.createObjectNode();
    rule.putArray("steps").addObject().put("text", "Done.");
    return Wire.JSON.createArrayNode().add(rule);
  }
}
