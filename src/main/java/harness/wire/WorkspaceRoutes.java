package harness.wire;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import harness.api.WorkspaceAnswer;
import harness.workspace.Slots;
import java.util.Optional;

/** {@code GET /workspace}: where Turns may work. */
final class WorkspaceRoutes {
  private static final ObjectMapper JSON = JsonMapper.builder().addModule(new Jdk8Module()).build();

  private final Slots slots;

  WorkspaceRoutes(Slots slots) {
    this.slots = slots;
  }

  Answer read() {
    return Answer.ok(
        JSON.valueToTree(
            new WorkspaceAnswer(
                slots.root(),
                slots.worktrees().entrySet().stream()
                    .map(
                        slot ->
                            new WorkspaceAnswer.Slot(
                                slot.getKey(), slot.getValue(), Optional.empty()))
                    .toList())));
  }
}
