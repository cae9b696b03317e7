package harness.api;

import harness.api.AdmissionBody.AuthorBody;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * An author in one line: {@code KIND:ID}, and {@code ;for=KIND:ID} behind it where that acts for
 * another. In a header, which holds ASCII alone, an id is percent-encoded UTF-8.
 */
public final class AuthorLine {
  private static final String FOR = ";for=";

  /** What a decoder puts in the place of bytes that are no UTF-8. */
  private static final char BROKEN = '\uFFFD';

  private AuthorLine() {}

  /** As a person writes it. */
  public static AuthorBody parse(String line) {
    return parse(line, id -> id);
  }

  /**
   * As a header has it.
   *
   * @throws IllegalArgumentException where an id in it is not percent-encoded as it should be
   */
  public static AuthorBody ofHeader(String value) {
    return parse(value, AuthorLine::decoded);
  }

  /** For a header. */
  public static String header(AuthorBody author) {
    return author.kind().orElse("")
        + author.id().map(id -> ":" + encoded(id)).orElse("")
        + author.onBehalfOf().map(other -> FOR + header(other)).orElse("");
  }

  private static AuthorBody parse(String line, UnaryOperator<String> id) {
    int end = line.indexOf(FOR);
    String own = end < 0 ? line : line.substring(0, end);
    int colon = own.indexOf(':');
    return new AuthorBody(
        Optional.of(colon < 0 ? own : own.substring(0, colon)),
        colon < 0 ? Optional.empty() : Optional.of(id.apply(own.substring(colon + 1))),
        end < 0 ? Optional.empty() : Optional.of(parse(line.substring(end + FOR.length()), id)));
  }

  private static String encoded(String id) {
    // Forms write a space as a plus; nobody else does.
    return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String decoded(String id) {
    if (id.chars().anyMatch(c -> c >= 0x80)) {
      throw unencoded(id);
    }
    String decoded;
    try {
      decoded = URLDecoder.decode(id.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      throw unencoded(id);
    }
    if (decoded.indexOf(BROKEN) >= 0) {
      throw unencoded(id);
    }
    return decoded;
  }

  private static IllegalArgumentException unencoded(String id) {
    return new IllegalArgumentException(
        "the id '"
            + id
            + "' is not percent-encoded UTF-8; write what is not ASCII, and '%' itself, as in"
            + " user:J%C3%BCrgen");
  }
}
