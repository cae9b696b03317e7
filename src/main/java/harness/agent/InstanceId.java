package harness.agent;

import java.nio.charset.StandardCharsets;

/**
 * The name of one conversation: an {@link Address}, the same with an epoch, or the same with a
 * fresh suffix. A caller that mints its own may choose any text of segments joined by slashes.
 *
 * @param value at most {@value #MAX_BYTES} bytes of UTF-8
 */
public record InstanceId(String value) {
  public static final int MAX_BYTES = 1024;

  private static final int SHOWN_CHARS = 80;

  /**
   * @throws IllegalArgumentException with a sentence that names the rule it broke
   */
  public InstanceId {
    for (String segment : value.split("/", -1)) {
      checkSegment("Instance ID", segment);
    }
    int bytes = value.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "an Instance ID is at most " + MAX_BYTES + " bytes; this one has " + bytes);
    }
  }

  /**
   * @throws IllegalArgumentException with a sentence that names the rule it broke
   */
  public static InstanceId parse(String value) {
    return new InstanceId(value);
  }

  /** Whether its conversation is one that later Turns may join. */
  public boolean continued() {
    return !value.substring(value.lastIndexOf('/') + 1).startsWith("f-");
  }

  /**
   * A segment is not empty, {@code .} or {@code ..}, holds no slash, and is made of letters, marks
   * and digits of any script and of printable ASCII: ids are read in logs, URLs and commits, where
   * what can't be seen or told apart would let two ids pass for one.
   */
  static void checkSegment(String part, String segment) {
    if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
      throw new IllegalArgumentException(
          part + " has the segment '" + segment + "'; a segment is not empty, '.' or '..'");
    }
    segment
        .codePoints()
        .filter(point -> !allowed(point))
        .findFirst()
        .ifPresent(
            point -> {
              throw new IllegalArgumentException(
                  String.format(
                      "%s holds U+%04X in '%s'; it is made of letters, digits and printable ASCII"
                          + " other than '/'",
                      part, point, shown(segment)));
            });
  }

  private static boolean allowed(int point) {
    return switch (point) {
      case '/' -> false;
      case ' ' -> true;
      default ->
          point < 0x80
              ? point > 0x20 && point < 0x7f
              : Character.isLetterOrDigit(point)
                  || Character.getType(point) == Character.NON_SPACING_MARK
                  || Character.getType(point) == Character.COMBINING_SPACING_MARK;
    };
  }

  /** The text, short enough for a message. */
  static String shown(String text) {
    return text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "...";
  }

  @Override
  public String toString() {
    return value;
  }
}
