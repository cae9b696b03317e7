package harness.tool.socket;

import java.time.Duration;

/**
 * How long a Harness waits for a runner.
 *
 * @param callTries how often a call tries to connect, with pauses in between: a runner that was
 *     started again is met by the calls that came meanwhile
 * @param checkTries how often a check of a directory does, for which a caller waits
 * @param pause between two tries
 * @param hello for the first frame of a runner
 * @param frame for one frame, from its first byte to its last
 * @param late for the answer of a call, beyond what a host takes that keeps its word
 * @param cancel for the answer of a call that was told to end
 * @param answer for the answer of everything else
 */
record Timing(
    int callTries,
    int checkTries,
    Duration pause,
    Duration hello,
    Duration frame,
    Duration late,
    Duration cancel,
    Duration answer) {
  static final Timing USUAL =
      new Timing(
          50,
          5,
          Duration.ofMillis(200),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(1),
          Duration.ofMillis(1_500),
          Duration.ofSeconds(5));
}
