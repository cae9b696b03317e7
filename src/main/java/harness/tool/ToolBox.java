package harness.tool;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import harness.agent.Access;
import harness.agent.Definition;
import harness.agent.Instance;
import harness.author.Permission;
import harness.model.ToolOffer;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The Working tools as a Turn sees them: what is offered for an access, and the way to call them.
 */
public final class ToolBox {
  /** The most text that one result hands to the model. */
  public static final int MAX_RESULT_BYTES = 64 * 1024;

  /** The most lines that one result hands to the model. */
  public static final int MAX_RESULT_LINES = 4_000;

  private static final System.Logger LOG = System.getLogger(ToolBox.class.getName());

  /**
   * Every name that a Working tool has or will have, in the order in which they are offered; a Menu
   * may use none of them.
   */
  public static final List<String> NAMES =
      List.of(
          "read",
          "write",
          "edit",
          "list",
          "glob",
          "grep",
          "move",
          "delete",
          "make_directory",
          "apply_patch",
          "git_status",
          "git_diff",
          "git_log",
          "git_show",
          "git_blame",
          "git_add",
          "git_restore",
          "git_commit",
          "git_branch",
          "shell",
          "shell_output",
          "shell_stop");

  /** Those that can say what they would change instead of changing it. */
  private static final Set<String> PROPOSING =
      Set.of("write", "edit", "move", "delete", "apply_patch");

  static final String SUGGESTS_FILES =
      "this Agent suggests its changes, and what is suggested is the content of files alone";

  private final ToolHost host;
  private final List<ToolSpec> specs;

  /** What a model is told of each, written once. */
  private final Map<String, ToolOffer> offered = new ConcurrentHashMap<>();

  /**
   * @param host where the tools run
   * @param specs the tools that it has
   * @throws IllegalArgumentException where a spec has a name that is no Working tool's, or twice
   */
  public ToolBox(ToolHost host, List<ToolSpec> specs) {
    this.host = host;
    this.specs = ordered(specs);
  }

  /** What is offered to the model for a definition, in a fixed order and with fixed bytes. */
  public List<ToolOffer> offers(Access access, Definition.Writes writes) {
    return specs.stream()
        .filter(spec -> allows(access, spec) && allows(Mode.of(writes), spec))
        .map(
            spec ->
                offered.computeIfAbsent(
                    spec.name(),
                    name -> new ToolOffer(name, spec.description(), spec.inputSchema())))
        .toList();
  }

  /** Whether the name is one of a Working tool, whatever the access. */
  public static boolean isWorkingTool(String name) {
    return NAMES.contains(name);
  }

  /** Whether calls of an Agent that suggests become proposals, which are answered as such. */
  public static boolean proposes(String name, Definition.Writes writes) {
    return writes == Definition.Writes.SUGGEST && PROPOSING.contains(name);
  }

  /** What whom a call is made for needs to have; to propose a change of files changes none. */
  public Permission permission(String name, JsonNode input, Definition.Writes writes) {
    if (name.startsWith("shell")) {
      return Permission.SHELL_RUN;
    }
    if (name.equals("git_commit")) {
      return Permission.GIT_COMMIT;
    }
    boolean changes =
        name.equals("git_branch")
            ? input.has("name")
            : specs.stream().anyMatch(spec -> spec.name().equals(name) && spec.writes());
    return changes && writes == Definition.Writes.DIRECT
        ? Permission.WORKSPACE_WRITE
        : Permission.WORKSPACE_READ;
  }

  /**
   * Runs a call; one that the access withholds or that no tool has is a result with an error. Never
   * throws; the result is capped in bytes and lines.
   */
  public ToolResult call(ToolCall call, Progress progress) {
    return Cap.apply(answer(call, progress), MAX_RESULT_BYTES, MAX_RESULT_LINES);
  }

  /** The same, and who starts it does not wait for it. */
  public StartedCall start(ToolCall call, Progress progress) {
    Optional<String> refusal = refusal(specs, call);
    if (refusal.isPresent()) {
      return StartedCall.over(ToolResult.failure(refusal.get()));
    }
    StartedCall started;
    try {
      started = host.start(call, progress);
    } catch (RuntimeException | Error e) {
      started = StartedCall.over(bug(call, e));
    }
    return new StartedCall(
        started.result().thenApply(result -> Cap.apply(result, MAX_RESULT_BYTES, MAX_RESULT_LINES)),
        started.cancel());
  }

  /** Ends what the calls of a conversation left running. */
  public void release(Instance instance) {
    host.release(instance);
  }

  private ToolResult answer(ToolCall call, Progress progress) {
    Optional<String> refusal = refusal(specs, call);
    if (refusal.isPresent()) {
      return ToolResult.failure(refusal.get());
    }
    try {
      return host.call(call, progress);
    } catch (RuntimeException | Error e) {
      return bug(call, e);
    }
  }

  /** Why a call can't be one of these tools' with its access; empty where it can. */
  static Optional<String> refusal(List<ToolSpec> specs, ToolCall call) {
    for (ToolSpec spec : specs) {
      if (spec.name().equals(call.name())) {
        if (!allows(call.access(), spec)) {
          return Optional.of(
              call.name()
                  + " is withheld: this Agent's workspace access is "
                  + call.access().name().toLowerCase(Locale.ROOT)
                  + "; it has "
                  + names(specs, call.access()));
        }
        return allows(call.mode(), spec)
            ? Optional.empty()
            : Optional.of(
                call.name()
                    + " is withheld: "
                    + SUGGESTS_FILES
                    + "; leave the rest to whoever accepts it");
      }
    }
    return Optional.of(
        "there is no tool '" + call.name() + "'; there is " + names(specs, call.access()));
  }

  /** The answer to a call that met a bug, which is logged whole and told in a sentence. */
  static ToolResult bug(ToolCall call, Throwable e) {
    LOG.log(
        System.Logger.Level.ERROR,
        () -> "the tool " + call.name() + " failed in the call " + call.callId(),
        e);
    return ToolResult.failure(
        call.name()
            + " failed by a bug of the Harness ("
            + e
            + "), which is in its log; what it did until then may have had its effect");
  }

  private static boolean allows(Access access, ToolSpec spec) {
    return switch (access) {
      case WRITE -> true;
      case READ -> !spec.writes();
      case NONE -> false;
    };
  }

  private static boolean allows(Mode mode, ToolSpec spec) {
    return switch (mode) {
      case DIRECT -> true;
      case SUGGEST, ACCEPT -> !spec.writes() || PROPOSING.contains(spec.name());
    };
  }

  private static String names(List<ToolSpec> specs, Access access) {
    String names =
        specs.stream()
            .filter(spec -> allows(access, spec))
            .map(ToolSpec::name)
            .collect(joining(", "));
    return names.isEmpty() ? "none" : names;
  }

  private static List<ToolSpec> ordered(List<ToolSpec> specs) {
    Map<String, ToolSpec> byName = new HashMap<>();
    for (ToolSpec spec : specs) {
      if (!isWorkingTool(spec.name())) {
        throw new IllegalArgumentException(
            "'" + spec.name() + "' is no name of a Working tool; add it to the list of them");
      }
      if (byName.put(spec.name(), spec) != null) {
        throw new IllegalArgumentException("two tools are named '" + spec.name() + "'");
      }
    }
    return byName.values().stream()
        .sorted(Comparator.comparingInt(spec -> NAMES.indexOf(spec.name())))
        .toList();
  }
}
