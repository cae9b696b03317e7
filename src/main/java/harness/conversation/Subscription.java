package harness.conversation;

import java.time.Duration;

/**
 * A reader's ear at a conversation: bounded, so that a slow reader is dropped and slows nothing.
 */
public interface Subscription extends AutoCloseable {
  /** How many signals wait for a reader before it is dropped. */
  int MAX_SIGNALS = 1024;

  /** What a reader hears. */
  sealed interface Signal {
    /** Events were appended, or were there when it began to listen: there are so many now. */
    record Landed(long events) implements Signal {}

    /** A piece of a reply as it streams in; {@code kind} is {@code text} or {@code thinking}. */
    record Delta(String submissionId, String kind, String text) implements Signal {}

    /** A piece of what a call puts out while it runs. */
    record Output(String submissionId, String callId, String text) implements Signal {}

    /** Nothing within the time. */
    record Quiet() implements Signal {}

    /** The reader was too slow and hears nothing more. */
    record Overrun() implements Signal {}

    /** The process is ending, or the conversation was freed. */
    record Closing() implements Signal {}
  }

  /** Parks until there is something, at most for the time. */
  Signal await(Duration atMost) throws InterruptedException;

  @Override
  void close();
}
