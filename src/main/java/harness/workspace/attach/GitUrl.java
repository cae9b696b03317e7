package harness.workspace.attach;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.eclipse.jgit.transport.URIish;
import org.jspecify.annotations.Nullable;

/** Where a repository is served: {@code https}, {@code http} or {@code file}. */
record GitUrl(URI uri) {
  private static final int MAX_PORT = 65_535;

  /**
   * @throws IllegalArgumentException with a sentence that says what is wrong with it and the mend
   */
  static GitUrl of(String text) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw refused("is no URL", e);
    }
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    boolean web = scheme.equals("https") || scheme.equals("http");
    if (!web && !scheme.equals("file")) {
      throw refused(
          "has the scheme '"
              + (uri.getScheme() == null ? "" : uri.getScheme())
              + "'; https, http and file are taken, ssh and git are not: name the https URL",
          null);
    }
    if (uri.getRawUserInfo() != null || String.valueOf(uri.getRawAuthority()).contains("@")) {
      throw refused("holds a credential; put it into a file under harness.git.credentials", null);
    }
    if (uri.getRawQuery() != null || uri.getRawFragment() != null || uri.isOpaque()) {
      throw refused("has more than a host and a path", null);
    }
    if (web && uri.getHost() == null) {
      throw refused("names no host", null);
    }
    if (uri.getPort() > MAX_PORT) {
      throw refused("names the port " + uri.getPort() + "; the last one is " + MAX_PORT, null);
    }
    String path = String.valueOf(uri.getPath());
    if (!web && (uri.getRawAuthority() != null || !path.startsWith("/"))) {
      throw refused("is file:// and an absolute path, like file:///srv/git/target.git", null);
    }
    if (path.codePoints().anyMatch(Character::isISOControl)) {
      throw refused("holds a control character", null);
    }
    return new GitUrl(lowered(uri));
  }

  /** Schemes and hosts are the same in any case. */
  private static URI lowered(URI uri) {
    String text = uri.toString();
    int end =
        uri.getRawAuthority() == null
            ? uri.getScheme().length()
            : text.indexOf(uri.getRawAuthority()) + uri.getRawAuthority().length();
    return URI.create(text.substring(0, end).toLowerCase(Locale.ROOT) + text.substring(end));
  }

  private static IllegalArgumentException refused(String why, @Nullable Throwable cause) {
    return new IllegalArgumentException(why, cause);
  }

  boolean isFile() {
    return uri.getScheme().equalsIgnoreCase("file");
  }

  /** As JGit takes it. */
  URIish address() {
    try {
      return new URIish(uri.toString());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("it was one", e);
    }
  }

  @Override
  public String toString() {
    return uri.toString();
  }
}
