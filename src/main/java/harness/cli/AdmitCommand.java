package harness.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import harness.api.AdmissionBody.MenuToolBody;
import harness.client.Address;
import harness.client.Admission;
import harness.client.Definition;
import harness.client.EpochLedger;
import harness.client.HarnessClient;
import harness.client.Invocation;
import harness.client.JdkTransport;
import harness.client.Orchestrator;
import harness.client.Timing;
import harness.client.TurnInput;
import harness.client.UnsettledException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Admits one Turn. */
@Command(
    name = "admit",
    description = {
      "Admits a Turn and prints where it landed, as JSON; exits like watch where it is not"
          + " admitted.",
      "A Turn is one Agent's answer to one Frame: a prompt and a working directory (--prompt,"
          + " --cwd). What is admitted is a Submission; its one end, completed, failed or aborted,"
          + " is its Settlement. A fault may burn the conversation: it is never continued, and"
          + " --continue then lands on the next one of --run, --path and --agent."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class AdmitCommand implements Callable<Integer> {
  private static final YAMLMapper YAML = YAMLMapper.builder().addModule(new Jdk8Module()).build();
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Surroundings surroundings;
  private final Timing timing;
  private final PrintWriter out;
  private final Consumer<String> log;

  @Mixin private final HarnessOption harness = new HarnessOption();

  @Option(names = "--run", required = true, paramLabel = "RUN", description = "The run.")
  private String run = "";

  @Option(
      names = "--path",
      paramLabel = "PATH",
      description =
          "What in the run it is for, such as one task (a Machine instance); segments joined by /.")
  private String path = "";

  @Option(names = "--agent", required = true, paramLabel = "AGENT", description = "Its name.")
  private String agent = "";

  @Option(
      names = "--definition",
      required = true,
      paramLabel = "FILE",
      description =
          "Who it is: model, instructions, workspace, thinkingLevel, approve, writes, as YAML or"
              + " JSON; description is not sent.")
  private String definition = "";

  @Option(
      names = "--prompt",
      required = true,
      paramLabel = "TEXT",
      description = "What it is about.")
  private String prompt = "";

  @Option(
      names = "--cwd",
      paramLabel = "DIR",
      description = "Where it works; without it, the worktree of the only slot.")
  private Optional<String> cwd = Optional.empty();

  @Option(names = "--continue", description = "In the Agent's one conversation.")
  private boolean continues;

  @Option(names = "--model", paramLabel = "MODEL", description = "Over the definition's.")
  private Optional<String> model = Optional.empty();

  @Option(names = "--thinking-level", paramLabel = "LEVEL", description = "Over the definition's.")
  private Optional<String> thinkingLevel = Optional.empty();

  @Option(
      names = "--menu",
      paramLabel = "FILE",
      description = "All that it can say: a list of name, description and input, as YAML or JSON.")
  private Optional<String> menu = Optional.empty();

  @Option(
      names = "--allowed",
      split = ",",
      paramLabel = "NAME",
      description = "The part of the menu that this Turn may say; without it, all.")
  private List<String> allowed = List.of();

  @Mixin private final AuthorOption author = new AuthorOption();

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description =
          "Its idempotency key, new for each Turn: under it the same request is one Turn however"
              + " often it is sent. Without one, only what was never delivered is sent again.")
  private Optional<String> key = Optional.empty();

  @Option(names = "--watch", description = "Shows it to its end, as watch does.")
  private boolean watch;

  AdmitCommand(Surroundings surroundings, Timing timing, PrintWriter out, Consumer<String> log) {
    this.surroundings = surroundings;
    this.timing = timing;
    this.out = out;
    this.log = log;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Invocation invocation =
        new Invocation(
            new Address(run, path, agent),
            read("--definition", definition, new TypeReference<Definition>() {}),
            menu.isPresent()
                ? read("--menu", menu.get(), new TypeReference<List<MenuToolBody>>() {})
                : List.of(),
            Optional.of(allowed).filter(names -> !names.isEmpty()),
            author.body(),
            List.of());
    TurnInput input = new TurnInput(prompt, cwd, continues, model, thinkingLevel);
    try (JdkTransport transport = harness.open(surroundings)) {
      HarnessClient client = HarnessOption.client(transport, timing, log);
      Orchestrator orchestrator = new Orchestrator(client, new EpochLedger(EpochLedger.Data.EMPTY));
      Admission admission =
          orchestrator.admit(orchestrator.mint(invocation, input, client.workspace(), key));
      out.println(shown(admission));
      out.flush();
      return watch
          ? new Following(out, surroundings.terminal(), timing.pause())
              .follow(client, admission.bookmark())
          : Program.DONE;
    } catch (UnsettledException e) {
      log.accept(e.outcome().message());
      return Following.code(e.outcome());
    }
  }

  private <T> T read(String option, String file, TypeReference<T> type) {
    String text = new GivenFile(option, surroundings.directory().resolve(file)).text();
    try {
      return YAML.readValue(text, type);
    } catch (ValueInstantiationException e) {
      // What a record says that can't be made of it.
      Throwable said = Optional.ofNullable(e.getCause()).orElse(e);
      throw new ConfigurationException(List.of(file + ": " + said.getMessage()));
    } catch (JsonProcessingException e) {
      throw new ConfigurationException(List.of(file + ": " + e.getOriginalMessage()));
    }
  }

  private static String shown(Admission admission) throws JsonProcessingException {
    Map<String, Object> fields = new java.util.LinkedHashMap<>();
    fields.put("agent", admission.address().agent());
    fields.put("instanceId", admission.instanceId());
    fields.put("epoch", admission.epoch());
    fields.put("new", admission.isNew());
    fields.put("submissionId", admission.submissionId());
    fields.put("offset", admission.offset());
    fields.put("ahead", admission.ahead());
    return JSON.writeValueAsString(fields);
  }
}
