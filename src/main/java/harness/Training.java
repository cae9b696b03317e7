package harness;

import harness.scenario.Removal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the cache of classes is made from at a build: the demo, whose tools are in its process, and
 * then a Turn as in a pod, by the commands that run there. Fails where either does not do what it
 * should, so that no build has half a cache.
 */
final class Training {
  private static final String SCRIPT =
      """
      models:
        m:
          - steps:
              - text: I write.
                calls: [ { name: write, input: { path: a.txt, content: one } } ]
              - text: I look.
                calls: [ { name: shell, input: { command: cat a.txt } }, { name: grep, input: { pattern: one } } ]
              - text: It is written.
      """;

  private static final String CONFIGURATION =
      """
      harness:
        listen: 127.0.0.1:0
        auth: none
        state: %1$s/state
        workspace: { root: %1$s/work }
        tool-host: unix:%1$s/runner.sock
        providers: [ { id: lab, api: scripted, script: %1$s/script.yaml, models: { m: {} } } ]
      """;

  private static final String TURN =
      """
      { "run": "run", "path": "task", "agent": "coder", "continue": true, "prompt": "Write it.",
        "definition": { "model": "lab/m", "instructions": "You write." } }
      """;

  private Training() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Main.logs();
    PrintWriter err = Main.printer(System.err);
    if (Main.program(Main.printer(System.out), err).run("demo") != 0) {
      throw new IllegalStateException("the demo failed");
    }
    Path directory = Files.createTempDirectory("harness-training-").toRealPath();
    try {
      pod(directory, err);
    } finally {
      Removal.of(directory);
    }
    System.exit(0);
  }

  private static void pod(Path directory, PrintWriter err)
      throws IOException, InterruptedException {
    Files.createDirectory(directory.resolve("work"));
    Files.writeString(directory.resolve("script.yaml"), SCRIPT);
    Path configuration =
        Files.writeString(directory.resolve("harness.yaml"), CONFIGURATION.formatted(directory));
    String socket = directory.resolve("runner.sock").toString();
    started(err, "runner", "--socket", socket, "--workspace", directory.resolve("work").toString());
    String listens = started(err, "serve", "--config", configuration.toString());
    turn(URI.create(listens.substring(listens.indexOf("http"))));
    if (!Files.readString(directory.resolve("work/a.txt")).equals("one")) {
      throw new IllegalStateException("the Turn wrote something else");
    }
  }

  /** Runs a command for as long as this process lasts; answers what it says first. */
  private static String started(PrintWriter err, String... command) throws IOException {
    PipedReader said = new PipedReader();
    PrintWriter out = new PrintWriter(new PipedWriter(said), true);
    Thread.ofPlatform().daemon().start(() -> Main.program(out, err).run(command));
    return new BufferedReader(said).readLine();
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
}
