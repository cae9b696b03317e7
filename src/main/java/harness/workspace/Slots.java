package harness.workspace;

import java.util.Map;
import java.util.TreeMap;

/**
 * The repositories of the workspace.
 *
 * @param root the workspace root, absolute
 * @param worktrees by slot name, the absolute path of its worktree
 */
public record Slots(String root, Map<String, String> worktrees) {
  public Slots {
    worktrees = Map.copyOf(new TreeMap<>(worktrees));
  }

  /** The working directory of a Frame that may have none. */
  public String resolve(java.util.Optional<String> cwd) {
    return cwd.orElse(root);
  }
}
