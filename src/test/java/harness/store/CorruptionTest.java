package harness.store;

import static harness.store.Appends.append;
import static harness.store.Appends.bytes;
import static harness.store.Appends.instance;
import static harness.store.Appends.numbered;
import static harness.store.Appends.texts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CorruptionTest {
  private static final String DAMAGED = "run-1/coder";
  private static final String SOUND = "run-2/coder";

  @TempDir Path state;

  private EventStore open() {
    return SqliteEventStore.open(state, failure -> {});
  }

  private void fill() {
    try (EventStore store = open()) {
      store.append(append(DAMAGED, 0, numbered("the event with the number ", 5)));
      store.append(append(SOUND, 0, "sound"));
    }
  }

  private void checkFound(EventStore store) {
    String message =
        assertThrows(CorruptEventException.class, () -> store.read(instance(DAMAGED), 0, 10))
            .toString();
    assertTrue(message.contains("event 3 of conversation coder run-1/coder "), message);
    assertEquals(3, store.read(instance(DAMAGED), 0, 3).size());
    assertEquals(List.of("sound"), texts(store.read(instance(SOUND), 0, 10)));
  }

  @Test
  void aByteThatChangedInTheFileIsFoundWhenItsEventIsRead() throws Exception {
    fill();
    byte[] file = Files.readAllBytes(Visitor.file(state));
    int at = find(file, bytes("the event with the number 3"));
    file[at + 5] ^= 0x10;
    Files.write(Visitor.file(state), file);

    try (EventStore store = open()) {
      checkFound(store);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE event SET body = CAST(x'00' || substr(body, 2) AS BLOB) WHERE sequence = 3",
        "UPDATE event SET at = at + 1 WHERE sequence = 3",
        "UPDATE event SET place = place + 1 WHERE sequence = 3",
        "UPDATE event SET checksum = checksum + 1 WHERE sequence = 3",
        "UPDATE event SET sequence = 9 WHERE sequence = 3",
        "DELETE FROM event WHERE sequence = 3",
        "DELETE FROM event WHERE sequence >= 3",
        "UPDATE event SET body = (SELECT body FROM event WHERE sequence = 2) WHERE sequence = 3"
      })
  void aRowThatIsNotWhatWasAppendedIsFoundWhenItIsRead(String damage) throws Exception {
    fill();
    try (EventStore store = open();
        Visitor visitor = new Visitor(state)) {
      assertTrue(visitor.run(damage) > 0);
      checkFound(store);
    }
  }

  @Test
  void aConversationThatLostAllItsEventsIsFound() throws Exception {
    fill();
    try (EventStore store = open();
        Visitor visitor = new Visitor(state)) {
      visitor.run("DELETE FROM event WHERE conversation = 1");

      assertThrows(CorruptEventException.class, () -> store.read(instance(DAMAGED), 0, 10));
    }
  }

  private static int find(byte[] in, byte[] what) {
    for (int at = 0; at + what.length <= in.length; at++) {
      if (java.util.Arrays.equals(in, at, at + what.length, what, 0, what.length)) {
        return at;
      }
    }
    throw new AssertionError("not in the file");
  }
}
