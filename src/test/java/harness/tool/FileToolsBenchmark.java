package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import harness.agent.Access;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.author.Actor;
import harness.store.Figures;
import harness.tool.socket.RunnerToolHost;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * What a call of a file tool takes through a runner's socket, beside the same of a filesystem
 * server of the Model Context Protocol over its standard streams, each in a process of its own.
 * Arguments: rounds (5), calls of each kind in a round (1,000). {@code -Dmcp=DIR} names the
 * directory into which npm put the server; without it only the runner is measured.
 */
public final class FileToolsBenchmark {
  private static final int DIRECTORIES = 20;
  private static final int FILES = 50;
  private static final int WARM_UP_CALLS = 6_000;
  private static final String KILOBYTE =
      "some text in a line of some length, as files have\n".repeat(20);

  private final Path root;
  private final ToolBox tools;
  private final Map<String, String> seen = new HashMap<>();
  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, Integer> values = new HashMap<>();

  private FileToolsBenchmark(Path root, ToolHost host) {
    this.root = root;
    this.tools = new ToolBox(host, WorkingTools.specs());
  }

  public static void main(String[] arguments) throws Exception {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
    int calls = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1_000;
    Path directory = Files.createTempDirectory("file-tools-benchmark").toRealPath();
    Path root = Files.createDirectory(directory.resolve("work"));
    fill(root);
    Path socket = directory.resolve("runner.sock");
    Process runner = runner(socket, root);
    try (ToolHost host = RunnerToolHost.at(socket, root.toString(), InstantSource.system());
        ExecutorService caller = Executors.newVirtualThreadPerTaskExecutor()) {
      Optional<String> npm = Optional.ofNullable(System.getProperty("mcp"));
      if (npm.isEmpty()) {
        new FileToolsBenchmark(root, host).measure(caller, Optional.empty(), rounds, calls);
      } else {
        try (McpServer server = McpServer.start(Path.of(npm.get()), root)) {
          new FileToolsBenchmark(root, host).measure(caller, Optional.of(server), rounds, calls);
        }
      }
    } finally {
      runner.destroy();
      runner.waitFor();
      delete(directory);
    }
  }

  private static void fill(Path root) throws IOException {
    for (int d = 0; d < DIRECTORIES; d++) {
      Path directory = Files.createDirectory(root.resolve("d" + d));
      for (int f = 0; f < FILES; f++) {
        Files.writeString(directory.resolve("f" + f + ".txt"), KILOBYTE);
      }
    }
    Files.writeString(root.resolve("edit-here.txt"), "value 0\n" + KILOBYTE);
    Files.writeString(root.resolve("edit-there.txt"), "value 0\n" + KILOBYTE);
  }

