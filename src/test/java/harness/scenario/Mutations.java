package harness.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A scenario with one wrong expectation, for each of its expectations. */
public final class Mutations {
  private static final String WRONG = "(wrong)";

  private final JsonNode scenario;
  private final List<Mutant> mutants = new ArrayList<>();

  private Mutations(JsonNode scenario) {
    this.scenario = scenario;
  }

  /**
   * A scenario that must not hold.
   *
   * @param step the number of the wrong step, from 1
   */
  public record Mutant(String name, int step, JsonNode tree) {
    /**
     * The scenario.
     *
     * @param as its name
     */
    public Scenario scenario(String as) throws ScenarioFormatException {
      return ScenarioReader.of(tree, as);
    }
  }

  /** One for each kind of step that the scenario has, chosen at random. */
  public static List<Mutant> some(JsonNode scenario, Random random) {
    List<Mutant> shuffled = new ArrayList<>(of(scenario));
    Collections.shuffle(shuffled, random);
    Map<String, Mutant> byKind = new TreeMap<>();
    for (Mutant mutant : shuffled) {
      JsonNode step = scenario.path("steps").get(mutant.step() - 1);
      byKind.putIfAbsent(step.fieldNames().next(), mutant);
    }
    return List.copyOf(byKind.values());
  }

  static List<Mutant> of(JsonNode scenario) {
    Mutations all = new Mutations(scenario);
    JsonNode steps = scenario.path("steps");
    for (int i = 0; i < steps.size(); i++) {
      Map.Entry<String, JsonNode> step = steps.get(i).properties().iterator().next();
      all.mutate(i, step.getKey(), step.getValue());
    }
    return all.mutants;
  }

  private void mutate(int at, String kind, JsonNode step) {
    switch (kind) {
      case "admit", "request" -> {
        add(at, kind + " status", value -> value.put("status", 299));
        add(at, kind + " error", value -> array(value, "error").add(WRONG));
        inner(at, kind, "answer", step.path("answer"));
      }
      case "settled" -> {
        add(at, "settled outcome", value -> value.put("outcome", WRONG));
        add(at, "settled error", value -> value.put("error", WRONG));
        add(at, "settled fault", value -> value.put("fault", WRONG));
        add(at, "settled says", value -> value.put("says", WRONG));
      }
      case "event" -> {
        add(at, "event type", value -> value.put("type", WRONG));
        inner(at, kind, "holds", step.path("holds"));
      }
      case "events" -> add(at, "events types", value -> array(value, "types").remove(0));
      case "calls" -> add(at, "calls returned", value -> array(value, "returned").add(WRONG));
      case "history" -> add(at, "history messages", value -> array(value, "messages").remove(0));
      case "files" ->
          step.properties()
              .forEach(
                  file ->
                      add(at, "files " + file.getKey(), value -> value.put(file.getKey(), WRONG)));
      case "absent" -> addArray(at, "absent", array -> array.add("."));
      case "changed" -> addArray(at, "changed", array -> array.add(WRONG));
      case "git" ->
          step.properties()
              .forEach(
                  checkout -> {
                    String name = checkout.getKey();
                    add(
                        at,
                        "git branch " + name,
                        value -> within(value, name).put("branch", WRONG));
                    add(
                        at,
                        "git status " + name,
                        value -> array(within(value, name), "status").add(WRONG));
                  });
      case "reread", "restart", "rights" -> {}
      default -> throw new IllegalStateException("no mutation is known for " + kind);
    }
  }

  private void inner(int at, String kind, String key, JsonNode expected) {
    expected
        .properties()
        .forEach(
            field ->
                add(
                    at,
                    kind + " " + key + " " + field.getKey(),
                    value -> within(value, key).put(field.getKey(), WRONG)));
  }

  private void add(int at, String name, Consumer<ObjectNode> change) {
    mutant(at, name, step -> change.accept((ObjectNode) step));
  }

  private void addArray(int at, String name, Consumer<ArrayNode> change) {
    mutant(at, name, step -> change.accept((ArrayNode) step));
  }

  private void mutant(int at, String name, Consumer<JsonNode> change) {
    JsonNode copy = scenario.deepCopy();
    change.accept(copy.path("steps").get(at).properties().iterator().next().getValue());
    mutants.add(new Mutant("step " + (at + 1) + ": " + name, at + 1, copy));
  }

  private static ObjectNode within(ObjectNode node, String key) {
    return (ObjectNode) node.path(key);
  }

  private static ArrayNode array(ObjectNode node, String key) {
    return Optional.of(node.path(key))
        .filter(ArrayNode.class::isInstance)
        .map(ArrayNode.class::cast)
        .orElseGet(() -> node.putArray(key));
  }
}
