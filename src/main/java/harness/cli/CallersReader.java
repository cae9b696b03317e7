package harness.cli;

import harness.cli.Configuration.Auth;
import harness.cli.Configuration.Listen;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads where callers are heard and what they show. */
final class CallersReader {
  /** What {@code sha256sum} prints behind a digest: that it read its standard input. */
  private static final Pattern NAME = Pattern.compile("\\s+\\*?-$");

  private CallersReader() {}

  static Optional<Listen> listen(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1 || !text.substring(colon + 1).matches("[0-9]{1,5}")) {
      return Optional.empty();
    }
    String host = text.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    if (bracketed) {
      host = host.substring(1, host.length() - 1);
    }
    int port = Integer.parseInt(text.substring(colon + 1));
    return port > 65_535 || host.contains(":") != bracketed || host.isBlank()
        ? Optional.empty()
        : Optional.of(new Listen(host, port));
  }

  static List<String> digests(Section harness) {
    List<String> digests =
        harness.texts("token-sha256").stream()
            .map(text -> NAME.matcher(text.strip()).replaceFirst("").toLowerCase(Locale.ROOT))
            .toList();
    for (String digest : digests) {
      if (!digest.matches("[0-9a-f]{64}")) {
        harness.fault(
            "token-sha256",
            "each is the line that `printf %s TOKEN | sha256sum` prints, or its 64 hex digits alone;"
                + " one begins with "
                + digest.length()
                + " characters"
                + (digest.length() == 64 ? " and not all are hex digits" : ""));
      }
    }
    return digests;
  }

  static void checkAuth(Section harness, Auth auth, Listen listen, List<String> digests) {
    switch (auth) {
      case TOKEN -> {
        if (digests.isEmpty()) {
          harness.fault(
              "token-sha256",
              "auth is token and no token is accepted; set HARNESS_TOKEN_SHA256 to what"
                  + " `printf %s TOKEN | sha256sum` prints, or on a loopback address auth: none");
        }
      }
      case NONE -> {
        if (!loopback(listen.host())) {
          harness.fault(
              "auth",
              "none is for one machine, and "
                  + listen
                  + " is no loopback address; listen on 127.0.0.1, or set auth: token");
        }
      }
    }
  }

  private static boolean loopback(String host) {
    if (host.equals("localhost")) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(host).isLoopbackAddress();
    } catch (IllegalArgumentException noLiteral) {
      return false;
    }
  }
}