  /** The program as its launcher starts it. */
  private static Process runner(Path socket, Path root) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "harness.Main",
                "runner",
                "--socket",
                socket.toString(),
                "--workspace",
                root.toString()));
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader out = process.inputReader();
    if (out.readLine() == null) {
      throw new IOException("the runner did not start");
    }
    return process;
  }

  /** A kind of call, of ours and of the other's. */
  private record Kind(String name, Figures.Act ours, Figures.Act theirs) {}

  private void measure(ExecutorService caller, Optional<McpServer> server, int rounds, int calls)
      throws Exception {
    List<Kind> kinds = kinds(server);
    for (Kind kind : kinds) {
      Figures unused = Figures.measure(caller, 1, WARM_UP_CALLS, kind.ours());
      if (server.isPresent()) {
        unused = Figures.measure(caller, 1, calls, kind.theirs());
      }
    }
    System.out.println("milliseconds       ours p50     p99   theirs p50     p99   ratio");
    for (int round = 0; round < rounds; round++) {
      for (Kind kind : kinds) {
        Figures ours = Figures.measure(caller, 1, calls, kind.ours());
        Figures theirs =
            server.isPresent()
                ? Figures.measure(caller, 1, calls, kind.theirs())
                : new Figures(Double.NaN, Double.NaN, Double.NaN);
        print(kind.name(), ours, theirs);
      }
      print("raw durable write", Figures.measure(caller, 1, calls, this::rawWrite));
    }
  }

  private static void print(String name, Figures... figures) {
    StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-18s", name));
    for (Figures one : figures) {
      line.append(String.format(Locale.ROOT, " %8.3f %7.3f  ", one.p50(), one.p99()));
    }
    if (figures.length == 2) {
      line.append(String.format(Locale.ROOT, " %6.2f", figures[0].p50() / figures[1].p50()));
    }
    System.out.println(line);
  }

  private List<Kind> kinds(Optional<McpServer> server) throws IOException {
    // Nothing is edited that was not read.
    call("read", Map.of("path", path("edit-here.txt")));
    return List.of(
        new Kind(
            "read 1 KB",
            (_, count) -> call("read", Map.of("path", file(count))),
            (_, count) -> call(server, "read_text_file", Map.of("path", file(count)))),
        new Kind(
            "write 1 KB",
            (_, count) -> call("write", content("ours.txt", count)),
            (_, count) -> call(server, "write_file", content("theirs.txt", count))),
        new Kind(
            "edit 1 KB",
            (_, count) -> call("edit", edit("edit-here.txt", "old", "new")),
            (_, count) -> call(server, "edit_file", edit("edit-there.txt", "oldText", "newText"))),
        new Kind(
            "list 50",
            (_, count) -> call("list", Map.of("path", path("d" + count % DIRECTORIES))),
            (_, count) ->
                call(server, "list_directory", Map.of("path", path("d" + count % DIRECTORIES)))),
        new Kind(
            "list 50 + sizes",
            (_, count) -> call("list", Map.of("path", path("d" + count % DIRECTORIES))),
            (_, count) ->
                call(
                    server,
                    "list_directory_with_sizes",
                    Map.of("path", path("d" + count % DIRECTORIES)))));
  }

  /** Another one each time: what a file has already is not written again. */
  private Map<String, ?> content(String name, int count) {
    return Map.of("path", path(name), "content", count + " " + KILOBYTE);
  }

  private String path(String name) {
    return root.resolve(name).toString();
  }

  private String file(int count) {
    return path("d" + count % DIRECTORIES + "/f" + count % FILES + ".txt");
  }

  /** An edit that puts the value in the first line up by one. */
  private Map<String, ?> edit(String name, String oldName, String newName) {
    int value = values.getOrDefault(name, 0);
    values.put(name, value + 1);
    String line = "value " + value + "\n";
    return Map.of(
        "path",
        path(name),
        "edits",
        List.of(Map.of(oldName, line, newName, "value " + (value + 1) + "\n")));
  }

  private void call(String tool, Map<String, ?> arguments) throws IOException {
    JsonNode input = json.valueToTree(arguments);
    ToolResult result =
        tools.call(
            new ToolCall(
                "c-1-0",
                tool,
                input,
                root.toString(),
                Access.WRITE,
                Mode.DIRECT,
                new Instance("coder", InstanceId.parse("run-1/task/coder")),
                new Actor.Agent("coder", Optional.empty()),
                Seen.of(seen, root.toString(), input)),
            Progress.NONE);
    if (result.error()) {
      throw new IOException(result.text());
    }
    seen.putAll(result.seen().versions());
  }

  private static void call(Optional<McpServer> server, String tool, Map<String, ?> arguments)
      throws IOException {
    String _ = server.orElseThrow().call(tool, arguments);
  }

  /**
   * What a durable write costs by itself: a file beside it, synced, renamed, the directory synced.
   */
  private void rawWrite(int client, int count) throws IOException {
    Path beside = root.resolve("raw.tmp");
    try (FileChannel file =
        FileChannel.open(beside, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(KILOBYTE.getBytes(StandardCharsets.UTF_8)));
      file.force(true);
    }
    Files.move(beside, root.resolve("raw.txt"), StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel directory = FileChannel.open(root, StandardOpenOption.READ)) {
      directory.force(true);
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
