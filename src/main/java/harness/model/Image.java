package harness.model;

/**
 * A picture that a tool hands to a model that takes images.
 *
 * @param mediaType {@code image/png}, {@code image/jpeg}, {@code image/gif} or {@code image/webp}
 * @param data its bytes in Base64
 */
public record Image(String mediaType, String data) {
  /** What a model reads in the place of a picture that it can't be shown. */
  public static final String LEFT_OUT = "[the picture is not shown: the model takes no images]";
}
