package harness.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import harness.cli.Configuration.Auth;
import harness.cli.Configuration.Git;
import harness.cli.Configuration.Limits;
import harness.cli.Configuration.Listen;
import harness.cli.Configuration.Sandbox;
import harness.cli.Configuration.ToolHosting;
import harness.log.LogFormat;
import harness.model.provider.ProviderConfig;
import harness.workspace.Slots;
import harness.workspace.git.PlaceOrder;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a {@link Configuration}: the YAML file, over it the environment, over that the flags.
 * Unknown keys are faults, and all faults are told at once.
 */
public final class ConfigurationReader {
  /** The environment variable that names the file where no flag does. */
  public static final String FILE_VARIABLE = "HARNESS_CONFIG";

  private static final int MOST = 1_000_000;
  private static final Duration LONGEST = Duration.ofDays(30);
  private static final Map<String, Boolean> FLAGS = Map.of("true", true, "false", false);

  /** A size of memory. */
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})(Mi|Gi)");

  /** With less a command line that does anything at all could not run. */
  private static final int LEAST_MEMORY_MI = 32;

  static final String MEMORY_FORM = "a size like 512Mi or 4Gi, at least " + LEAST_MEMORY_MI + "Mi";

  private static final ObjectMapper YAML =
      new ObjectMapper(
          YAMLFactory.builder()
              .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
              // 'off' is a word here, and no other way to say false.
              .enable(YAMLParser.Feature.PARSE_BOOLEAN_LIKE_WORDS_AS_STRINGS)
              .build());

  private final Surroundings surroundings;

  public ConfigurationReader(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /**
   * Reads the file that the flag or {@value #FILE_VARIABLE} names; with neither, the environment
   * and the flags alone.
   *
   * @param file empty when no flag names one; relative to the working directory
   * @param flags by flag: {@code --listen}, {@code --state}, {@code --workspace}; paths may be
   *     relative to the working directory
   * @throws ConfigurationException with every fault
   */
  public Configuration read(Optional<String> file, Map<String, String> flags) {
    Optional<String> named =
        file.or(() -> Optional.ofNullable(surroundings.environment().get(FILE_VARIABLE)))
            .filter(name -> !name.isEmpty());
    if (named.isEmpty()) {
      return parse("", "the configuration", flags);
    }
    Path path = surroundings.directory().resolve(named.get());
    String option = file.isPresent() ? "--config" : FILE_VARIABLE;
    return parse(new GivenFile(option, path).text(), path.toString(), flags);
  }

  /**
   * Reads the text of a file.
   *
   * @param yaml may be empty
   * @param name how messages name it
   * @throws ConfigurationException with every fault
   */
  public Configuration parse(String yaml, String name, Map<String, String> flags) {
    List<String> faults = new ArrayList<>();
    JsonNode document = document(yaml, name);
    Overrides overrides = new Overrides(absolute(flags), surroundings.environment());
    Section top = new Section("", document, new Overrides(Map.of(), Map.of()), faults);
    top.section("harness");
    top.end();
    Section harness = new Section("", document.path("harness"), overrides, faults);
    Configuration configuration = configuration(harness, overrides);
    harness.end();
    faults.addAll(overrides.strangers());
    if (!faults.isEmpty()) {
      throw new ConfigurationException(faults);
    }
    return configuration;
  }

  private static JsonNode document(String yaml, String name) {
    try {
      JsonNode document = YAML.readTree(yaml);
      return document == null ? MissingNode.getInstance() : document;
    } catch (JsonProcessingException broken) {
      throw new ConfigurationException(
          List.of(
              name
                  + " is no YAML that can be read: line "
                  + broken.getLocation().getLineNr()
                  + ": "
                  + broken.getOriginalMessage()));
    }
  }

  private Map<String, String> absolute(Map<String, String> flags) {
    Map<String, String> absolute = new LinkedHashMap<>(flags);
    for (String flag : List.of("--state", "--workspace")) {
      absolute.computeIfPresent(
          flag, (same, path) -> surroundings.directory().resolve(path).normalize().toString());
    }
    return absolute;
  }

  private Configuration configuration(Section harness, Overrides overrides) {
    Listen listen =
        harness.parsed(
            "listen",
            new Listen("127.0.0.1", 8080),
            CallersReader::listen,
            "must be HOST:PORT, like 127.0.0.1:8080 or [::1]:0");
    Auth auth = harness.choice("auth", Auth.TOKEN, byName(Auth.values()));
    List<String> digests = CallersReader.digests(harness);
    CallersReader.checkAuth(harness, auth, listen, digests);
    PlacesReader reader = new PlacesReader(files());
    Section places = harness.section("workspace");
    Optional<Path> mirrors = places.path("mirrors", files());
    Slots workspace = reader.workspace(places);
    Git git =
        new Git(
            mirrors.orElse(files().getPath(workspace.root()).resolve(PlaceOrder.MIRRORS)),
            reader.credentials(harness.section("git"), workspace.root()));
    Path state = harness.path("state", files()).orElse(files().getPath(StateOption.DEFAULT));
    reader.checkApart(harness, state, workspace.root());
    ToolHosting toolHost = reader.toolHost(harness, workspace.root());
    Sandbox sandbox = harness.choice("sandbox", Sandbox.AUTO, byName(Sandbox.values()));
    boolean network =
        harness.parsed(
            "sandbox-network", false, ConfigurationReader::truth, "must be true or false");
    Limits limits = limits(harness.section("limits"));
    Optional<Path> authority = reader.authority(harness, workspace.root());
    LogFormat log = harness.choice("log", LogFormat.TEXT, byName(LogFormat.values()));
    List<ProviderConfig> providers = new ProviderReader(files(), overrides).read(harness);
    return new Configuration(
        listen, auth, digests, state, workspace, toolHost, sandbox, network, limits, authority,
        providers, log, git);
  }

  static <E extends Enum<E>> Map<String, E> byName(E[] values) {
    Map<String, E> names = new LinkedHashMap<>();
    for (E value : values) {
      names.put(value.name().toLowerCase(Locale.ROOT).replace('_', '-'), value);
    }
    return names;
  }

  private FileSystem files() {
    return surroundings.directory().getFileSystem();
  }

  static Optional<Boolean> truth(String text) {
    return Optional.ofNullable(FLAGS.get(text));
  }

  static Optional<OptionalLong> memory(String text) {
    Matcher form = SIZE.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    long mebibytes = Long.parseLong(form.group(1)) * (form.group(2).equals("Gi") ? 1024 : 1);
    return mebibytes < LEAST_MEMORY_MI
        ? Optional.empty()
        : Optional.of(OptionalLong.of(mebibytes * 1024 * 1024));
  }

  private static Limits limits(Section limits) {
    int queue = limits.count("queue", 64, 1, MOST);
    int total = limits.count("queue-total", 4096, 1, MOST);
    if (total < queue) {
      limits.fault("queue-total", total + " is below queue, which is " + queue);
    }
    Limits all =
        new Limits(
            limits.count("live-turns", 16, 1, MOST),
            queue,
            total,
            limits.count("steps", 256, 1, MOST),
            limits.count("identical-calls", 4, 2, MOST),
            limits.count("nudges", 2, 0, MOST),
            limits.count("rerolls", 1, 0, MOST),
            limits.duration("free-after", Duration.ofMinutes(5), Duration.ZERO, LONGEST),
            limits.duration("drain", Duration.ofMinutes(10), Duration.ZERO, LONGEST),
            limits.duration("answer", Duration.ofDays(1), Duration.ofSeconds(1), LONGEST),
            limits.parsed(
                "command-memory",
                OptionalLong.empty(),
                ConfigurationReader::memory,
                "must be " + MEMORY_FORM));
    limits.end();
    return all;
  }
}
