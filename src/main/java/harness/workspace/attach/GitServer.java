package harness.workspace.attach;

import harness.workspace.git.GitException;
import java.io.IOException;
import java.net.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.transport.http.HttpConnection;
import org.eclipse.jgit.transport.http.HttpConnectionFactory;

/**
 * The one server that a fetch talks to. It is reached directly, without proxy and cookies; a
 * redirect stays on it, and its credential is sent to it alone.
 */
final class GitServer implements HttpConnectionFactory, AutoCloseable {
  private static final Duration CONNECT_TIME = Duration.ofSeconds(30);
  private static final int MAX_TOKEN_BYTES = 64 * 1024;

  private final URI origin;
  private final Optional<GitCredential> credential;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT_TIME)
          .proxy(HttpClient.Builder.NO_PROXY)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  GitServer(URI origin, List<GitCredential> credentials) {
    this.origin = origin;
    this.credential = credentials.stream().filter(one -> one.isFor(origin)).findFirst();
  }

  @Override
  public HttpConnection create(URL url) throws IOException {
    URI target = uri(url);
    if (!isHere(target)) {
      throw new GitException(
          GitCredential.authority(origin)
              + " redirects to "
              + GitCredential.authority(target)
              + ", another server, which is not followed; name the url of that one");
    }
    return new GitConnection(client, target, this);
  }

  @Override
  public HttpConnection create(URL url, Proxy ignored) throws IOException {
    return create(url);
  }

  private static URI uri(URL url) throws IOException {
    try {
      return url.toURI();
    } catch (URISyntaxException e) {
      throw new GitException("a redirect leads to no URL", e);
    }
  }

  /** The same server, or the same name by TLS. */
  private boolean isHere(URI target) {
    boolean same = target.getScheme().equals(origin.getScheme());
    boolean safer = origin.getScheme().equals("http") && target.getScheme().equals("https");
    return (same || safer)
        && GitCredential.authority(target).equals(GitCredential.authority(origin));
  }

  /** What a request to it says of who asks; never in clear over a network. */
  Optional<String> authorization(URI target) throws IOException {
    if (credential.isEmpty() || !credential.get().isFor(target)) {
      return Optional.empty();
    }
    boolean loopback = List.of("127.0.0.1", "[::1]", "localhost").contains(target.getHost());
    if (!target.getScheme().equals("https") && !loopback) {
      throw new GitException(
          "the credential of "
              + credential.get().host()
              + " is not sent over http, where others can read it; name the https url");
    }
    String token;
    try (var file = Files.newInputStream(credential.get().tokenFile())) {
      token = new String(file.readNBytes(MAX_TOKEN_BYTES), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new GitException("the token of " + credential.get().host() + " can't be read: " + e, e);
    }
    byte[] pair = (credential.get().username() + ":" + token).getBytes(StandardCharsets.UTF_8);
    return Optional.of("Basic " + Base64.getEncoder().encodeToString(pair));
  }

  /** What a refusal of who asks means. */
  GitException unauthorized(int status) {
    String host = GitCredential.authority(origin);
    return new GitException(
        credential.isEmpty()
            ? host
                + " asks who this is ("
                + status
                + "); add a credential for "
                + host
                + " under harness.git.credentials"
            : host
                + " does not take the credential ("
                + status
                + "); put a valid token into "
                + credential.get().tokenFile());
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
