package harness.model;

/**
 * A picture that a tool hands to a model that takes images.
 *
 * @param mediaType {@code image/png}, {@code image/jpeg}, {@code image/gif} or {@code image/webp}
 * @param data its bytes in Base64
 */
public record Image(String mediaType, String data) {}
