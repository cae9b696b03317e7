package harness.wire;

import io.helidon.http.DirectHandler;
import io.helidon.webserver.ErrorHandling;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;

/** The port that callers reach. */
public final class HttpServer implements AutoCloseable {
  /**
   * The longest request line: an Instance ID of 1,024 bytes, each of them percent-encoded, fits.
   */
  static final int MAX_REQUEST_LINE_BYTES = 8 * 1024;

  /**
   * How much of a body is read at all: what is too large is read on, so that its sender hears so.
   */
  private static final long MAX_READ_BYTES = 16 * 1024 * 1024;

  private static final int MAX_HEADERS_BYTES = 16 * 1024;
  private static final int MAX_CONNECTIONS = 8192;
  private static final Duration CLOSE_GRACE = Duration.ofSeconds(2);

  private final WebServer server;
  private final String host;

  private HttpServer(WebServer server, String host) {
    this.server = server;
    this.host = host;
  }

  /** Does what a start needs and no router, once; it may run beside what makes one. */
  public static void prepare() {
    HttpRouting.Builder _ = HttpRouting.builder();
  }

  /**
   * Listens.
   *
   * @param port 0 for any that is free
   * @throws IOException if it can't be had
   */
  public static HttpServer start(String host, int port, Router router) throws IOException {
    requireFree(host, port);
    WebServer server =
        WebServer.builder()
            .host(host)
            .port(port)
            .shutdownHook(false)
            .featuresDiscoverServices(false)
            .maxPayloadSize(MAX_READ_BYTES)
            // The pieces of a reply are small, and none may wait for the one before to be heard.
            .connectionOptions(options -> options.tcpNoDelay(true))
            .maxTcpConnections(MAX_CONNECTIONS)
            .shutdownGracePeriod(CLOSE_GRACE)
            .addProtocol(
                Http1Config.builder()
                    .maxPrologueLength(MAX_REQUEST_LINE_BYTES)
                    .maxHeadersSize(MAX_HEADERS_BYTES)
                    // The router looks at paths itself, behind the gate.
                    .validatePath(false)
                    .build())
            .errorHandling(ErrorHandling.builder().includeEntity(true).build())
            .directHandlers(HttpServer::jsonErrors)
            .routing(routing -> routing.any(router))
            .build()
            .start();
    if (server.port() < 0) {
      server.stop();
      throw taken(host, port, "it was taken just now");
    }
    return new HttpServer(server, host);
  }

  /** Asked first, because the server logs a trace and keeps the reason to itself. */
  private static void requireFree(String host, int port) throws IOException {
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress(host, port));
    } catch (IOException e) {
      throw taken(host, port, String.valueOf(e.getMessage()));
    }
  }

  private static IOException taken(String host, int port, String why) {
    return new IOException(
        host + ":" + port + " can't be listened on (" + why + "); name another address");
  }

  public URI uri() {
    return URI.create(
        "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + server.port());
  }

  private static void jsonErrors(DirectHandlers.Builder handlers) {
    JsonErrors json = new JsonErrors();
    Arrays.stream(DirectHandler.EventType.values())
        .forEach(type -> handlers.addHandler(type, json));
  }

  @Override
  public void close() {
    server.stop();
  }
}
