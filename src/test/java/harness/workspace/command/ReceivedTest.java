package harness.workspace.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Seed;
import harness.workspace.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a sandbox says before it stands is no output, however it arrives. */
class ReceivedTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 200);

  private final long seed = Seed.get(ReceivedTest.class);
  private final Random random = new Random(seed);
  @TempDir private Path directory;

  private Received received(Scratch output) {
    Order order = new Order("", false, Optional.empty(), _ -> true, _ -> {});
    return new Received(output, order, true);
  }

  /** In pieces of any size, also in one. */
  private void take(Received received, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int at = 0; at < bytes.length; ) {
      int end = random.nextInt(3) == 0 ? bytes.length : at + 1 + random.nextInt(bytes.length - at);
      assertTrue(received.take(Arrays.copyOfRange(bytes, at, end)));
      at = end;
    }
    received.end();
  }

  private static String text(Scratch output) throws IOException {
    ByteBuffer all = ByteBuffer.allocate((int) output.size());
    while (all.hasRemaining() && output.read(all, all.position()) >= 0) {}
    return new String(all.array(), StandardCharsets.UTF_8);
  }

  @Test
  void aWarningBeforeTheAnnouncementIsNoRefusal() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      try (Scratch output = Scratch.in(directory, random)) {
        Received received = received(output);
        take(received, "bash: warning: setlocale: LC_ALL: \u00E9\n\006hello\nworld \u00E9\n");
        assertEquals("hello\nworld \u00E9\n", text(output), "seed " + seed);
        assertEquals(Optional.empty(), received.refusal(), "seed " + seed);
      }
    }
  }

  @Test
  void withoutAnAnnouncementItIsTheReason() throws IOException {
    try (Scratch output = Scratch.in(directory, random)) {
      Received received = received(output);
      take(received, "bwrap: no namespaces\n");
      assertEquals("", text(output));
      assertEquals(
          Optional.of(
              new Command.End.Failed("the sandbox could not be set up: bwrap: no namespaces")),
          received.refusal());
    }
  }
}
