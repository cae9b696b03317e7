package harness.model.http;

import harness.model.Model;
import harness.model.Surroundings;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.Optional;

/**
 * A server that speaks one of the {@link Api}s; its models share its connections and its guards.
 */
public final class HttpProvider implements AutoCloseable {
  /**
   * Where a server is and how it is called.
   *
   * @param id how callers name it
   * @param api how it is spoken to
   * @param baseUrl what stands before the API's own path: http or https, without user, query or
   *     fragment
   * @param key where its key is
   */
  public record Settings(
      String id,
      Api api,
      URI baseUrl,
      KeySource key,
      ModelLimits limits,
      RetryPolicy retries,
      GuardPolicy guards) {
    /** With the usual guards. */
    public Settings(
        String id, Api api, URI baseUrl, KeySource key, ModelLimits limits, RetryPolicy retries) {
      this(id, api, baseUrl, key, limits, retries, GuardPolicy.DEFAULT);
    }

    /**
     * @throws IllegalArgumentException when the address is none of HTTP, or has a place for a
     *     secret
     */
    public Settings {
      if (baseUrl.getRawUserInfo() != null
          || baseUrl.getRawQuery() != null
          || baseUrl.getRawFragment() != null) {
        throw new IllegalArgumentException(
            "provider '"
                + id
                + "': 'base-url' has no user, query or fragment; a key belongs in 'api-key-file'");
      }
      boolean http = "http".equals(baseUrl.getScheme()) || "https".equals(baseUrl.getScheme());
      if (!http || baseUrl.getHost() == null) {
        throw new IllegalArgumentException(
            "provider '" + id + "': 'base-url' is like https://host/v1, unlike '" + baseUrl + "'");
      }
    }

    URI endpoint() {
      String base = baseUrl.toString();
      while (base.endsWith("/")) {
        base = base.substring(0, base.length() - 1);
      }
      return URI.create(base + api.dialect().path());
    }
  }

  private final Settings settings;
  private final Surroundings surroundings;
  private final Guards guards;
  private Optional<HttpClient> client = Optional.empty();

  public HttpProvider(Settings settings, Surroundings surroundings) {
    this.settings = settings;
    this.surroundings = surroundings;
    this.guards = new Guards(settings.id(), settings.guards(), surroundings);
  }

  /**
   * Made when it is first asked for, because what TLS trusts is then read, which a start need not
   * wait for.
   */
  private synchronized HttpClient client() {
    HttpClient made = client.orElseGet(this::connected);
    client = Optional.of(made);
    return made;
  }

  private HttpClient connected() {
    return HttpClient.newBuilder()
        .connectTimeout(settings.limits().connect())
        // Who sends does it on its own thread: none of what is run there waits, and a hand-over
        // to another one costs more than it. What the client's own thread starts is still
        // handed over, by the client.
        .executor(Runnable::run)
        .followRedirects(HttpClient.Redirect.NEVER)
        .version(
            // Over plain HTTP the client asks to upgrade to HTTP/2, and some servers then drop
            // the body of the request.
            "https".equals(settings.baseUrl().getScheme())
                ? HttpClient.Version.HTTP_2
                : HttpClient.Version.HTTP_1_1)
        .build();
  }

  /** Why its key can't be used now, and the mend; it is looked at anew for each call. */
  public Optional<String> lack() {
    try {
      Optional<String> _ =
          new Keys(surroundings.environment())
              .read(settings.key(), "provider '" + settings.id() + "'");
      return Optional.empty();
    } catch (AttemptException e) {
      return Optional.of(
          e.getMessage()
              + "; until it can, a Turn on a model of '"
              + settings.id()
              + "' is an infra fault, which burns its conversation. "
              + switch (settings.key()) {
                case KeySource.File _ -> "Put the key there; a restart is not needed";
                case KeySource.Environment _ -> "Set it and start again";
                case KeySource.None _ -> "It needs none";
              });
    }
  }

  /** Makes what the first call needs, so that it need not wait for it. */
  public void prepare() {
    HttpClient _ = client();
  }

  /**
   * One of its models.
   *
   * @param name the server's own name of it
   */
  public Model model(String name, Traits traits) {
    return new HttpModel(settings, surroundings, this::client, guards, name, traits);
  }

  /** Ends what still goes on. */
  @Override
  public synchronized void close() {
    client.ifPresent(HttpClient::shutdownNow);
  }
}
