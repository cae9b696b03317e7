package harness.store;

import static harness.store.Appends.append;
import static harness.store.Appends.instance;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateLockTest {
  @TempDir Path state;

  private EventStore open(Path directory) {
    return SqliteEventStore.open(directory, failure -> {});
  }

  @Test
  void aStateThatAnotherProcessOwnsIsRefusedByNameUntilItEnds() throws Exception {
    Process child = ChildProcess.start(state.toString(), "hold");
    try (BufferedReader output = child.inputReader()) {
      assertEquals("open", ChildProcess.line(output));

      String message = assertThrows(StoreUnableException.class, () -> open(state)).toString();

      assertTrue(message.contains(state.toRealPath().toString()), message);
      assertTrue(message.contains("process " + child.pid()), message);
      assertTrue(message.contains("stop that one"), message);
    } finally {
      child.destroyForcibly().waitFor();
    }
    open(state).close();
  }

  @Test
  void aSecondOpenInTheSameProcessIsRefusedAndLeavesTheLockAsItIs() throws Exception {
    Path link = state.resolveSibling(state.getFileName() + "-link");
    Files.createSymbolicLink(link, state);
    try (EventStore store = open(state)) {
      assertThrows(StoreUnableException.class, () -> open(state));
      assertThrows(StoreUnableException.class, () -> open(link));

      Process child = ChildProcess.start(state.toString(), "hold");
      try (BufferedReader output = child.inputReader()) {
        String message = ChildProcess.line(output);
        assertTrue(message.contains("is in use by another harness"), message);
        assertTrue(message.contains("process " + ProcessHandle.current().pid()), message);
      } finally {
        child.destroyForcibly().waitFor();
      }
      store.append(append("run-1/coder", 0, "a"));
    } finally {
      Files.delete(link);
    }
    try (EventStore store = open(state)) {
      assertTrue(store.find(instance("run-1/coder")).isPresent());
    }
  }

  @Test
  void aDirectoryThatCannotBeMadeIsRefusedByName() throws Exception {
    Path file = Files.writeString(state.resolve("file"), "");

    String message =
        assertThrows(StoreUnableException.class, () -> open(file.resolve("state"))).toString();

    assertTrue(message.contains(file.resolve("state").toString()), message);
  }
}
