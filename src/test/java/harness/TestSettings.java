package harness;

import harness.agent.ThinkingLevel;
import harness.cli.Configuration;
import harness.log.LogFormat;
import harness.model.provider.ModelConfig;
import harness.model.provider.ProviderConfig;
import harness.model.scripted.Script;
import harness.workspace.Slots;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How a {@link TestHarness} is set up.
 *
 * @param directory an existing directory of the test, absolute
 * @param tokens what callers show; none lets everyone in
 * @param slots by name, where in the workspace their worktrees are; the directories are made
 * @param queue Submissions that wait on one conversation
 * @param queueTotal Submissions of the process
 * @param freeAfter how long a conversation must be untouched to be freed
 * @param authority the file of rights
 */
public record TestSettings(
    Path directory,
    List<String> tokens,
    Map<String, String> slots,
    int queue,
    int queueTotal,
    Duration freeAfter,
    Optional<Path> authority) {
  private static final int QUEUE = 64;
  private static final int QUEUE_TOTAL = 4096;

  /** No token, no slot, and the bounds that a Harness has by default. */
  public static TestSettings in(Path directory) {
    return new TestSettings(
        directory,
        List.of(),
        Map.of(),
        QUEUE,
        QUEUE_TOTAL,
        Duration.ofMinutes(5),
        Optional.empty());
  }

  public TestSettings tokens(String... accepted) {
    return new TestSettings(
        directory, List.of(accepted), slots, queue, queueTotal, freeAfter, authority);
  }

  public TestSettings slots(Map<String, String> named) {
    return new TestSettings(directory, tokens, named, queue, queueTotal, freeAfter, authority);
  }

  public TestSettings queues(int ofOne, int total) {
    return new TestSettings(directory, tokens, slots, ofOne, total, freeAfter, authority);
  }

  public TestSettings freeAfter(Duration untouched) {
    return new TestSettings(directory, tokens, slots, queue, queueTotal, untouched, authority);
  }

  public TestSettings authority(Path file) {
    return new TestSettings(
        directory, tokens, slots, queue, queueTotal, freeAfter, Optional.of(file));
  }

  /** Starts the real program. */
  public TestHarness start() throws Exception {
    return new TestHarness(directory, configuration(), RunningHarness::start);
  }

  /** Starts a server over parts of the test's own, whose models follow a script of its own. */
  public TestHarness start(TestParts parts, Script script) throws Exception {
    return new TestHarness(
        directory,
        configuration(List.of(new ProviderConfig.Scripted("test", script, Map.of()))),
        parts::serve);
  }

  /** Starts the real program over providers of the test's own. */
  public TestHarness start(List<ProviderConfig> providers) throws Exception {
    return new TestHarness(directory, configuration(providers), RunningHarness::start);
  }

  /** Starts the real program without a workspace. */
  public TestHarness startWithoutWorkspace() throws Exception {
    Configuration usual = configuration();
    return new TestHarness(
        directory,
        configuration(usual, new Configuration.ToolHosting.None(), usual.providers()),
        RunningHarness::start);
  }

  private Configuration configuration(List<ProviderConfig> providers) throws Exception {
    Configuration usual = configuration();
    return configuration(usual, usual.toolHost(), providers);
  }

  private static Configuration configuration(
      Configuration usual, Configuration.ToolHosting toolHost, List<ProviderConfig> providers) {
    return new Configuration(
        usual.listen(),
        usual.auth(),
        usual.tokenDigests(),
        usual.state(),
        usual.workspace(),
        toolHost,
        usual.sandbox(),
        usual.sandboxNetwork(),
        usual.limits(),
        usual.authority(),
        providers,
        usual.log(),
        usual.git());
  }

  /** Starts a server over parts of the test's own. */
  public TestHarness start(TestParts parts) throws Exception {
    return new TestHarness(directory, configuration(), parts::serve);
  }

  /** What these settings are as a configuration; makes the directories that it names. */
  public Configuration configuration() throws Exception {
    Path root = Files.createDirectories(directory.resolve("work"));
    Slots worktrees =
        new Slots(
            root.toString(),
            slots.entrySet().stream()
                .collect(
                    Collectors.toMap(
                        Map.Entry::getKey, slot -> root.resolve(slot.getValue()).toString())));
    for (String worktree : worktrees.worktrees().values()) {
      Files.createDirectories(Path.of(worktree));
    }
    ModelConfig low =
        new ModelConfig(
            OptionalInt.empty(), OptionalInt.empty(), Optional.of(Set.of(ThinkingLevel.LOW)));
    return new Configuration(
        new Configuration.Listen("127.0.0.1", 0),
        tokens.isEmpty() ? Configuration.Auth.NONE : Configuration.Auth.TOKEN,
        tokens.stream().map(TestSettings::digest).toList(),
        directory.resolve("state"),
        worktrees,
        new Configuration.ToolHosting.InProcess(),
        Configuration.Sandbox.AUTO,
        false,
        new Configuration.Limits(
            16,
            queue,
            queueTotal,
            256,
            4,
            2,
            1,
            freeAfter,
            Duration.ofMinutes(10),
            Duration.ofDays(1),
            OptionalLong.empty()),
        authority,
        List.of(
            new ProviderConfig.Scripted("test", TestScript.in(directory), Map.of("narrow", low))),
        LogFormat.OFF,
        new Configuration.Git(root.resolve(".harness-mirrors"), List.of()));
  }

  private static String digest(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
