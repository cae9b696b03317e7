package harness.model.http;

import static harness.model.Says.assertHides;
import static harness.model.Says.assertSays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import harness.model.ModelException.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {
  private final Keys keys =
      new Keys(name -> Optional.ofNullable(Map.of("K", " sk-1 ", "E", "").get(name)));

  @Test
  void aKeyIsReadWithoutTheSpaceAroundIt(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("key");
    Files.writeString(file, "\n sk-2\r\n");

    assertEquals(Optional.of("sk-1"), keys.read(new KeySource.Environment("K"), "lab"));
    assertEquals(Optional.of("sk-2"), keys.read(new KeySource.File(file), "lab"));
    assertEquals(Optional.empty(), keys.read(new KeySource.None(), "lab"));
  }

  @Test
  void anEmptyKeyIsNone() {
    AttemptException failure =
        assertThrows(
            AttemptException.class, () -> keys.read(new KeySource.Environment("E"), "lab"));

    assertEquals(Kind.AUTH, failure.kind());
    assertSays("the environment variable E is empty", failure);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sk-one\nsk-two", "sk-one sk-two", "sk-öne"})
  void aKeyThatNoHeaderCanCarryIsRefusedUnseen(String key, @TempDir Path directory)
      throws Exception {
    Path file = directory.resolve("key");
    Files.writeString(file, key);

    AttemptException failure =
        assertThrows(AttemptException.class, () -> keys.read(new KeySource.File(file), "lab"));

    assertSays(file.toString(), failure);
    assertHides("sk-", failure);
  }

  @Test
  void aKeyFileThatIsFarTooLongIsNotRead(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("key");
    Files.writeString(file, "k".repeat(20_000));

    assertSays(
        "longer than 16384 bytes",
        assertThrows(AttemptException.class, () -> keys.read(new KeySource.File(file), "lab")));
  }
}
