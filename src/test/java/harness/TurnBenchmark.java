package harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import harness.cli.Configuration;
import harness.cli.ConfigurationReader;
import harness.cli.Surroundings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What a Turn costs beside its model, which answers at once: one of 20 calls that write and read
 * files in turn, and one of text alone; ours with every step on stable storage, over HTTP, from the
 * admission to the settlement on its stream, beside pi, which syncs nothing. Arguments: rounds
 * (31), and how many of each kind go before (300): a JVM is at its quickest after some thousand.
 * {@code -Dpi=DIR} is where npm put pi; without it ours is measured alone.
 */
public final class TurnBenchmark {
  private static final int CALLS = 20;
  private static final int PI_ROUNDS_BEFORE = 20;
  private static final String TOOLS = "Use " + CALLS + " tools in ";
  private static final String TEXT = "Say that it is done.";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Caller caller;
  private final Optional<PiPeer> pi;
  private int runs;
  private int directories;
  private int warm;

  private TurnBenchmark(Caller caller, Optional<PiPeer> pi) {
    this.caller = caller;
    this.pi = pi;
  }

  public static void main(String[] arguments) throws Exception {
    // Else the server waits for acknowledgements that the client delays.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 31;
    int before = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 300;
    Path directory = Files.createTempDirectory("turn-benchmark");
    Path work = Files.createDirectories(directory.resolve("work"));
    HttpServer model =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      model.setExecutor(threads);
      model.createContext("/", exchange -> answer(exchange, work));
      model.start();
      URI uri = URI.create("http://127.0.0.1:" + model.getAddress().getPort());
      Optional<String> npm = Optional.ofNullable(System.getProperty("pi"));
      Optional<PiPeer> pi =
          npm.isPresent()
              ? Optional.of(PiPeer.start(Path.of(npm.get()), directory.resolve("pi"), work, uri))
              : Optional.empty();
      try (RunningHarness harness = RunningHarness.start(configuration(directory, work, uri));
          Caller caller = new Caller(harness.uri())) {
        new TurnBenchmark(caller, pi).measure(rounds, before);
      } finally {
        pi.ifPresent(PiPeer::close);
        model.stop(0);
      }
    } finally {
      AdmissionBenchmark.delete(directory);
    }
  }

  private static Configuration configuration(Path directory, Path work, URI model) {
    String yaml =
        """
        harness:
          listen: 127.0.0.1:0
          auth: none
          log: "off"
          state: %s
          workspace: { root: %s }
          providers:
            - { id: lab, api: openai-chat, base-url: "%s/v1", models: { m: {} } }
        """
            .formatted(directory.resolve("state"), work, model);
    return new ConfigurationReader(new Surroundings(Map.of(), directory))
        .parse(yaml, "the benchmark's configuration", Map.of());
  }

  private void measure(int rounds, int before) throws Exception {
    for (int round = 0; round < before; round++) {
      ours(TOOLS, false);
      ours(TEXT, true);
      if (round < PI_ROUNDS_BEFORE && pi.isPresent()) {
        theirs(TOOLS, true);
        theirs(TEXT, false);
      }
    }
    System.out.println("milliseconds                    ours     pi   ratio");
    print("a Turn of " + CALLS + " calls, a call", rounds, TOOLS, true, CALLS);
    print("a Turn of text, warm", rounds, TEXT, false, 1);
  }

  /** One of ours and one of theirs in turn. */
  private void print(String what, int rounds, String prompt, boolean fresh, int share)
      throws Exception {
    double[] ours = new double[rounds];
    double[] theirs = new double[rounds];
    // Of both, conversations of the same length.
    warm++;
    if (pi.isPresent()) {
      pi.get().begin();
    }
    for (int round = 0; round < rounds; round++) {
      ours[round] = ours(prompt, !fresh) / share;
      theirs[round] = pi.isPresent() ? theirs(prompt, fresh) / share : Double.NaN;
    }
    Arrays.sort(ours);
    Arrays.sort(theirs);
    System.out.printf(
        Locale.ROOT,
        "%-28s %7.2f %6.2f %7.2f%n",
        what,
        ours[rounds / 2],
        theirs[rounds / 2],
        ours[rounds / 2] / theirs[rounds / 2]);
  }

  /** Each Turn writes files that are new. */
  private String asked(String prompt) {
    return prompt.equals(TOOLS) ? prompt + "d" + directories++ + "." : prompt;
  }

  private double ours(String prompt, boolean continues) throws Exception {
    String run = continues ? "warm-" + warm : "run-" + runs++;
    long begin = System.nanoTime();
    JsonNode admission =
        JSON.readTree(
            caller.post("/turns", Caller.turn(run, continues, "m", asked(prompt)), "").body());
    String id = admission.path("instanceId").asText();
    String offset = admission.path("offset").asText();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(caller.stream(id, offset), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.contains("\"type\":\"submission-settled\"")) {
          if (!line.contains("\"outcome\":\"completed\"")) {
            throw new IOException("the Turn ended otherwise: " + line);
          }
          return (System.nanoTime() - begin) / 1e6;
        }
      }
    }
    throw new IOException("the stream of " + id + " has ended");
  }

  private double theirs(String prompt, boolean fresh) throws IOException {
    if (fresh) {
      pi.orElseThrow().begin();
    }
    long begin = System.nanoTime();
    String said = pi.orElseThrow().turn(asked(prompt));
    if (!said.equals("Done.")) {
      throw new IOException("pi ended otherwise: " + said);
    }
    return (System.nanoTime() - begin) / 1e6;
  }

  /** The model: as many calls as the newest prompt wants, then a word. */
  private static void answer(HttpExchange exchange, Path work) throws IOException {
    JsonNode request = JSON.readTree(exchange.getRequestBody().readAllBytes());
    int calls = 0;
    Optional<Path> wanted = Optional.empty();
    for (JsonNode message : request.path("messages")) {
      switch (message.path("role").asText()) {
        case "user" -> {
          String content = message.path("content").toString();
          int at = content.indexOf(TOOLS) + TOOLS.length();
          wanted =
              at < TOOLS.length()
                  ? Optional.empty()
                  : Optional.of(work.resolve(content.substring(at, content.indexOf('.', at))));
          calls = 0;
        }
        case "tool" -> calls++;
        default -> {}
      }
    }
    ObjectNode delta = JSON.createObjectNode().put("role", "assistant");
    boolean calling = wanted.isPresent() && calls < CALLS;
    if (calling) {
      call(delta, calls, wanted.get());
    } else {
      delta.put("content", "Done.");
    }
    List<String> chunks = new ArrayList<>();
    chunks.add(chunk(delta, ""));
    chunks.add(chunk(JSON.createObjectNode(), calling ? "tool_calls" : "stop"));
    ObjectNode usage =
        JSON.createObjectNode().put("id", "c").put("object", "chat.completion.chunk");
    usage.putArray("choices");
    usage
        .putObject("usage")
        .put("prompt_tokens", 100)
        .put("completion_tokens", 10)
        .put("total_tokens", 110);
    chunks.add(usage.toString());
    chunks.add("[DONE]");
    StringBuilder body = new StringBuilder();
    chunks.forEach(chunk -> body.append("data: ").append(chunk).append("\n\n"));
    byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  private static void call(ObjectNode delta, int number, Path work) {
    ObjectNode input =
        JSON.createObjectNode().put("path", work.resolve("f" + number / 2 + ".txt").toString());
    boolean writes = number % 2 == 0;
    if (writes) {
      input.put("content", "call " + number + "\n" + "payload ".repeat(60) + "\n");
    }
    ObjectNode call = delta.putArray("tool_calls").addObject();
    call.put("index", 0).put("id", "call-" + number).put("type", "function");
    call.putObject("function")
        .put("name", writes ? "write" : "read")
        .put("arguments", input.toString());
  }

  private static String chunk(ObjectNode delta, String end) {
    ObjectNode chunk =
        JSON.createObjectNode().put("id", "c").put("object", "chat.completion.chunk");
    ObjectNode choice = chunk.putArray("choices").addObject().put("index", 0);
    choice.set("delta", delta);
    if (end.isEmpty()) {
      choice.putNull("finish_reason");
    } else {
      choice.put("finish_reason", end);
    }
    return chunk.toString();
  }
}
