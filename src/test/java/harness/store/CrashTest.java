package harness.store;

import static harness.store.Appends.instance;
import static harness.store.Appends.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Seed;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills the owner of a state directory at any moment; {@code -Dseed=N} replays the moments. */
class CrashTest {
  private static final int ROUNDS = 5;
  private static final int CLIENTS = 8;

  @TempDir Path state;

  @Test
  void eachAppendThatWasAcknowledgedIsThereAfterAKill() throws Exception {
    long seed = Seed.get(CrashTest.class);
    Random random = new Random(seed);
    Map<Integer, Map<Long, String>> acknowledged = new HashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      int before = random.nextInt(1, 3_000);
      Process child = ChildProcess.start(state.toString(), "append", "" + CLIENTS, "r" + round);
      List<String> lines = new ArrayList<>();
      try (BufferedReader output = child.inputReader()) {
        assertEquals("open", ChildProcess.line(output));
        while (lines.size() < before) {
          lines.add(ChildProcess.line(output));
        }
        // Through its handle, because the Process itself would close its output unread.
        assertTrue(child.toHandle().destroyForcibly());
        // What it had said before it died counts too; a last line without an end does not.
        output.lines().forEach(lines::add);
      }
      assertTrue(child.waitFor() != 0);
      lines.stream().filter(line -> line.endsWith(".")).forEach(line -> note(line, acknowledged));

      check(acknowledged);
    }
  }

  private static void note(String line, Map<Integer, Map<Long, String>> acknowledged) {
    String[] words = line.split(" ");
    acknowledged
        .computeIfAbsent(Integer.valueOf(words[0]), client -> new HashMap<>())
        .put(Long.valueOf(words[1]), words[2]);
  }

  private void check(Map<Integer, Map<Long, String>> acknowledged) throws Exception {
    try (EventStore store = SqliteEventStore.open(state, failure -> {});
        Visitor visitor = new Visitor(state)) {
      assertEquals("ok", visitor.ask("PRAGMA integrity_check"));
      for (int client = 0; client < CLIENTS; client++) {
        String id = "run-" + client + "/coder";
        List<StoredEvent> events = store.read(instance(id), 0, Integer.MAX_VALUE);
        // An append of two events is there whole or not at all, with its claim.
        assertEquals(0, events.size() % 2);
        for (int at = 0; at < events.size(); at += 2) {
          String event = text(events.get(at).body());
          assertEquals(event + " again", text(events.get(at + 1).body()));
          assertTrue(store.key(id, event).isPresent(), event);
        }
        for (Map.Entry<Long, String> one : acknowledged.getOrDefault(client, Map.of()).entrySet()) {
          assertTrue(one.getKey() < events.size(), "client " + client + " lost " + one);
          assertEquals(one.getValue(), text(events.get(one.getKey().intValue()).body()));
        }
      }
    }
  }
}
