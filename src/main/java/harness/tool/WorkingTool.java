package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;

/** One thing that an Agent may do in the workspace. Stateless; called from many threads at once. */
interface WorkingTool {
  /** The time limit of tools that name none of their own. */
  Duration LIMIT = Duration.ofSeconds(60);

  ToolSpec spec();

  /**
   * How long a call with these arguments may take; its host ends it then. The arguments are as the
   * model wrote them: what is wrong with them is no matter here.
   */
  default Duration limit(JsonNode input) {
    return LIMIT;
  }

  /**
   * Does it. What went wrong is thrown as a {@link ToolException} with a sentence for the model, or
   * as an {@link IOException} (a {@link harness.workspace.PathException} among them) whose message
   * is one.
   */
  ToolResult call(JsonNode input, Seat seat)
      throws ToolException, IOException, InterruptedException;
}
