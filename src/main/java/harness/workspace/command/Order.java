package harness.workspace.command;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/**
 * What is to be run.
 *
 * @param line the command line, at most {@value #MAX_LINE_BYTES} bytes of UTF-8 without a NUL
 * @param writes whether it may write in the working directory, where a sandbox can tell
 * @param limit how long it may run
 * @param room asked for each piece of output whether so many more bytes may be kept
 * @param progress hears the output while it is written, in pieces, not all of it where it is much
 */
public record Order(
    String line,
    boolean writes,
    Optional<Duration> limit,
    LongPredicate room,
    Consumer<String> progress) {
  /** The system takes no single argument above twice this. */
  public static final int MAX_LINE_BYTES = 64 * 1024;
}
