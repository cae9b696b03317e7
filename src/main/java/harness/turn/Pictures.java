package harness.turn;

import harness.model.Image;
import harness.tool.ToolResult;

/**
 * Which pictures become part of a conversation. One that its model can't look at, or that there is
 * no room for, is left out when its result is recorded, and the result says so: it may not be taken
 * out later, because earlier messages never change.
 */
final class Pictures {
  /** The most that the pictures of a conversation may have together, in bytes of Base64. */
  static final long MAX_BYTES = 16L * 1024 * 1024;

  private Pictures() {}

  /**
   * What is recorded of a result.
   *
   * @param held how many bytes the pictures of the conversation have already
   * @param taken whether its model takes images
   */
  static ToolResult kept(ToolResult result, long held, boolean taken) {
    if (result.images().isEmpty()) {
      return result;
    }
    if (!taken) {
      return result.withoutImages(Image.LEFT_OUT);
    }
    long more = result.images().stream().mapToLong(image -> image.data().length()).sum();
    return held + more <= MAX_BYTES
        ? result
        : result.withoutImages(
            "[the picture is not shown: the conversation holds "
                + held
                + " bytes of pictures, and with this one they would be more than the "
                + MAX_BYTES
                + " that it takes]");
  }
}
