package harness.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import harness.author.Grants;
import harness.cli.Configuration.Auth;
import harness.cli.Configuration.Git;
import harness.cli.Configuration.Limits;
import harness.cli.Configuration.Listen;
import harness.cli.Configuration.Sandbox;
import harness.cli.Configuration.ToolHosting;
import harness.log.LogFormat;
import harness.model.provider.ProviderConfig;
import harness.workspace.Slots;
import harness.workspace.attach.GitCredential;
import harness.workspace.git.PlaceOrder;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.FileSystem;
import java.nio.file.Files;
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

  private static final String IN_PROCESS = "in-process";
  private static final String NO_HOST = "none";

  /** What servers that look at the token alone are told. */
  private static final String GIT_USER = "x-access-token";

  private static final String UNIX = "unix:";
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
    try {
      return parse(Files.readString(path), path.toString(), flags);
    } catch (IOException unread) {
      throw new ConfigurationException(
          List.of("the configuration " + path + " can't be read: " + unread));
    }
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
            ConfigurationReader::listen,
            "must be HOST:PORT, like 127.0.0.1:8080 or [::1]:0");
    Auth auth = harness.choice("auth", Auth.TOKEN, byName(Auth.values()));
    List<String> digests = digests(harness);
    checkAuth(harness, auth, listen, digests);
    Section places = harness.section("workspace");
    Optional<Path> mirrors = places.path("mirrors", files());
    Slots workspace = workspace(places);
    Git git =
        new Git(
            mirrors.orElse(files().getPath(workspace.root()).resolve(PlaceOrder.MIRRORS)),
            credentials(harness.section("git"), workspace.root()));
    Path state = harness.path("state", files()).orElse(files().getPath(StateOption.DEFAULT));
    checkApart(harness, state, workspace.root());
    ToolHosting toolHost = toolHost(harness, workspace.root());
    Sandbox sandbox = harness.choice("sandbox", Sandbox.AUTO, byName(Sandbox.values()));
    boolean network =
        harness.parsed(
            "sandbox-network", false, ConfigurationReader::truth, "must be true or false");
    Limits limits = limits(harness.section("limits"));
    Optional<Path> authority = authority(harness, workspace.root());
    LogFormat log = harness.choice("log", LogFormat.TEXT, byName(LogFormat.values()));
    List<ProviderConfig> providers = new ProviderReader(files(), overrides).read(harness);
    return new Configuration(
        listen, auth, digests, state, workspace, toolHost, sandbox, network, limits, authority,
        providers, log, git);
  }

  /** Whose token an Agent could read is no secret of this process. */
  private List<GitCredential> credentials(Section git, String root) {
    List<GitCredential> credentials = new ArrayList<>();
    for (Section one : git.sections("credentials", "host")) {
      String host = one.text("host").orElse("");
      if (!host.matches("[A-Za-z0-9.\\[\\]:-]+")) {
        one.fault("host", "must be the name of a git server, like git.example.com or HOST:PORT");
      }
      String username = one.text("username").orElse(GIT_USER);
      if (username.contains(":")) {
        one.fault("username", "can't hold a ':'");
      }
      Optional<Path> token = one.path("token-file", files());
      if (token.isEmpty()) {
        one.fault("token-file", "is missing; it names the file with the token");
      } else if (token.get().startsWith(files().getPath(root))) {
        one.fault("token-file", token.get() + " must lie outside the workspace root " + root);
      }
      token.ifPresent(file -> credentials.add(new GitCredential(host, username, file)));
      one.end();
    }
    git.end();
    return credentials;
  }

  static <E extends Enum<E>> Map<String, E> byName(E[] values) {
    Map<String, E> names = new LinkedHashMap<>();
    for (E value : values) {
      names.put(value.name().toLowerCase(Locale.ROOT).replace('_', '-'), value);
    }
    return names;
  }

  private static Optional<Listen> listen(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1 || !text.substring(colon + 1).matches("[0-9]{1,5}")) {
      return Optional.empty();
    }
    String host = text.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    if (bracketed) {
      host = host.substring(1, host.length() - 1);
    }
    int port = Integer.parseInt(text.substring(colon + 1));
    return port > 65_535 || host.contains(":") != bracketed || host.isBlank()
        ? Optional.empty()
        : Optional.of(new Listen(host, port));
  }

  private static List<String> digests(Section harness) {
    List<String> digests =
        harness.texts("token-sha256").stream().map(text -> text.toLowerCase(Locale.ROOT)).toList();
    for (String digest : digests) {
      if (!digest.matches("[0-9a-f]{64}")) {
        harness.fault(
            "token-sha256",
            "each is 64 hex digits, what `printf %s TOKEN | sha256sum` prints; one has "
                + digest.length()
                + " characters"
                + (digest.length() == 64 ? " and not all are hex digits" : ""));
      }
    }
    return digests;
  }

  private static void checkAuth(Section harness, Auth auth, Listen listen, List<String> digests) {
    switch (auth) {
      case TOKEN -> {
        if (digests.isEmpty()) {
          harness.fault(
              "token-sha256",
              "auth is token and no token is accepted; set HARNESS_TOKEN_SHA256 to what"
                  + " `printf %s TOKEN | sha256sum` prints, or on a loopback address auth: none");
        }
      }
      case NONE -> {
        if (!loopback(listen.host())) {
          harness.fault(
              "auth",
              "none is for one machine, and "
                  + listen
                  + " is no loopback address; listen on 127.0.0.1, or set auth: token");
        }
      }
    }
  }

  private static boolean loopback(String host) {
    if (host.equals("localhost")) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(host).isLoopbackAddress();
    } catch (IllegalArgumentException noLiteral) {
      return false;
    }
  }

  private Slots workspace(Section workspace) {
    Path root = workspace.path("root", files()).orElse(files().getPath("/work"));
    Map<String, String> worktrees = new LinkedHashMap<>();
    Section slots = workspace.section("slots");
    for (Map.Entry<String, String> slot : workspace.named("slots").entrySet()) {
      slots
          .absolute(slot.getKey(), slot.getValue(), files())
          .filter(worktree -> !worktree.startsWith(root) || worktree.equals(root))
          .ifPresent(
              worktree ->
                  slots.fault(
                      slot.getKey(), worktree + " must lie under the workspace root " + root));
      worktrees.put(slot.getKey(), slot.getValue());
    }
    workspace.end();
    return new Slots(root.toString(), worktrees);
  }

  private FileSystem files() {
    return surroundings.directory().getFileSystem();
  }

  /** What an Agent can write never holds the state, nor the state what an Agent can write. */
  private void checkApart(Section harness, Path state, String root) {
    Path workspace = files().getPath(root);
    if (state.startsWith(workspace) || workspace.startsWith(state)) {
      harness.fault(
          "state",
          state
              + " and the workspace root "
              + workspace
              + " must lie apart, or an Agent could read and write the state");
    }
  }

  /** The file of rights, whose own faults are told with those of the configuration. */
  private Optional<Path> authority(Section harness, String root) {
    Optional<Path> file = harness.path("authority", files());
    if (file.isPresent() && file.get().startsWith(files().getPath(root))) {
      harness.fault(
          "authority",
          file.get()
              + " must lie outside the workspace root "
              + root
              + ", or an Agent could grant itself what it likes");
    } else if (file.isPresent()) {
      Grants.faults(file.get()).forEach(fault -> harness.fault("authority", fault));
    }
    return file;
  }

  private ToolHosting toolHost(Section harness, String root) {
    String text = harness.text("tool-host").orElse(IN_PROCESS);
    if (text.equals(IN_PROCESS)) {
      return new ToolHosting.InProcess();
    }
    if (text.equals(NO_HOST)) {
      return new ToolHosting.None();
    }
    if (!text.startsWith(UNIX)) {
      harness.fault(
          "tool-host",
          "must be in-process, none, or unix: and the path of a runner's socket, like"
              + " unix:/run/harness/runner.sock; got '"
              + text
              + "'");
      return new ToolHosting.InProcess();
    }
    Optional<Path> socket = harness.absolute("tool-host", text.substring(UNIX.length()), files());
    if (socket.isPresent() && socket.get().startsWith(files().getPath(root))) {
      harness.fault(
          "tool-host",
          socket.get()
              + " must lie outside the workspace root "
              + root
              + ", or an Agent could put another in its place");
    }
    return socket.<ToolHosting>map(ToolHosting.Runner::new).orElseGet(ToolHosting.InProcess::new);
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
