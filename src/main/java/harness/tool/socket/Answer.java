package harness.tool.socket;

import harness.tool.MemoryExcess;
import harness.tool.ToolResult;
import harness.workspace.PathException;
import java.util.Map;

/** What the runner sends. */
sealed interface Answer {
  /**
   * The first frame. Its shape up to the protocol is the same in every protocol.
   *
   * @param root the workspace root that it serves
   * @param tools a digest of each tool's offer, by name
   */
  record Hello(long protocol, String root, Map<String, String> tools) implements Answer {
    public Hello {
      tools = Map.copyOf(tools);
    }
  }

  /** A piece of what a call puts out while it runs. */
  record Output(long id, String text) implements Answer {}

  /** The most that the container of the runner had in memory since a call began, as it grows. */
  record Memory(long id, MemoryExcess peak) implements Answer {}

  /** An answer that closes a request. */
  sealed interface Last extends Answer {
    long id();
  }

  /** The result of a call. */
  record Returned(long id, ToolResult result) implements Last {}

  /** The directory is one that Turns may run in. */
  record Checked(long id) implements Last {}

  /** The branch of the worktree; an empty text where it has none. */
  record Branch(long id, String name) implements Last {}

  /** The directory is none. */
  record Refused(long id, PathException.Kind kind, String message) implements Last {}

  /** A slot is there. */
  record Placed(long id, harness.workspace.git.Placed placed) implements Last {}

  /** A slot is not there. */
  record NotPlaced(long id, String message) implements Last {}

  /** Whatever else was asked is done. */
  record Done(long id) implements Last {}
}
