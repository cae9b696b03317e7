package harness.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** Whether a JSON value holds another: the same, or an object with at least its fields. */
final class Holding {
  private Holding() {}

  static void check(String what, JsonNode expected, JsonNode actual) throws ScenarioFailure {
    if (!holds(expected, actual)) {
      throw ScenarioFailure.expected(what, expected, actual);
    }
  }

  /** Nothing expected is held by everything. */
  static boolean holds(JsonNode expected, JsonNode actual) {
    if (expected.isMissingNode() || expected.isNull()) {
      return true;
    }
    if (!expected.isObject()) {
      return expected.equals(actual);
    }
    for (Map.Entry<String, JsonNode> field : expected.properties()) {
      JsonNode value = actual.path(field.getKey());
      boolean held =
          field.getValue().isNull()
              ? value.isMissingNode() || value.isNull()
              : holds(field.getValue(), value);
      if (!held) {
        return false;
      }
    }
    return true;
  }
}
