package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/** One thing that an Agent may do in the workspace. Stateless; called from many threads at once. */
interface WorkingTool {
  ToolSpec spec();

  /**
   * Does it. What went wrong is thrown as a {@link ToolException} with a sentence for the model, or
   * as an {@link IOException} (a {@link harness.workspace.PathException} among them) whose message
   * is one.
   */
  ToolResult call(JsonNode input, Seat seat)
      throws ToolException, IOException, InterruptedException;
}
