package harness.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * One scenario: a workspace, what the model says, what is asked and what must then hold.
 *
 * @param name the name of its file without the ending; also the name of its scripted model
 * @param title a sentence
 * @param workspace what is there before
 * @param script the rules of its model, as {@link harness.model.scripted.Script} has them
 * @param rights what the server's file of rights says; nothing: it has none
 * @param limits keys of the configuration's {@code limits} that it needs
 * @param contextWindow that of its model, in tokens; empty: not known
 * @param steps what happens, in order
 */
public record Scenario(
    String name,
    String title,
    Workspace workspace,
    JsonNode script,
    JsonNode rights,
    Map<String, String> limits,
    OptionalInt contextWindow,
    List<Step> steps) {
  public Scenario {
    limits = Collections.unmodifiableMap(new LinkedHashMap<>(limits));
    steps = List.copyOf(steps);
  }

  /**
   * What is there before. Paths are relative to the workspace root.
   *
   * @param repositories by the name of their directory
   * @param slots by name, the path of the worktree
   * @param files further files and their content
   * @param links symbolic links and where they point, which may be anywhere
   * @param outside files beside the workspace root, relative to {@code {{outside}}}
   */
  public record Workspace(
      Map<String, Repository> repositories,
      Map<String, String> slots,
      Map<String, String> files,
      Map<String, String> links,
      Map<String, String> outside) {
    static final Workspace EMPTY = new Workspace(Map.of(), Map.of(), Map.of(), Map.of(), Map.of());

    public Workspace {
      repositories = Collections.unmodifiableMap(new LinkedHashMap<>(repositories));
      slots = Collections.unmodifiableMap(new LinkedHashMap<>(slots));
      files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
      links = Collections.unmodifiableMap(new LinkedHashMap<>(links));
      outside = Collections.unmodifiableMap(new LinkedHashMap<>(outside));
    }
  }

  /**
   * A repository: its clone is {@code NAME/default}, each worktree {@code NAME/BRANCH}.
   *
   * @param files what its first commit holds
   * @param worktrees the branches that have one
   */
  public record Repository(Map<String, String> files, List<String> worktrees) {
    public Repository {
      files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
      worktrees = List.copyOf(worktrees);
    }
  }

  /** Whether it looks at what lies in its workspace. */
  boolean looksAtFiles() {
    return steps.stream()
        .anyMatch(
            step ->
                step instanceof Step.Files
                    || step instanceof Step.Absent
                    || step instanceof Step.Changed
                    || step instanceof Step.Git);
  }

  /** Whether the server is ended and started again in it. */
  public boolean restarts() {
    return steps.stream().anyMatch(Step.Restart.class::isInstance);
  }
}
