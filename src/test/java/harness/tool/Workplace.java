package harness.tool;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import harness.agent.Access;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.author.Actor;
import harness.tool.socket.OverSocket;
import harness.workspace.Handles;
import harness.workspace.Root;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The tools, seated in the working directory {@code work/target/feature-x} of the workspace {@code
 * work}, beside which lies {@code outside}. They run in this process, or with {@code
 * -Dtool-host=socket} in a runner.
 */
final class Workplace {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
          .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
          .build();

  /** Whether the tools are in a runner, as in the second run of all their tests. */
  private static final boolean OVER_SOCKET = "socket".equals(System.getProperty("tool-host"));

  private static final Actor AGENT = new Actor.Agent("coder", Optional.empty());

  final Path outside;
  final Path work;
  final Path cwd;
  final ToolBox tools;
  private final Access access;
  private final Mode mode;
  private final Actor actor;

  /** What the conversation has seen, as its events would tell. */
  private final Map<String, String> seen;

  private final Path base;

  /** The time of the tools. */
  static final Instant NOW = Instant.parse("2026-03-04T05:06:07Z");

  private Workplace(
      Path base,
      String below,
      ToolBox tools,
      Access access,
      Mode mode,
      Actor actor,
      Map<String, String> seen) {
    this.base = base;
    this.actor = actor;
    this.outside = base.resolve("outside");
    this.work = base.resolve("work");
    this.cwd = work.resolve("target/feature-x").resolve(below);
    this.tools = tools;
    this.access = access;
    this.mode = mode;
    this.seen = seen;
  }

  static Workplace in(Path base) throws IOException {
    return in(base, Handles.system(new Random(7)));
  }

  static Workplace in(Path base, Handles handles) throws IOException {
    Path real = base.toRealPath();
    String root = real.resolve("work").toString();
    return over(real, () -> WorkingTools.inProcess(handles, root, () -> NOW));
  }

  /** With tools of such a host, which has the workspace {@code work} in the real path. */
  static Workplace over(Path real, Supplier<ToolHost> inProcess) throws IOException {
    ToolHost host = hosted(real.resolve("work").toString(), inProcess);
    Workplace place =
        new Workplace(
            real,
            "",
            new ToolBox(host, WorkingTools.specs()),
            Access.WRITE,
            Mode.DIRECT,
            AGENT,
            new HashMap<>());
    Files.createDirectories(place.outside);
    Files.createDirectories(place.cwd);
    return place;
  }

  /** The host itself, or a runner's in which it is. */
  static ToolHost hosted(String root, Supplier<ToolHost> inProcess) {
    return OVER_SOCKET ? OverSocket.to(root, inProcess) : inProcess.get();
  }

  Workplace with(Access other) {
    return new Workplace(base, "", tools, other, mode, actor, seen);
  }

  /** The same seat, whose changes become something else. */
  Workplace with(Mode other) {
    return new Workplace(base, "", tools, access, other, actor, seen);
  }

  /** The same seat of somebody else. */
  Workplace as(Actor other) {
    return new Workplace(base, "", tools, access, mode, other, seen);
  }

  /** The same seat in a directory below the working directory. */
  Workplace at(String below) {
    return new Workplace(base, below, tools, access, mode, actor, seen);
  }

  /** The same seat in another conversation, which has seen nothing. */
  Workplace another() {
    return new Workplace(base, "", tools, access, mode, actor, new HashMap<>());
  }

  /** A seat of one who reads, for a tool that is called by itself. */
  static Seat reading(Root root) {
    Instance instance = new Instance("coder", InstanceId.parse("run-1/task/coder"));
    return new Seat(
        root,
        root.cwd(),
        Access.READ,
        Mode.DIRECT,
        "call-1",
        instance,
        AGENT,
        Seen.NOTHING,
        Seen.NOTHING,
        Commands.refused("no").enter(instance),
        Progress.NONE);
  }

  static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  static JsonNode tree(Map<String, ?> input) {
    return JSON.valueToTree(input);
  }

  /** What a call that suggests would change. */
  Proposal proposed(String tool, String input) {
    ToolResult result = with(Mode.SUGGEST).call(tool, json(input));
    assertFalse(result.error(), result.text());
    return result.proposal().orElseThrow();
  }

  /** Accepts what a call proposed. */
  ToolResult accept(Proposal proposal, String tool, String input) {
    return with(Mode.ACCEPT)
        .call(
            call ->
                tools.call(
                    new ToolCall(
                        call.callId(),
                        call.name(),
                        call.input(),
                        call.cwd(),
                        call.access(),
                        call.mode(),
                        call.instance(),
                        call.actor(),
                        proposal.madeFrom(),
                        proposal.becomes()),
                    Progress.NONE),
            tool,
            json(input));
  }

  ToolResult call(String tool, JsonNode input) {
    return call(call -> tools.call(call, Progress.NONE), tool, input);
  }

  /** Calls something else than these tools from the same place. */
  ToolResult call(Function<ToolCall, ToolResult> callee, String tool, JsonNode input) {
    Seen named;
    synchronized (seen) {
      named = Seen.of(seen, cwd.toString(), input);
    }
    ToolResult result =
        callee.apply(
            new ToolCall(
                "call-1",
                tool,
                input,
                cwd.toString(),
                access,
                mode,
                new Instance("coder", InstanceId.parse("run-1/task/coder")),
                actor,
                named));
    synchronized (seen) {
      seen.putAll(result.seen().versions());
    }
    return result;
  }

  /** Calls with arguments in relaxed JSON; the text of a result that is no error. */
  String ok(String tool, String input) {
    return checkedOk(tool, json(input));
  }

  String ok(String tool, Map<String, ?> input) {
    return checkedOk(tool, JSON.valueToTree(input));
  }

  private String checkedOk(String tool, JsonNode input) {
    ToolResult result = call(tool, input);
    assertFalse(result.error(), result.text());
    return result.text();
  }

  /** The text of a result that is an error, and none that a bug made. */
  String error(String tool, String input) {
    return checkedError(tool, json(input));
  }

  String error(String tool, Map<String, ?> input) {
    return checkedError(tool, JSON.valueToTree(input));
  }

  private String checkedError(String tool, JsonNode input) {
    ToolResult result = call(tool, input);
    assertTrue(result.error(), result.text());
    assertFalse(result.text().contains("bug of the Harness"), result.text());
    return result.text();
  }

  Path file(String name, String content) throws IOException {
    return file(name, content.getBytes(StandardCharsets.UTF_8));
  }

  Path file(String name, byte[] content) throws IOException {
    Path file = cwd.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, content);
  }

  /** Writes a file and has the conversation read it. */
  Path known(String name, String content) throws IOException {
    return known(name, content.getBytes(StandardCharsets.UTF_8));
  }

  Path known(String name, byte[] content) throws IOException {
    Path file = file(name, content);
    ok("read", Map.of("path", name));
    return file;
  }

  String content(String name) throws IOException {
    return Files.readString(cwd.resolve(name));
  }
}
