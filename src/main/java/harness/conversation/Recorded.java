package harness.conversation;

import java.time.Instant;

/**
 * An event in its place.
 *
 * @param sequence its place in the conversation, from 0
 * @param index its place in the append that it came with, from 0
 */
public record Recorded(long sequence, int index, Instant at, Event event) {
  /** The sequence of the first event of the append. */
  public long batch() {
    return sequence - index;
  }
}
