package harness.tool;

import harness.model.Image;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * What a call returned, for the model to read.
 *
 * @param error whether the tool could not do what was asked
 * @param text at most {@link ToolBox#MAX_RESULT_BYTES} bytes of UTF-8; where it was cut it says so
 * @param bytes how many bytes the result had before {@link ToolBox} capped it
 * @param truncated whether a cap of the Harness, not a limit that the model named, cut it
 * @param images pictures beside the text
 * @param seen the versions of files that the conversation knows by this call
 * @param proposal what the call would have changed, had it not been one that suggests
 * @param excess what it took of memory, where it was ended for that
 */
public record ToolResult(
    boolean error,
    String text,
    long bytes,
    boolean truncated,
    List<Image> images,
    Seen seen,
    Optional<Proposal> proposal,
    Optional<MemoryExcess> excess) {
  public ToolResult {
    images = List.copyOf(images);
  }

  /** A text alone. */
  ToolResult(boolean error, String text, long bytes, boolean truncated) {
    this(
        error, text, bytes, truncated, List.of(), Seen.NOTHING, Optional.empty(), Optional.empty());
  }

  /** A whole result. */
  static ToolResult of(String text) {
    return new ToolResult(false, text, utf8Length(text), false);
  }

  /** A result that the tool cut itself, and says so in its text. */
  static ToolResult partial(String text) {
    return new ToolResult(false, text, utf8Length(text), true);
  }

  /** A call that could not be done. */
  public static ToolResult failure(String text) {
    return new ToolResult(true, text, utf8Length(text), false);
  }

  /** The same as that of a call that could not be done. */
  ToolResult asError() {
    return new ToolResult(true, text, bytes, truncated, images, seen, proposal, excess);
  }

  /** The same of a call that was ended because it took too much memory. */
  ToolResult exceeding(MemoryExcess memory) {
    return new ToolResult(
        error, text, bytes, truncated, images, seen, proposal, Optional.of(memory));
  }

  /** The same behind a line of the tool itself. */
  ToolResult behind(String line) {
    return new ToolResult(
        error, line + text, bytes + utf8Length(line), truncated, images, seen, proposal, excess);
  }

  /** The same, and the conversation knows these versions by it. */
  ToolResult seeing(Seen versions) {
    return new ToolResult(error, text, bytes, truncated, images, versions, proposal, excess);
  }

  /** The same with a proposal; nothing was changed, so that the conversation knows nothing new. */
  ToolResult proposing(Proposal made) {
    return new ToolResult(
        error, text, bytes, truncated, images, Seen.NOTHING, Optional.of(made), excess);
  }

  /** The same with a picture. */
  ToolResult with(Image image) {
    return new ToolResult(error, text, bytes, truncated, List.of(image), seen, proposal, excess);
  }

  /** The same without its pictures, and with a line that says why. */
  public ToolResult withoutImages(String why) {
    return new ToolResult(
        error, text + "\n" + why, bytes, truncated, List.of(), seen, proposal, excess);
  }

  private static long utf8Length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
