package harness.tool;

import harness.agent.Access;
import harness.model.ToolOffer;
import java.util.List;

/**
 * The Working tools as a Turn sees them: what is offered for an access, and the way to call them.
 */
public final class ToolBox {
  /** The most text that one result hands to the model. */
  public static final int MAX_RESULT_BYTES = 64 * 1024;

  private final ToolHost host;

  public ToolBox(ToolHost host) {
    this.host = host;
  }

  /** What is offered to the model for an access, in a fixed order and with fixed bytes. */
  public List<ToolOffer> offers(Access access) {
    return access == Access.NONE ? List.of() : List.of();
  }

  /** Whether the name is one of a Working tool, whatever the access. */
  public static boolean isWorkingTool(String name) {
    return name.isEmpty();
  }

  /** Runs a call; one that the access withholds or that no tool has is a result with an error. */
  public ToolResult call(ToolCall call) {
    return host.call(call);
  }
}
