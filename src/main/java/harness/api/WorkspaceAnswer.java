package harness.api;

import java.util.List;
import java.util.Optional;

/**
 * What {@code GET /workspace} answers.
 *
 * @param root the workspace root: where a Turn works when there is no slot
 * @param slots in the order of their names
 */
public record WorkspaceAnswer(String root, List<Slot> slots) {
  public WorkspaceAnswer {
    slots = List.copyOf(slots);
  }

  /**
   * One repository of the workspace.
   *
   * @param worktree the absolute path of its checkout
   * @param branch the branch that is checked out there; empty where it is not known
   */
  public record Slot(String slot, String worktree, Optional<String> branch) {}
}
