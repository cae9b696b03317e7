package harness.wire;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import harness.api.AttachBody;
import harness.api.WorkspaceAnswer;
import harness.fault.RefusedException;
import harness.tool.Attachments;
import harness.workspace.attach.AttachOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The workspace: {@code POST /attach} and {@code GET /workspace}. */
final class AttachRoutes {
  private static final ObjectMapper JSON = JsonMapper.builder().addModule(new Jdk8Module()).build();

  private final Attachments attachments;

  AttachRoutes(Attachments attachments) {
    this.attachments = attachments;
  }

  Answer attach(Call call) throws InterruptedException {
    AttachOrder order = order(call.body().as(AttachBody.class));
    Attachments.Attached attached = attachments.attach(order);
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ObjectNode repos = answer.putObject("repos");
    attached.repos().forEach(repos::put);
    if (order.reviewSha().isPresent()) {
      ObjectNode review = answer.putObject("review");
      attached.reviews().forEach(review::put);
    }
    return Answer.ok(answer);
  }

  private static AttachOrder order(AttachBody body) {
    List<AttachBody.SlotBody> bodies = required(body.slots(), "slots");
    List<AttachOrder.Slot> slots = new ArrayList<>();
    for (int i = 0; i < bodies.size(); i++) {
      AttachBody.SlotBody slot = bodies.get(i);
      String field = "slots.[" + i + "]";
      slots.add(
          AttachOrder.Slot.of(
              field,
              required(slot.slot(), field + ".slot"),
              required(slot.url(), field + ".url"),
              slot.ref(),
              slot.depth().map(OptionalInt::of).orElse(OptionalInt.empty()),
              slot.filter()));
    }
    return AttachOrder.of(slots, required(body.branch(), "branch"), body.reviewSha());
  }

  private static <T> T required(Optional<T> value, String field) {
    return value.orElseThrow(
        () -> RefusedException.invalid("field '" + field + "' is missing", field));
  }

  Answer workspace() {
    return Answer.ok(
        JSON.valueToTree(
            new WorkspaceAnswer(
                attachments.slots().root(),
                attachments.branches().entrySet().stream()
                    .map(
                        slot ->
                            new WorkspaceAnswer.Slot(
                                slot.getKey(),
                                slot.getValue().worktree(),
                                slot.getValue().branch()))
                    .toList())));
  }
}
