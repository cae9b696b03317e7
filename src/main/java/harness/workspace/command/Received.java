package harness.workspace.command;

import harness.workspace.Scratch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** What one command has written: kept as plain lines, bounded, and told while it comes. */
final class Received {
  /**
   * The byte by which a sandbox that stands announces the command's own output; what comes without
   * it is what the sandbox says of its failure.
   */
  static final byte ANNOUNCEMENT = 0x06;

  /**
   * The most that one piece of progress holds, in characters, and how far apart two of them are.
   */
  private static final int TOLD_CHARS = 8 * 1024;

  private static final Duration BETWEEN = Duration.ofMillis(100);
  private static final int WHY_BYTES = 2 * 1024;

  private final Scratch output;
  private final Order order;
  private final TerminalText text = new TerminalText();
  private final ByteArrayOutputStream ready = new ByteArrayOutputStream();
  private final StringBuilder untold = new StringBuilder();
  private final StringBuilder complaint = new StringBuilder();
  private Duration told = BETWEEN.negated();
  private boolean awaited;
  private boolean full;
  private long bytes;

  /**
   * @param announced whether a sandbox announces the output
   */
  Received(Scratch output, Order order, boolean announced) {
    this.output = output;
    this.order = order;
    this.awaited = announced;
  }

  /** How many bytes were written. */
  long bytes() {
    return bytes;
  }

  /** Takes what was written; false where it is more than there is room for. */
  boolean take(byte[] written) throws IOException {
    bytes += written.length;
    int start = 0;
    if (awaited) {
      // A shell may warn of its environment before it says that the sandbox stands.
      start = afterAnnouncement(written);
      if (start == 0) {
        complaint.append(new String(written, StandardCharsets.UTF_8));
        return complaint.length() < WHY_BYTES;
      }
      awaited = false;
    }
    text.take(written, start, written.length, this::ready);
    keep();
    full |= bytes > Command.MAX_OUTPUT_BYTES;
    return !full;
  }

  /** Where what follows the announcement begins; 0 where it has not come. */
  private static int afterAnnouncement(byte[] written) {
    for (int i = 0; i < written.length; i++) {
      if (written[i] == ANNOUNCEMENT) {
        return i + 1;
      }
    }
    return 0;
  }

  /** Keeps also what there is of a line. */
  void flush() throws IOException {
    text.flush(this::ready);
    keep();
  }

  /** Nothing follows. */
  void end() throws IOException {
    text.end(this::ready);
    keep();
    tell();
  }

  /** Why the sandbox let no command run; empty where it did. */
  Optional<Command.End> refusal() {
    String why = complaint.isEmpty() ? "it ended at once" : complaint.toString().strip();
    return awaited
        ? Optional.of(new Command.End.Failed("the sandbox could not be set up: " + why))
        : Optional.empty();
  }

  private void ready(byte[] bytesOfText, int length) {
    ready.write(bytesOfText, 0, length);
  }

  private void keep() throws IOException {
    byte[] more = ready.toByteArray();
    ready.reset();
    if (more.length == 0 || full) {
      return;
    }
    if (output.size() + more.length > Command.MAX_OUTPUT_BYTES || !order.room().test(more.length)) {
      full = true;
      return;
    }
    output.append(more, more.length);
    // Of much output at once the last part is told.
    untold.append(new String(more, StandardCharsets.UTF_8));
    int over = untold.length() - TOLD_CHARS;
    if (over > 0) {
      untold.delete(0, over + (Character.isLowSurrogate(untold.charAt(over)) ? 1 : 0));
    }
  }

  /** Tells what came, unless it did a moment ago. */
  void tell(Duration at) {
    if (!untold.isEmpty() && at.minus(told).compareTo(BETWEEN) >= 0) {
      told = at;
      tell();
    }
  }

  private void tell() {
    if (!untold.isEmpty()) {
      order.progress().accept(untold.toString());
      untold.setLength(0);
    }
  }
}
