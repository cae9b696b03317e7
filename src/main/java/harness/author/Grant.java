package harness.author;

import com.google.re2j.Pattern;
import harness.agent.InstanceId;
import java.util.Set;

/**
 * One line of the file of rights.
 *
 * @param to whom, as the file writes it
 * @param on which Instance IDs
 */
record Grant(String to, Pattern on, Set<Permission> may) {
  Grant {
    may = Set.copyOf(may);
  }

  boolean covers(InstanceId id, Permission permission) {
    return may.contains(permission) && on.matches(id.value());
  }

  /**
   * A pattern over Instance IDs: {@code **} is any text, {@code *} any without a slash. It runs in
   * linear time, however many stars it has.
   */
  static Pattern pattern(String text) {
    StringBuilder expression = new StringBuilder();
    int from = 0;
    for (int star; (star = text.indexOf('*', from)) >= 0; ) {
      expression.append(Pattern.quote(text.substring(from, star)));
      boolean across = text.startsWith("**", star);
      expression.append(across ? ".*" : "[^/]*");
      from = star + (across ? 2 : 1);
    }
    return Pattern.compile(expression + Pattern.quote(text.substring(from)));
  }
}
