package harness;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Bodies of requests that are right as they are, for a test to change. */
public final class Bodies {
  /** The model that follows all rules of {@link TestScript}. */
  public static final String MODEL = "test/plain";

  private Bodies() {}

  /** Of {@code POST /turns}: a fresh Turn of the Agent {@code coder}. */
  public static ObjectNode turn(String run, String prompt) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("run", run).put("path", "task").put("agent", "coder");
    return body.setAll(submission(prompt));
  }

  /** The same, of the address's one continued conversation, {@code RUN/task/coder}. */
  public static ObjectNode continued(String run, String prompt) {
    return turn(run, prompt).put("continue", true);
  }

  /** Of {@code POST /agents/AGENT/INSTANCE-ID}. */
  public static ObjectNode submission(String prompt) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("prompt", prompt);
    body.putObject("definition").put("model", MODEL).put("instructions", "You write code.");
    return body;
  }
}
