import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Makes the caches of classes of a built program, each from a run of what it is for: {@code
 * serve.aot} and {@code runner.aot} from a Turn as in a pod, and {@code harness.aot}, for everything
 * else, from the demo, whose tools are in its process. Fails where a run does not do what it should,
 * so that no build has half a cache.
 *
 * <pre>java Training.java FLAGS JAR DIRECTORY harness|serve|runner...</pre>
 *
 * They fit the java that this runs on, the JAR at its path and the FLAGS, a file, alone.
 */
final class Training {
  private static final long PATIENCE_SECONDS = 120;

  // A start has no use for profiles: by them the optimising compiler begins at once, beside it.
  private static final List<String> WITHOUT_PROFILES =
      List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTRecordTraining");

  private static final List<String> CALLS =
      List.of(
          call("write", "{\"path\":\"a.txt\",\"content\":\"one\"}"),
          call("edit", "{\"path\":\"a.txt\",\"edits\":[{\"old\":\"one\",\"new\":\"two\"}]}"),
          call("read", "{\"path\":\"a.txt\"}"),
          call("list", "{}"),
          call("grep", "{\"pattern\":\"two\"}"),
          call("shell", "{\"command\":\"cat a.txt\"}"));

  private static final String CONFIGURATION =
      """
      harness:
        listen: 127.0.0.1:0
        auth: none
        state: %1$s/state
        workspace: { root: %1$s/work }
        tool-host: unix:%1$s/runner.sock
        providers: [ { id: lab, api: openai-chat, base-url: "http://127.0.0.1:%2$d/v1", models: { m: {} } } ]
      """;

  private static final String TURN =
      """
      { "run": "run", "path": "task", "agent": "coder", "continue": true, "prompt": "Write it.",
        "definition": { "model": "lab/m", "instructions": "You write." } }
      """;

  private final String java;
  private final String flags;
  private final String jar;
  private final Path caches;

  private Training(String java, String flags, String jar, Path caches) {
    this.java = java;
    this.flags = flags;
    this.jar = jar;
    this.caches = caches;
  }

  public static void main(String[] arguments) throws Exception {
    Training training =
        new Training(
            ProcessHandle.current().info().command().orElseThrow(),
            arguments[0],
            arguments[1],
            Path.of(arguments[2]));
    List<String> names = List.of(arguments).subList(3, arguments.length);
    Path directory = Files.createTempDirectory("harness-training-").toRealPath();
    try {
      if (names.contains("harness")) {
        Process demo = training.started(directory, "harness", "demo");
        said(demo, "");
        ended(demo);
      }
      if (names.contains("serve")) {
        training.pod(directory);
      }
    } finally {
      remove(directory);
    }
  }

  private void pod(Path directory) throws Exception {
    Files.createDirectory(directory.resolve("work"));
    try (ServerSocket model = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform().daemon().start(() -> answer(model));
      Path configuration =
          Files.writeString(
              directory.resolve("harness.yaml"),
              CONFIGURATION.formatted(directory, model.getLocalPort()));
      String socket = directory.resolve("runner.sock").toString();
      String work = directory.resolve("work").toString();
      Process runner =
          started(directory, "runner", "runner", "--socket", socket, "--workspace", work);
      said(runner, "listens on");
      Process serve = started(directory, "serve", "serve", "--config", configuration.toString());
      String listens = said(serve, "listens on");
      turn(URI.create(listens.substring(listens.indexOf("http"))));
      if (!Files.readString(directory.resolve("work/a.txt")).equals("two")) {
        throw new IllegalStateException("the Turn wrote something else");
      }
      // By its handle, because a destroyed process can't be read any more.
      serve.toHandle().destroy();
      ended(serve);
      runner.toHandle().destroy();
      ended(runner);
    }
  }

  private Process started(Path directory, String cache, String... command) throws IOException {
    List<String> line = new ArrayList<>(List.of(java, "@" + flags));
    line.addAll(WITHOUT_PROFILES);
    line.add("-XX:AOTCacheOutput=" + caches.resolve(cache + ".aot"));
    line.addAll(List.of("-jar", jar));
    line.addAll(List.of(command));
    ProcessBuilder builder = new ProcessBuilder(line).directory(directory.toFile());
    builder.environment().put("LC_ALL", "C.UTF-8");
    return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static String said(Process process, String text) throws IOException {
    BufferedReader out = process.inputReader();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.contains(text)) {
        Thread.ofPlatform().daemon().start(() -> drain(out));
        return line;
      }
    }
    throw new IllegalStateException(process.info().commandLine() + " did not start");
  }

  /** Reads what follows, so that the process never waits for a reader. */
  private static void drain(BufferedReader out) {
    try {
      out.transferTo(Writer.nullWriter());
    } catch (IOException e) {
      System.err.println("what a run says can't be read: " + e);
    }
  }

  private static void ended(Process process) throws Exception {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IllegalStateException("a run did not end well: " + process);
    }
  }

  private static void turn(URI uri) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest admission =
          HttpRequest.newBuilder(uri.resolve("/turns"))
              .POST(HttpRequest.BodyPublishers.ofString(TURN))
              .build();
      client.send(admission, HttpResponse.BodyHandlers.ofString());
      URI conversation = uri.resolve("/agents/coder/run%2Ftask%2Fcoder");
      String offset = "";
      String page = "";
      while (!page.contains("submission-settled")) {
        HttpResponse<String> next =
            client.send(
                HttpRequest.newBuilder(URI.create(conversation + "?live=long-poll" + offset))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
        page = next.body();
        offset = "&offset=" + next.headers().firstValue("stream-next-offset").orElseThrow();
      }
    }
  }

  /** A model that makes its calls, one a reply, and then says that it is through. */
  private static void answer(ServerSocket model) {
    int replies = 0;
    while (true) {
      try (Socket socket = model.accept()) {
        request(socket.getInputStream());
        String delta =
            replies < CALLS.size()
                ? "{\"content\":\"I go on.\",\"tool_calls\":[" + CALLS.get(replies) + "]}"
                : "{\"content\":\"It is written.\"}";
        String reason = replies < CALLS.size() ? "tool_calls" : "stop";
        replies++;
        OutputStream out = socket.getOutputStream();
        out.write(
            ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
                    + chunk(delta, "null")
                    + chunk("{}", "\"" + reason + "\"")
                    + "data: [DONE]\n\n")
                .getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        return;
      }
    }
  }

  private static String chunk(String delta, String reason) {
    return "data: {\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":1}}\n\n"
        .formatted(delta, reason);
  }

  private static String call(String name, String arguments) {
    return "{\"index\":0,\"id\":\"call-%s\",\"type\":\"function\",\"function\":{\"name\":\"%s\",\"arguments\":\"%s\"}}"
        .formatted(name, name, arguments.replace("\"", "\\\""));
  }

  private static void request(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("the request ends in its head");
      }
      head.append((char) next);
    }
    String length = head.toString().toLowerCase().split("content-length: ")[1].split("\r\n")[0];
    in.readNBytes(Integer.parseInt(length));
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
