package harness.tool;

/**
 * What a call returned, for the model to read.
 *
 * @param error whether the tool could not do what was asked
 * @param text at most {@link ToolBox#MAX_RESULT_BYTES} bytes of UTF-8; where it was cut it says so
 * @param bytes how many bytes the whole result had
 * @param truncated whether {@code text} is only a part of it
 */
public record ToolResult(boolean error, String text, long bytes, boolean truncated) {}
