package harness.cli;

import harness.log.LogFormat;
import harness.model.provider.ProviderConfig;
import harness.workspace.Slots;
import harness.workspace.attach.GitCredential;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Everything that a Harness is told before it starts; checked and whole.
 *
 * @param tokenDigests SHA-256 of each accepted token, 64 lower-case hex digits; empty without auth
 * @param state the absolute directory of what survives a restart; outside the workspace
 * @param workspace the workspace root and its slots, absolute and normalised
 * @param sandboxNetwork whether a command in the sandbox has the network of this process
 * @param authority the absolute file of rights, outside the workspace; without one the
 *     orchestrator's word suffices
 * @param log how conversations are printed to standard output
 */
public record Configuration(
    Listen listen,
    Auth auth,
    List<String> tokenDigests,
    Path state,
    Slots workspace,
    ToolHosting toolHost,
    Sandbox sandbox,
    boolean sandboxNetwork,
    Limits limits,
    Optional<Path> authority,
    List<ProviderConfig> providers,
    LogFormat log,
    Git git) {
  public Configuration {
    tokenDigests = List.copyOf(tokenDigests);
    providers = List.copyOf(providers);
  }

  /**
   * How repositories are attached.
   *
   * @param mirrors where this process keeps the mirrors that the workspace shows, absolute
   * @param credentials who it is to git servers
   */
  public record Git(Path mirrors, List<GitCredential> credentials) {
    public Git {
      credentials = List.copyOf(credentials);
    }
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
  public sealed interface ToolHosting {
    /** In this process. */
    record InProcess() implements ToolHosting {}

    /**
     * In a runner.
     *
     * @param socket where it listens, absolute; outside the workspace
     * @param seat what its container has, where that is said
     */
    record Runner(Path socket, Optional<Seat> seat) implements ToolHosting {}

    /** Nowhere: this Harness has no workspace, and runs what needs none. */
    record None() implements ToolHosting {}
  }

  /**
   * What commands run on.
   *
   * @param memoryMib in MiB
   */
  public record Seat(int cpus, int memoryMib) {}

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
   * @param queue Submissions that wait on one conversation
   * @param queueTotal unsettled Submissions of the process
   * @param steps replies of the model in one Turn
   * @param identicalCalls the same call in a row that ends a Turn
   * @param nudges reminders to a Turn that ends without a Pick
   * @param rerolls new starts of such a Turn
   * @param freeAfter how long a conversation is untouched before it may be freed
   * @param drain how long the end of the process waits for Turns
   * @param answer how long a Turn waits for an answer before it ends
   * @param commandMemory the most that one command's processes have in memory, in bytes; without
   *     it, half of what this process could have
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
      Duration drain,
      Duration answer,
      OptionalLong commandMemory) {}
}
