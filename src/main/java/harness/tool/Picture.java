package harness.tool;

import harness.model.Image;
import harness.workspace.FileHandle;
import java.io.IOException;
import java.util.Base64;
import java.util.Optional;

/**
 * A picture of a kind that models take, told by its content, whatever its name.
 *
 * @param kind what it is called in messages
 * @param mediaType how providers call it
 * @param size its width and height; empty where its header does not tell them
 */
public record Picture(String kind, String mediaType, Optional<Size> size) {
  /**
   * The largest picture that a model is handed, in bytes: 5 MiB as Base64, which providers take.
   */
  static final int MAX_BYTES = 3_932_160;

  /** The longest side that providers take, in pixels. */
  static final int MAX_SIDE_PIXELS = 8_000;

  /** In pixels. */
  public record Size(int width, int height) {}

  /** Whether this is a whole picture of such a type, of a size that a model could take. */
  public static boolean isOne(String mediaType, byte[] content) {
    return content.length <= MAX_BYTES
        && PictureFormat.of(content)
            .filter(format -> format.mediaType().equals(mediaType) && format.whole(content))
            .flatMap(format -> format.size(content))
            .filter(size -> Math.max(size.width, size.height) <= MAX_SIDE_PIXELS)
            .isPresent();
  }

  /** By the first bytes of a file. */
  static Optional<Picture> of(byte[] head) {
    return PictureFormat.of(head)
        .map(format -> new Picture(format.kind(), format.mediaType(), format.size(head)));
  }

  /**
   * What the tool says of the file, with the picture for a model that takes images where a model
   * could take it. One that is broken or too large is told of alone: a provider would refuse it,
   * and with it every later request of the conversation.
   */
  ToolResult result(FileHandle file, long bytes, String shown)
      throws IOException, InterruptedException {
    String pixels = size.map(one -> ", " + one.width + " x " + one.height + " pixels").orElse("");
    String what = shown + " is " + kind + " of " + bytes + " bytes" + pixels;
    if (bytes > MAX_BYTES) {
      return told(what, "it is larger than the " + MAX_BYTES + " bytes that a model is handed");
    }
    byte[] content = Blocks.head(file, MAX_BYTES + 1);
    Optional<PictureFormat> format = PictureFormat.of(content);
    Optional<Size> whole = format.flatMap(one -> one.size(content));
    if (content.length > MAX_BYTES
        || format.isEmpty()
        || whole.isEmpty()
        || !format.get().whole(content)) {
      return told(what, "it is broken or cut off, so no model is handed it");
    }
    Size real = whole.get();
    if (Math.max(real.width, real.height) > MAX_SIDE_PIXELS) {
      return told(
          what, "a side is longer than the " + MAX_SIDE_PIXELS + " pixels that a model is handed");
    }
    return ToolResult.of(
            "["
                + shown
                + " is "
                + kind
                + " of "
                + bytes
                + " bytes, "
                + real.width
                + " x "
                + real.height
                + " pixels]")
        .with(new Image(mediaType, Base64.getEncoder().encodeToString(content)));
  }

  private static ToolResult told(String what, String why) {
    return ToolResult.of("[" + what + "; " + why + "]");
  }
}
