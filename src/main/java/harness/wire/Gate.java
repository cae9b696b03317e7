package harness.wire;

import harness.fault.Refusal;
import harness.fault.RefusedException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Who may call: those whose bearer token has one of the digests. With no digest everyone may, which
 * is for one machine alone.
 */
public final class Gate {
  private static final String SCHEME = "bearer ";

  private final List<byte[]> digests;

  private Gate(List<byte[]> digests) {
    this.digests = digests;
  }

  /** Everyone on this machine. */
  public static Gate open() {
    return new Gate(List.of());
  }

  /**
   * @param digests SHA-256 of the accepted tokens, in hex; at least one
   */
  public static Gate tokens(List<String> digests) {
    if (digests.isEmpty()) {
      throw new IllegalArgumentException("a gate without a digest lets no one in");
    }
    return new Gate(digests.stream().map(HexFormat.of()::parseHex).toList());
  }

  /**
   * Each digest is compared, in constant time, so that nothing is told by how long it takes.
   *
   * @param authorization the header, as it came
   */
  void check(Optional<String> authorization) {
    if (digests.isEmpty()) {
      return;
    }
    byte[] given = digest(authorization.map(Gate::token).orElse(""));
    boolean known = false;
    for (byte[] digest : digests) {
      known |= MessageDigest.isEqual(digest, given);
    }
    if (!known) {
      throw new RefusedException(
          new Refusal.Unauthorized(
              "send Authorization: Bearer TOKEN with a token that this Harness accepts"));
    }
  }

  private static String token(String header) {
    return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        ? header.substring(SCHEME.length()).strip()
        : "";
  }

  private static byte[] digest(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
