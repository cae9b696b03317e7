package harness.cli;

import harness.workspace.Slots;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Everything that a Harness is told before it starts; checked and whole.
 *
 * @param tokenDigests SHA-256 of each accepted token, 64 lower-case hex digits; empty without auth
 * @param state the absolute directory of what survives a restart; outside the workspace
 * @param workspace the workspace root and its slots, absolute and normalised
 */
public record Configuration(
    Listen listen,
    Auth auth,
    List<String> tokenDigests,
    Path state,
    Slots workspace,
    ToolHosting toolHost,
    Sandbox sandbox,
    Limits limits,
    List<Provider> providers) {
  public Configuration {
    tokenDigests = List.copyOf(tokenDigests);
    providers = List.copyOf(providers);
  }

  /**
   * Where requests are taken.
   *
   * @param port 0 takes a free one
   */
  public record Listen(String host, int port) {
    @Override
    public String toString() {
      return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
  }

  /** Who may call. */
  public enum Auth {
    /** Who knows a token. */
    TOKEN,
    /** Whoever reaches the loopback address. */
    NONE
  }

  /** Where the Working tools run. */
  public enum ToolHosting {
    IN_PROCESS
  }

  /** Whether commands run in a sandbox. */
  public enum Sandbox {
    /** Where the machine has one. */
    AUTO,
    REQUIRED,
    OFF
  }

  /**
   * The bounds of a Harness.
   *
   * @param liveTurns Turns that run at once in the process
   * @param queue unsettled Submissions of one conversation
   * @param queueTotal unsettled Submissions of the process
   * @param steps replies of the model in one Turn
   * @param identicalCalls the same call in a row that ends a Turn
   * @param nudges reminders to a Turn that ends without a Pick
   * @param rerolls new starts of such a Turn
   * @param freeAfter how long a conversation is untouched before it may be freed
   * @param drain how long the end of the process waits for Turns
   */
  public record Limits(
      int liveTurns,
      int queue,
      int queueTotal,
      int steps,
      int identicalCalls,
      int nudges,
      int rerolls,
      Duration freeAfter,
      Duration drain) {}

  /**
   * Where models are.
   *
   * @param id what callers name before the slash of a model's name
   * @param baseUrl empty for a scripted provider alone
   * @param script what a scripted provider says; empty for all others
   * @param key where the key is; empty where the provider asks for none
   * @param contextWindow tokens that a request and its reply may have together
   * @param maxTokens tokens of one reply
   */
  public record Provider(
      String id,
      Api api,
      Optional<URI> baseUrl,
      Optional<Path> script,
      Optional<KeySource> key,
      int contextWindow,
      int maxTokens,
      Map<String, ModelLimits> models) {
    public Provider {
      models = Collections.unmodifiableMap(new TreeMap<>(models));
    }
  }

  /** What one model has instead of its provider's values. */
  public record ModelLimits(int contextWindow, int maxTokens) {}

  /** The language that a provider speaks. */
  public enum Api {
    OPENAI_CHAT,
    OPENAI_RESPONSES,
    ANTHROPIC_MESSAGES,
    /** A script in a file, for demos and scenarios. */
    SCRIPTED
  }

  /** Where a provider's key is. */
  public sealed interface KeySource {
    /** A file that holds the key alone. */
    record InFile(Path path) implements KeySource {}

    /** A variable of the environment. */
    record InVariable(String name) implements KeySource {}
  }
}
