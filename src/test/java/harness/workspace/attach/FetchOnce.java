package harness.workspace.attach;

import harness.workspace.git.PlaceOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Fetches one slot in a process of its own. Arguments: the workspace root and the URL. */
final class FetchOnce {
  private FetchOnce() {}

  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]);
    AttachOrder.Slot slot =
        AttachOrder.Slot.of(
            "slots",
            "target",
            arguments[1],
            Optional.empty(),
            OptionalInt.empty(),
            Optional.empty());
    Object order =
        new Mirrors(root.resolve(PlaceOrder.MIRRORS), root, List.of())
            .fetch(slot, "feature-x", Optional.empty());
    System.out.println(order);
  }
}
