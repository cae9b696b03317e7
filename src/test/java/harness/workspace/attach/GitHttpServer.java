package harness.workspace.attach;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves the repositories of a directory over HTTP by git's own program for that. */
public final class GitHttpServer implements AutoCloseable {
  /** What was asked: the path, and what came with it. */
  public record Asked(String path, Optional<String> authorization, Optional<String> cookie) {}

  private static final int FIRST_BYTES = 20;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Path repositories;
  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private volatile Optional<String> wanted = Optional.empty();
  private volatile Optional<String> elsewhere = Optional.empty();
  private volatile boolean filters = true;
  private volatile boolean stalls;
  private volatile Optional<CountDownLatch> reached = Optional.empty();

  public GitHttpServer(Path repositories) throws IOException {
    this.repositories = repositories;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  public String host() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  public String url(String repository) {
    return "http://" + host() + "/" + repository;
  }

  public List<Asked> asked() {
    return asked;
  }

  /** From now on only who shows this is answered. */
  public void requires(String authorization) {
    wanted = Optional.of(authorization);
  }

  /** From now on no filter is known. */
  public void knowsNoFilter() {
    filters = false;
  }

  /** From now on everything is somewhere else. */
  public void redirectsTo(String base) {
    elsewhere = Optional.of(base);
  }

  /** From now on objects are never sent; the latch tells that somebody waits for them. */
  public CountDownLatch holdsObjects() {
    CountDownLatch latch = new CountDownLatch(1);
    reached = Optional.of(latch);
    return latch;
  }

  /** From now on the first bytes of objects are sent, and no more. */
  public void stallsInObjects() {
    stalls = true;
  }

  public void sendsObjects() {
    stalls = false;
    reached = Optional.empty();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      Optional<String> authorization = header(exchange, "Authorization");
      asked.add(
          new Asked(
              exchange.getRequestURI().toString(), authorization, header(exchange, "Cookie")));
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (elsewhere.isPresent()) {
        exchange.getResponseHeaders().add("Location", elsewhere.get() + exchange.getRequestURI());
        exchange.sendResponseHeaders(301, -1);
      } else if (wanted.isPresent() && !wanted.equals(authorization)) {
        exchange.getResponseHeaders().add("WWW-Authenticate", "Basic realm=\"git\"");
        exchange.sendResponseHeaders(401, -1);
      } else {
        boolean objects =
            exchange.getRequestMethod().equals("POST")
                && !new String(body, StandardCharsets.ISO_8859_1).contains("command=ls-refs");
        if (objects && reached.isPresent()) {
          reached.get().countDown();
          new CountDownLatch(1).await();
        }
        serve(exchange, body, objects && stalls);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Optional<String> header(HttpExchange exchange, String name) {
    return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
  }

  private void serve(HttpExchange exchange, byte[] body, boolean stall)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("git", "http-backend");
    Map<String, String> environment = builder.environment();
    environment.put("GIT_PROJECT_ROOT", repositories.toString());
    environment.put("GIT_HTTP_EXPORT_ALL", "1");
    environment.put("GIT_CONFIG_NOSYSTEM", "1");
    environment.put("GIT_CONFIG_COUNT", "3");
    environment.put("GIT_CONFIG_KEY_0", "safe.directory");
    environment.put("GIT_CONFIG_VALUE_0", "*");
    environment.put("GIT_CONFIG_KEY_1", "uploadpack.allowAnySHA1InWant");
    environment.put("GIT_CONFIG_VALUE_1", "true");
    environment.put("GIT_CONFIG_KEY_2", "uploadpack.allowFilter");
    environment.put("GIT_CONFIG_VALUE_2", Boolean.toString(filters));
    environment.put("HOME", "/nonexistent");
    environment.put("PATH_INFO", exchange.getRequestURI().getPath());
    environment.put(
        "QUERY_STRING", Optional.ofNullable(exchange.getRequestURI().getQuery()).orElse(""));
    environment.put("REQUEST_METHOD", exchange.getRequestMethod());
    environment.put("CONTENT_LENGTH", Integer.toString(body.length));
    header(exchange, "Content-Type").ifPresent(type -> environment.put("CONTENT_TYPE", type));
    header(exchange, "Content-Encoding")
        .ifPresent(encoding -> environment.put("HTTP_CONTENT_ENCODING", encoding));
    header(exchange, "Git-Protocol").ifPresent(text -> environment.put("GIT_PROTOCOL", text));
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (var in = process.getOutputStream()) {
      in.write(body);
    } catch (IOException e) {
      // It had read enough.
    }
    try (InputStream out = process.getInputStream()) {
      int status = 200;
      for (String line = line(out); !line.isEmpty(); line = line(out)) {
        int colon = line.indexOf(": ");
        String name = line.substring(0, colon);
        String value = line.substring(colon + 2);
        if (name.equals("Status")) {
          status = Integer.parseInt(value.substring(0, 3));
        } else {
          exchange.getResponseHeaders().add(name, value);
        }
      }
      exchange.sendResponseHeaders(status, 0);
      if (stall) {
        exchange.getResponseBody().write(out.readNBytes(FIRST_BYTES));
        exchange.getResponseBody().flush();
        new CountDownLatch(1).await();
      }
      out.transferTo(exchange.getResponseBody());
    }
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
