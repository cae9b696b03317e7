package harness.workspace.git;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reasons for which a change is not made at all. */
final class Refusals {
  /** How many an error names. */
  private static final int MAX_NAMED = 20;

  private final String done;
  private final Set<String> reasons = new LinkedHashSet<>();

  /**
   * @param done what would have been done, such as {@code added}
   */
  Refusals(String done) {
    this.done = done;
  }

  void add(String reason) {
    reasons.add(reason);
  }

  /**
   * Passes where there is none.
   *
   * @throws GitException that names the first ones
   */
  void check() throws GitException {
    if (reasons.isEmpty()) {
      return;
    }
    List<String> named = reasons.stream().limit(MAX_NAMED).toList();
    int more = reasons.size() - named.size();
    throw new GitException(
        "nothing was "
            + done
            + ": "
            + String.join("; ", named)
            + (more > 0 ? "; and " + more + " more like these" : ""));
  }
}
