package harness.model.http;

import java.time.Duration;

/**
 * How long a provider may take and how much it may say.
 *
 * @param connect until the connection stands
 * @param responseHeaders until the headers of the answer are there, from sending on, connecting
 *     included
 * @param firstToken until the first piece of the reply, from the headers on
 * @param silence between two pieces of the stream; a comment line counts as one
 * @param wholeCall until the reply is whole, with all attempts and the waits between them
 * @param maxReplyBytes the bytes of one answer's body, as they come over the wire
 * @param maxLineBytes the bytes of one line of the stream
 */
public record ModelLimits(
    Duration connect,
    Duration responseHeaders,
    Duration firstToken,
    Duration silence,
    Duration wholeCall,
    int maxReplyBytes,
    int maxLineBytes) {
  /** Wide enough for a server that loads its model first, or reads a long prompt slowly. */
  public static final ModelLimits DEFAULT =
      new ModelLimits(
          Duration.ofSeconds(10),
          Duration.ofMinutes(2),
          Duration.ofMinutes(5),
          Duration.ofMinutes(2),
          Duration.ofMinutes(30),
          64 * 1024 * 1024,
          4 * 1024 * 1024);

  public ModelLimits {
    requirePositive("connect", connect);
    requirePositive("response-headers", responseHeaders);
    requirePositive("first-token", firstToken);
    requirePositive("silence", silence);
    requirePositive("whole-call", wholeCall);
    if (maxReplyBytes < 1 || maxLineBytes < 1) {
      throw new IllegalArgumentException("'max-reply-bytes' and 'max-line-bytes' are at least 1");
    }
  }

  private static void requirePositive(String key, Duration limit) {
    if (!limit.isPositive()) {
      throw new IllegalArgumentException("'" + key + "' is a time above 0, not " + limit);
    }
  }
}
