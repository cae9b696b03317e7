package harness.workspace;

import harness.fault.RefusedException;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The repositories of the workspace.
 *
 * @param root the workspace root, absolute
 * @param worktrees by slot name, in the order of the names, the absolute path of its worktree
 */
public record Slots(String root, Map<String, String> worktrees) {
  public Slots {
    worktrees = Collections.unmodifiableMap(new TreeMap<>(worktrees));
  }

  /**
   * Where a Turn works: the directory that its Frame names; without one the worktree of the only
   * slot, or the workspace root where there is no slot.
   *
   * @throws RefusedException where the Frame names none and there are several slots; it names each
   *     and the line to add
   */
  public String resolve(Optional<String> cwd) {
    if (cwd.isPresent()) {
      return cwd.get();
    }
    if (worktrees.size() > 1) {
      String lines =
          worktrees.entrySet().stream()
              .map(slot -> "for slot " + slot.getKey() + ": \"cwd\": \"" + slot.getValue() + "\"")
              .collect(Collectors.joining("; "));
      throw RefusedException.invalid(
          "the workspace has "
              + worktrees.size()
              + " slots, so the Frame has to say in which directory it works; add one of: "
              + lines,
          "cwd");
    }
    return worktrees.isEmpty() ? root : worktrees.values().iterator().next();
  }
}
