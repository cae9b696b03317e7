package harness.workspace.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.Slots;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The slots that were attached, as they are kept. */
class AttachedSlotsTest {
  private static final Slots NONE = new Slots("/work", Map.of());

  @Test
  void whatWasAttachedIsThereAfterARestart(@TempDir Path state) throws Exception {
    AttachedSlots.Slot slot = new AttachedSlots.Slot("/work/a/x", Optional.of("x"));
    AttachedSlots.open(NONE, state).add(Map.of("a", slot));
    assertEquals(Map.of("a", slot), AttachedSlots.open(NONE, state).all());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{\"slots\":\"x\"}", "{\"slots\":[{}]}", "{\"slots\":[", "x"})
  void aFileThatIsDamagedIsNamedWithTheMend(String content, @TempDir Path state) throws Exception {
    Files.writeString(state.resolve("attached.json"), content);
    IllegalStateException damaged =
        assertThrows(IllegalStateException.class, () -> AttachedSlots.open(NONE, state));
    assertTrue(
        String.valueOf(damaged.getMessage()).contains("attached.json: remove it"),
        damaged::toString);
  }
}
