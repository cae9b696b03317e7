package harness.workspace.git;

import java.util.List;

/**
 * What a change did.
 *
 * @param lines a line for each thing that it did, in order
 * @param notes sentences about it, without a full stop
 */
public record GitReport(List<String> lines, List<String> notes) {
  public GitReport {
    lines = List.copyOf(lines);
    notes = List.copyOf(notes);
  }
}
