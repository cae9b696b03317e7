package harness.client;

import harness.client.Transport.Exchange.Answered;
import harness.client.Transport.Exchange.Unanswered;
import harness.client.Transport.Exchange.Undelivered;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Over HTTP/1.1, by the JDK's client. */
public final class JdkTransport implements Transport, AutoCloseable {
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);

  /** How large an answer may be. */
  private static final long MAX_ANSWER_BYTES = 64L << 20;

  private static final HttpResponse.BodyHandler<String> BODIES =
      BodyHandlers.limiting(BodyHandlers.ofString(), MAX_ANSWER_BYTES);

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT_WITHIN)
          .build();
  private final String base;
  private final Optional<String> token;

  /**
   * @param base where the Harness listens, such as {@code http://harness:8080}
   * @param token empty for a Harness that asks for none
   * @throws IllegalArgumentException where no header could hold the token; it does not say it
   */
  public JdkTransport(URI base, Optional<String> token) {
    if (!token.orElse("-").matches("[!-~]+")) {
      throw new IllegalArgumentException(
          "the token is empty, or has a blank, a line end or a character beyond ASCII in it");
    }
    this.base = base.toString().replaceAll("/+$", "");
    this.token = token;
  }

  @Override
  public Exchange send(Request request) throws InterruptedException {
    try {
      HttpResponse<String> response = client.send(http(request), BODIES);
      Map<String, String> headers = new TreeMap<>();
      response.headers().map().forEach((name, all) -> headers.put(name, String.join(", ", all)));
      return new Answered(response.statusCode(), headers, response.body());
    } catch (ConnectException | HttpConnectTimeoutException e) {
      return new Undelivered(why(e));
    } catch (IOException e) {
      return new Unanswered(why(e));
    }
  }

  private HttpRequest http(Request request) {
    HttpRequest.Builder http =
        HttpRequest.newBuilder(URI.create(base + request.target()))
            .timeout(request.within())
            .method(
                request.method(),
                request.body().map(BodyPublishers::ofString).orElseGet(BodyPublishers::noBody));
    token.ifPresent(secret -> http.setHeader("Authorization", "Bearer " + secret));
    request.headers().forEach(http::setHeader);
    return http.build();
  }

  private String why(IOException e) {
    String said =
        e instanceof ConnectException ? "connection refused, or no such host" : e.getMessage();
    return base + ": " + (said == null ? e.getClass().getSimpleName() : said);
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
