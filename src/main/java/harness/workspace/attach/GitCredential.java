package harness.workspace.attach;

import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Who this Harness is to one git server.
 *
 * @param host its name, with {@code :PORT} where that is not the usual one
 * @param username what it is sent as, beside the token
 * @param tokenFile the absolute path of the file with the token; read for each request
 */
public record GitCredential(String host, String username, Path tokenFile) {
  public GitCredential {
    host = host.toLowerCase(Locale.ROOT);
  }

  /** Whether it is for the server of a URL. */
  boolean isFor(URI url) {
    return host.equals(authority(url));
  }

  /** The host of a URL, with its port where that is not the usual one. */
  static String authority(URI url) {
    boolean usual =
        url.getPort() < 0 || url.getPort() == (url.getScheme().equals("https") ? 443 : 80);
    String host = url.getHost().toLowerCase(Locale.ROOT);
    return usual ? host : host + ":" + url.getPort();
  }
}
