package harness.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The values behind {@code {{name}}} in the texts of a scenario. */
final class Names {
  private static final Pattern PLACE = Pattern.compile("\\{\\{([^{}]*)}}");

  private final Map<String, String> values = new TreeMap<>();

  void put(String name, String value) {
    values.put(name, value);
  }

  String fill(String text) throws ScenarioFailure {
    StringBuilder filled = new StringBuilder();
    Matcher place = PLACE.matcher(text);
    while (place.find()) {
      String value = values.get(place.group(1).strip());
      if (value == null) {
        throw new ScenarioFailure(
            "nothing is named " + place.group() + " here; known: " + values.keySet());
      }
      place.appendReplacement(filled, Matcher.quoteReplacement(value));
    }
    return place.appendTail(filled).toString();
  }

  /** The same tree with each text filled. */
  JsonNode fill(JsonNode tree) throws ScenarioFailure {
    if (tree.isTextual()) {
      return JsonNodeFactory.instance.textNode(fill(tree.textValue()));
    }
    if (tree.isArray()) {
      ArrayNode array = JsonNodeFactory.instance.arrayNode();
      for (JsonNode item : tree) {
        array.add(fill(item));
      }
      return array;
    }
    if (tree.isObject()) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      for (Map.Entry<String, JsonNode> field : tree.properties()) {
        object.set(fill(field.getKey()), fill(field.getValue()));
      }
      return object;
    }
    return tree;
  }

  /** Whether a tree has a place to fill. */
  static boolean hasPlace(JsonNode tree) {
    return PLACE.matcher(tree.toString()).find();
  }
}
