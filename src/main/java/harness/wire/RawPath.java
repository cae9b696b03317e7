package harness.wire;

import harness.fault.RefusedException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The segments of a request's path, each decoded once: an encoded slash is part of a segment and
 * never parts two.
 */
record RawPath(List<String> segments) {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  RawPath {
    segments = List.copyOf(segments);
  }

  /**
   * @param raw as it came over the wire
   * @throws RefusedException where a segment is no percent-encoded UTF-8, or has a parameter
   */
  static RawPath parse(String raw) {
    if (raw.indexOf(';') >= 0) {
      throw RefusedException.invalid(
          "the path holds a ';', which begins a parameter for some and is a letter for others; send"
              + " %3B where it is part of a name",
          "path");
    }
    List<String> segments = new ArrayList<>();
    for (String segment : raw.substring(raw.startsWith("/") ? 1 : 0).split("/", -1)) {
      segments.add(decode(segment));
    }
    return new RawPath(segments);
  }

  /** A segment as it is written in a URL. */
  static String encode(String segment) {
    StringBuilder out = new StringBuilder();
    for (byte b : segment.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean plain =
          c < 0x80
              && (Character.isLetterOrDigit(c) || c == '-' || c == '.' || c == '_' || c == '~');
      if (plain) {
        out.append(c);
      } else {
        out.append('%').append(HEX.toHexDigits(b));
      }
    }
    return out.toString();
  }

  private static String decode(String segment) {
    if (segment.indexOf('%') < 0) {
      return segment;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      if (c != '%') {
        bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
        continue;
      }
      boolean whole = i + 2 < segment.length();
      int high = whole ? Character.digit(segment.charAt(i + 1), 16) : -1;
      int low = whole ? Character.digit(segment.charAt(i + 2), 16) : -1;
      if (high < 0 || low < 0) {
        throw malformed(segment);
      }
      bytes.write(high * 16 + low);
      i += 2;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw malformed(segment);
    }
  }

  private static RefusedException malformed(String segment) {
    return RefusedException.invalid(
        "the path segment '" + segment + "' is no percent-encoded UTF-8; encode it once", "path");
  }
}
