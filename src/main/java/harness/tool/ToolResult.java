package harness.tool;

import java.nio.charset.StandardCharsets;

/**
 * What a call returned, for the model to read.
 *
 * @param error whether the tool could not do what was asked
 * @param text at most {@link ToolBox#MAX_RESULT_BYTES} bytes of UTF-8; where it was cut it says so
 * @param bytes how many bytes the result had before {@link ToolBox} capped it
 * @param truncated whether a cap of the Harness, not a limit that the model named, cut it
 */
public record ToolResult(boolean error, String text, long bytes, boolean truncated) {
  /** A whole result. */
  static ToolResult of(String text) {
    return new ToolResult(false, text, utf8Length(text), false);
  }

  /** A result that the tool cut itself, and says so in its text. */
  static ToolResult partial(String text) {
    return new ToolResult(false, text, utf8Length(text), true);
  }

  /** A call that could not be done. */
  static ToolResult failure(String text) {
    return new ToolResult(true, text, utf8Length(text), false);
  }

  private static long utf8Length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
