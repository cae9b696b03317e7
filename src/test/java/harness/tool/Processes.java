package harness.tool;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The processes of this machine, as a test looks for them. */
final class Processes {
  private static final long PATIENCE_NANOS = 30_000_000_000L;
  private static final long PAUSE_NANOS = 2_000_000L;

  private Processes() {}

  /** The numbers of those whose command line is exactly these words. */
  static List<String> running(String... words) {
    String line = String.join("\0", words) + "\0";
    try (Stream<Path> entries = Files.list(Path.of("/proc"))) {
      return entries
          .filter(entry -> Character.isDigit(entry.getFileName().toString().charAt(0)))
          .filter(entry -> commandLine(entry).equals(line))
          .map(entry -> entry.getFileName().toString())
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String commandLine(Path process) {
    try {
      return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return "";
    }
  }

  /** Waits until something holds. */
  static void await(BooleanSupplier condition, String what) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, () -> "waited in vain: " + what);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
