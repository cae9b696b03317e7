package harness.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import harness.fault.Refusal;
import harness.fault.RefusedException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SlotsTest {
  @Test
  void theOnlySlotIsWhereATurnWorks() {
    Slots slots = new Slots("/work", Map.of("target", "/work/target/feature-x"));
    assertEquals("/work/target/feature-x", slots.resolve(Optional.empty()));
    assertEquals("/work/other", slots.resolve(Optional.of("/work/other")));
  }

  @Test
  void withoutSlotsItIsTheWorkspaceRoot() {
    assertEquals("/work", new Slots("/work", Map.of()).resolve(Optional.empty()));
  }

  @Test
  void ofSeveralSlotsTheFrameHasToNameOne() {
    Slots slots =
        new Slots("/work", Map.of("target", "/work/target/feature-x", "docs", "/work/docs/main"));
    assertEquals(List.of("docs", "target"), List.copyOf(slots.worktrees().keySet()));
    assertEquals("/work/docs/main", slots.resolve(Optional.of("/work/docs/main")));
    RefusedException refused =
        assertThrows(RefusedException.class, () -> slots.resolve(Optional.empty()));
    assertEquals(
        new Refusal.Invalid(
            "the workspace has 2 slots, so the Frame has to say in which directory it works; add"
                + " one of: for slot docs: \"cwd\": \"/work/docs/main\"; for slot target: \"cwd\":"
                + " \"/work/target/feature-x\"",
            "cwd"),
        refused.refusal());
  }
}
