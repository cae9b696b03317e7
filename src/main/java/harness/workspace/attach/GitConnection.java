package harness.workspace.attach;

import harness.workspace.git.GitException;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import org.eclipse.jgit.transport.http.HttpConnection;
import org.jspecify.annotations.Nullable;

/** One request to a {@link GitServer}, as JGit makes it. */
final class GitConnection implements HttpConnection {
  /** How long the head of an answer is waited for: a server may count objects before it. */
  private static final Duration ANSWER_TIME = Duration.ofMinutes(5);

  /** What is asked with, in bytes: names of commits, and never content. */
  private static final int MAX_QUESTION_BYTES = 64 * 1024 * 1024;

  /** How long a list of refs may be: some 100,000 of them. */
  private static final long MAX_LIST_BYTES = 8L * 1024 * 1024;

  private static final String LIST = "command=ls-refs";

  /** The length in front of what is asked. */
  private static final int PACKET_HEAD = 4;

  /** What the client sets itself. */
  private static final Set<String> OWN =
      Set.of("host", "content-length", "connection", "expect", "authorization", "cookie");

  private final HttpClient client;
  private final URI target;
  private final GitServer server;
  private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final Question question = new Question();
  private String method = "GET";
  private Optional<HttpResponse<InputStream>> answer = Optional.empty();

  GitConnection(HttpClient client, URI target, GitServer server) {
    this.client = client;
    this.target = target;
    this.server = server;
  }

  private static final class Question extends ByteArrayOutputStream {
    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
      if (size() + length > MAX_QUESTION_BYTES) {
        throw new IllegalStateException("a fetch asks with more than " + MAX_QUESTION_BYTES);
      }
      super.write(bytes, offset, length);
    }
  }

  private HttpResponse<InputStream> answer() throws IOException {
    if (answer.isPresent()) {
      return answer.get();
    }
    HttpRequest.BodyPublisher body =
        method.equals("POST")
            ? HttpRequest.BodyPublishers.ofByteArray(question.toByteArray())
            : HttpRequest.BodyPublishers.noBody();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target).timeout(ANSWER_TIME).method(method, body);
    headers.forEach(request::header);
    server.authorization(target).ifPresent(said -> request.header("Authorization", said));
    try {
      HttpResponse<InputStream> got =
          client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      answer = Optional.of(got);
      if (got.statusCode() == HTTP_UNAUTHORIZED || got.statusCode() == HTTP_FORBIDDEN) {
        got.body().close();
        throw server.unauthorized(got.statusCode());
      }
      return got;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException stopped = new InterruptedIOException("stopped while " + target);
      stopped.initCause(e);
      throw stopped;
    }
  }

  @Override
  public int getResponseCode() throws IOException {
    return answer().statusCode();
  }

  @Override
  public URL getURL() {
    try {
      return target.toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException("it was one", e);
    }
  }

  @Override
  public String getResponseMessage() throws IOException {
    return "status " + answer().statusCode();
  }

  @Override
  public Map<String, List<String>> getHeaderFields() {
    return answer.map(got -> got.headers().map()).orElse(Map.of());
  }

  @Override
  public List<String> getHeaderFields(String name) {
    return answer.map(got -> got.headers().allValues(name)).orElse(List.of());
  }

  @Override
  public @Nullable String getHeaderField(String name) {
    return answer.flatMap(got -> got.headers().firstValue(name)).orElse(null);
  }

  @Override
  public @Nullable String getContentType() {
    return getHeaderField("Content-Type");
  }

  @Override
  public int getContentLength() {
    long length =
        answer.map(got -> got.headers().firstValueAsLong("Content-Length").orElse(-1)).orElse(-1L);
    return length > Integer.MAX_VALUE ? -1 : (int) length;
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return lists() ? new Listing(answer().body()) : answer().body();
  }

  private boolean lists() {
    return method.equals("GET")
        || question.toString(StandardCharsets.ISO_8859_1).startsWith(LIST, PACKET_HEAD);
  }

  /** A list of refs, all of which are held in memory. */
  private static final class Listing extends FilterInputStream {
    private long read;

    Listing(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int one = in.read();
      count(one < 0 ? 0 : 1);
      return one;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int some = in.read(bytes, offset, length);
      count(Math.max(0, some));
      return some;
    }

    private void count(int more) throws IOException {
      read += more;
      if (read > MAX_LIST_BYTES) {
        throw new GitException(
            "the server lists more than "
                + MAX_LIST_BYTES / (1024 * 1024)
                + " MiB of branches and tags; have it hide some (transfer.hideRefs)");
      }
    }
  }

  @Override
  public OutputStream getOutputStream() {
    return question;
  }

  @Override
  public void connect() throws IOException {
    Object unused = answer();
  }

  @Override
  public void setRequestProperty(String name, String value) {
    if (!OWN.contains(name.toLowerCase(Locale.ROOT))) {
      headers.put(name, value);
    }
  }

  @Override
  public void setRequestMethod(String wanted) {
    method = wanted;
  }

  @Override
  public String getRequestMethod() {
    return method;
  }

  @Override
  public boolean usingProxy() {
    return false;
  }

  @Override
  public void configure(
      KeyManager @Nullable [] keys, TrustManager @Nullable [] trust, @Nullable SecureRandom random)
      throws KeyManagementException {
    throw new KeyManagementException("certificates are checked as Java checks them");
  }

  @Override
  public void setHostnameVerifier(HostnameVerifier verifier) throws KeyManagementException {
    throw new KeyManagementException("names are checked as Java checks them");
  }

  // What JGit sets here is the client's or the server's own.

  @Override
  public void setUseCaches(boolean use) {}

  @Override
  public void setConnectTimeout(int millis) {}

  @Override
  public void setReadTimeout(int millis) {}

  @Override
  public void setInstanceFollowRedirects(boolean follow) {}

  @Override
  public void setDoOutput(boolean output) {}

  @Override
  public void setFixedLengthStreamingMode(int length) {}

  @Override
  public void setChunkedStreamingMode(int length) {}
}
