package harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.common.jimfs.Jimfs;
import harness.agent.ThinkingLevel;
import harness.cli.Configuration.Auth;
import harness.cli.Configuration.Listen;
import harness.model.http.Api;
import harness.model.http.GuardPolicy;
import harness.model.http.HttpProvider;
import harness.model.http.KeySource;
import harness.model.http.ModelLimits;
import harness.model.http.RetryPolicy;
import harness.model.provider.ModelConfig;
import harness.model.provider.Price;
import harness.model.provider.ProviderConfig;
import harness.workspace.attach.GitCredential;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConfigurationReaderTest {
  private static final String DIGEST = "0123456789abcdef".repeat(4);
  private static final String WHOLE =
      """
      harness:
        listen: 127.0.0.1:8081
        auth: token
        token-sha256: [ %s ]
        state: /var/lib/other
        workspace:
          root: /work
          slots: { target: /work/target/feature-x }
        tool-host: in-process
        sandbox: auto
        limits: { live-turns: 3, queue: 5, queue-total: 7, steps: 11, identical-calls: 13, nudges: 17, rerolls: 19, free-after: 500ms, drain: 10s, answer: 90m, command-memory: 3Gi }
        providers:
          - { id: demo, api: scripted, script: /etc/harness/script.yaml, models: { big: { context-window: 262144 } } }
      """
          .formatted(DIGEST);

  private final FileSystem files =
      Jimfs.newFileSystem(com.google.common.jimfs.Configuration.unix());
  private final Path directory = files.getPath("/home/me");

  @BeforeEach
  void writeScripts() throws IOException {
    Files.createDirectories(files.getPath("/etc/harness"));
    for (String name : List.of("script", "other")) {
      Files.writeString(
          files.getPath("/etc/harness/" + name + ".yaml"),
          "models: { big: [ { steps: [ { text: hi } ] } ] }");
    }
  }

  private Configuration read(String yaml, Map<String, String> flags, Map<String, String> env) {
    return new ConfigurationReader(new Surroundings(env, directory))
        .parse(yaml, "test.yaml", flags);
  }

  private Configuration read(String yaml) {
    return read(yaml, Map.of(), Map.of());
  }

  private List<String> faults(String yaml, Map<String, String> env) {
    return assertThrows(ConfigurationException.class, () -> read(yaml, Map.of(), env)).faults();
  }

  /** The only fault of an otherwise good configuration with these lines. */
  private String fault(String lines) {
    List<String> faults =
        faults("harness:\n" + lines.indent(2), Map.of("HARNESS_TOKEN_SHA256", DIGEST));
    assertEquals(1, faults.size(), faults::toString);
    return faults.getFirst();
  }

  private static void assertContains(String text, String... parts) {
    for (String part : parts) {
      assertTrue(text.contains(part), () -> "'" + part + "' is not in: " + text);
    }
  }

  @Test
  void readsEachKey() {
    Configuration all = read(WHOLE);
    assertEquals(new Listen("127.0.0.1", 8081), all.listen());
    assertEquals(Auth.TOKEN, all.auth());
    assertEquals(List.of(DIGEST), all.tokenDigests());
    assertEquals(files.getPath("/var/lib/other"), all.state());
    assertEquals("/work", all.workspace().root());
    assertEquals(Map.of("target", "/work/target/feature-x"), all.workspace().worktrees());
    assertEquals(
        new Configuration.Limits(
            3,
            5,
            7,
            11,
            13,
            17,
            19,
            Duration.ofMillis(500),
            Duration.ofSeconds(10),
            Duration.ofMinutes(90),
            OptionalLong.of(3L << 30)),
        all.limits());
    assertEquals(
        List.of(
            new ProviderConfig.Scripted(
                "demo",
                all.providers().getFirst() instanceof ProviderConfig.Scripted demo
                    ? demo.script()
                    : fail(),
                Map.of(
                    "big",
                    new ModelConfig(
                        OptionalInt.of(262144), OptionalInt.empty(), Optional.empty())))),
        all.providers());
  }

  @Test
  void aCredentialOfGitIsAFileOutsideTheWorkspaceAndAllThatIsWrongIsTold() {
    Configuration.Git git =
        read("""
                harness:
                  token-sha256: %s
                  workspace: { root: /work, mirrors: /var/lib/mirrors }
                  git:
                    credentials:
                      - { host: git.example.com, token-file: /keys/git }
                      - { host: "Other:8443", username: ada, token-file: /keys/other }
                """
                .formatted(DIGEST))
            .git();
    assertEquals(
        new Configuration.Git(
            files.getPath("/var/lib/mirrors"),
            List.of(
                new GitCredential("git.example.com", "x-access-token", files.getPath("/keys/git")),
                new GitCredential("other:8443", "ada", files.getPath("/keys/other")))),
        git);
    String told =
        String.join(
            "\n",
            faults(
                """
                harness:
                  token-sha256: %s
                  workspace: { root: /work }
                  git:
                    credentials:
                      - { host: "no host", token-file: /work/key, more: 1 }
                      - { host: git.example.com }
                """
                    .formatted(DIGEST),
                Map.of()));
    assertContains(
        told, "no host", "must lie outside the workspace root", "more", "token-file: is missing");
  }

  @Test
  void defaultsAreThoseOfTheContract() {
    Configuration all = read("harness: { token-sha256: [ " + DIGEST + " ] }");
    assertEquals("127.0.0.1:8080", all.listen().toString());
    assertEquals(Auth.TOKEN, all.auth());
    assertEquals("/var/lib/harness", all.state().toString());
    assertEquals("/work", all.workspace().root());
    assertEquals(Map.of(), all.workspace().worktrees());
    assertEquals(
        new Configuration.Limits(
            16,
            64,
            4096,
            256,
            4,
            2,
            1,
            Duration.ofMinutes(5),
            Duration.ofMinutes(10),
            Duration.ofDays(1),
            OptionalLong.empty()),
        all.limits());
  }

  @Test
  void theEnvironmentIsOverTheFileAndFlagsAreOverTheEnvironment() {
    Map<String, String> env =
        Map.of(
            "HARNESS_LISTEN", "127.0.0.1:1",
            "HARNESS_STATE", "/other/state",
            "HARNESS_LIMITS_DRAIN", "3m",
            "HARNESS_LIMITS_LIVE_TURNS", "99",
            "HARNESS_WORKSPACE_ROOT", "/pods",
            "HARNESS_WORKSPACE_SLOTS", "a=/pods/a/x, b=/pods/b/y",
            "HARNESS_TOKEN_SHA256", DIGEST + "," + DIGEST.replace('0', 'F'),
            "HARNESS_PROVIDERS_DEMO_SCRIPT", "/etc/harness/other.yaml");
    Configuration all = read(WHOLE, Map.of("--listen", "[::1]:0"), env);
    assertEquals(new Listen("::1", 0), all.listen());
    assertEquals("/other/state", all.state().toString());
    assertEquals(Duration.ofMinutes(3), all.limits().drain());
    assertEquals(99, all.limits().liveTurns());
    assertEquals(Map.of("a", "/pods/a/x", "b", "/pods/b/y"), all.workspace().worktrees());
    assertEquals(List.of(DIGEST, DIGEST.replace('0', 'f')), all.tokenDigests());
  }

  @Test
  void pathsOfFlagsMayBeRelativeToTheWorkingDirectory() {
    Configuration all =
        read(
            "",
            Map.of("--state", "state", "--workspace", "../work"),
            Map.of("HARNESS_AUTH", "none"));
    assertEquals("/home/me/state", all.state().toString());
    assertEquals("/home/work", all.workspace().root());
  }

  @Test
  void allFaultsAreToldAtOnce() {
    List<String> faults =
        faults(
            """
            harness:
              lisen: 127.0.0.1:1
              state: here
              limits: { drain: ten, queue: 0, nudge: 1 }
              workspace: { root: /work, slots: { target: /elsewhere/x } }
            more: {}
            """,
            Map.of("HARNESS_LIMITS_STEPS", "-1"));
    String all = String.join("\n", faults);
    assertEquals(9, faults.size(), all);
    assertContains(
        all,
        "lisen: is no key of the configuration; did you mean 'listen'?",
        "more: is no key of the configuration; did you mean 'harness'?",
        "limits.nudge: is no key of the configuration; did you mean 'nudges'?",
        "limits.drain must be a duration like 500ms, 10s or 5m, from 0s to 30d; got 'ten'",
        "limits.queue must be a whole number from 1",
        "limits.steps (HARNESS_LIMITS_STEPS) must be a whole number",
        "state: must be an absolute path without '..'; got 'here'",
        "workspace.slots.target: /elsewhere/x must lie under the workspace root /work",
        "HARNESS_TOKEN_SHA256");
  }

  @Test
  void tokensWithoutDigestsNameTheVariable() {
    assertContains(faults("", Map.of()).getFirst(), "HARNESS_TOKEN_SHA256", "sha256sum");
  }

  @Test
  void aDigestMayBeTheLineThatSha256sumPrints() {
    for (String line : List.of(DIGEST + "  -", DIGEST + " *-", DIGEST + "  -\n")) {
      Map<String, String> env = Map.of("HARNESS_TOKEN_SHA256", line + "," + DIGEST);
      assertEquals(List.of(DIGEST, DIGEST), read("", Map.of(), env).tokenDigests());
    }
    assertEquals(
        List.of(DIGEST), read("harness: { token-sha256: [ " + DIGEST + "  - ] }").tokenDigests());
    assertEquals(1, faults("", Map.of("HARNESS_TOKEN_SHA256", DIGEST + "-")).size());
  }

  @Test
  void aDigestIsSixtyFourHexDigitsAndIsNotShown() {
    String fault = faults("harness: { token-sha256: [ my-token ] }", Map.of()).getFirst();
    assertContains(fault, "64 hex digits");
    assertTrue(!fault.contains("my-token"), fault);
  }

  @Test
  void noAuthIsForLoopbackAlone() {
    assertContains(fault("auth: none\nlisten: 0.0.0.0:80"), "0.0.0.0:80", "loopback");
    assertContains(fault("auth: none\nlisten: harness.example:80"), "loopback");
    assertContains(fault("auth: none\nlisten: \"[::]:80\""), "loopback");
    for (String host : List.of("127.0.0.1", "127.9.9.9", "\"[::1]", "localhost")) {
      read(
          "harness: { auth: none, listen: "
              + host
              + ":80"
              + (host.startsWith("\"") ? "\"" : "")
              + " }");
    }
  }

  @Test
  void aFileOfRightsIsReadAtStartAndItsFaultsAreThoseOfTheConfiguration() throws IOException {
    assertContains(fault("authority: /etc/harness/none.yaml"), "/etc/harness/none.yaml", "read");
    assertContains(fault("authority: authority.yaml"), "absolute path");
    assertContains(fault("authority: /work/authority.yaml"), "outside the workspace root /work");
    Path file = files.getPath("/etc/harness/authority.yaml");
    Files.writeString(file, "grants: [ { to: \"user:a\", on: \"**\", may: [ turn.star ] } ]");
    assertContains(fault("authority: " + file), "grants.1.may", "turn.start");
    Files.writeString(file, "grants: [ { to: \"user:a\", on: \"**\", may: [ turn.start ] } ]");
    assertEquals(
        Optional.of(file), read("harness: { auth: none, authority: " + file + " }").authority());
    assertEquals(Optional.empty(), read("harness: { auth: none }").authority());
  }

  @Test
  void aToolHostIsThisProcessNoneOrARunnersSocketOutsideTheWorkspace() {
    Configuration read = read("harness: { auth: none, tool-host: \"unix:/run/h/runner.sock\" }");
    assertEquals(
        "Runner[socket=/run/h/runner.sock, seat=Optional.empty]", read.toolHost().toString());
    String runner = "tool-host: \"unix:/run/h/runner.sock\"";
    assertEquals(
        "Runner[socket=/run/h/runner.sock, seat=Optional[Seat[cpus=2, memoryMib=512]]]",
        read("harness: { auth: none, " + runner + ", seat: { cpus: 2, memory-mib: 512 } }")
            .toolHost()
            .toString());
    assertContains(fault("seat: { cpus: 2, memory-mib: 512 }"), "seat: is of a runner's container");
    assertContains(fault("seat: { cpus: 2 }"), "seat.memory-mib: is missing");
    assertContains(fault("seat: { cpus: 0 }"), "seat.cpus must be a whole number");
    assertEquals("None[]", read("harness: { auth: none, tool-host: none }").toolHost().toString());
    assertContains(
        fault("tool-host: runner"), "in-process", "none", "unix:/run/harness/runner.sock");
    assertContains(fault("tool-host: unix:runner.sock"), "absolute path");
    assertContains(fault("tool-host: unix:/run/../runner.sock"), "absolute path");
    assertContains(fault("tool-host: unix:/work/runner.sock"), "outside the workspace root /work");
  }

  @Test
  void theStateLiesApartFromTheWorkspace() {
    assertContains(fault("state: /work/state"), "apart");
    assertContains(fault("state: /"), "apart");
  }

  @Test
  void mistypedVariablesAreTold() {
    Map<String, String> env =
        Map.of(
            "HARNESS_TOKEN_SHA265", DIGEST,
            "HARNESS_LIMITS_DRIAN", "5m",
            "HARNESS_WORKSPACE", "/work",
            "HARNESS_TOKEN_SHA256", DIGEST,
            "HARNESS_PORT_8080_TCP", "tcp://10.0.0.1:8080",
            "HARNESS_SERVICE_HOST", "10.0.0.1",
            "HARNESS_CONFIG", "/etc/harness.yaml",
            "HOME", "/root");
    List<String> faults = faults("", env);
    assertEquals(3, faults.size(), faults::toString);
    assertContains(faults.get(2), "HARNESS_WORKSPACE", "HARNESS_WORKSPACE_ROOT?");
    assertContains(faults.get(0), "HARNESS_LIMITS_DRIAN", "HARNESS_LIMITS_DRAIN?");
    assertContains(faults.get(1), "HARNESS_TOKEN_SHA265", "HARNESS_TOKEN_SHA256?");
  }

  @Test
  void aSandboxIsSwitchedOffByTheWordOff() {
    Configuration off = read("harness: { auth: none, sandbox: off }");
    assertEquals(Configuration.Sandbox.OFF, off.sandbox());
  }

  @Test
  void wrongShapesAreFaultsAndNoCrash() {
    assertContains(fault("limits: 7"), "limits must be a mapping");
    assertContains(fault("providers: {}"), "providers: must be a list");
    assertContains(fault("listen: [ 1 ]"), "listen: must be text");
    assertContains(fault("state: \"/a\\0b\""), "state: is no path");
    assertContains(fault("workspace: { slots: { a: x } }"), "workspace.slots.a", "absolute");
    assertContains(fault("workspace: { slots: { a: /work } }"), "workspace.slots.a", "under");
    assertContains(fault("workspace: { root: /work/../x }"), "workspace.root", "'..'");
    assertContains(fault("listen: 127.0.0.1"), "HOST:PORT");
    assertContains(fault("sandbox: maybe"), "auto, off, required");
    assertContains(fault("limits: { steps: 99999999999999 }"), "steps");
    assertContains(faults("harness: [", Map.of()).getFirst(), "test.yaml", "line");
    assertContains(faults("harness: { auth: none, auth: none }", Map.of()).getFirst(), "Duplicate");
    assertContains(faults("just text", Map.of()).getFirst(), "mapping");
  }

  @Test
  void providersAreChecked() {
    assertContains(
        fault("providers: [ { id: lab, api: scripted } ]"), "providers.lab.script: a scripted");
    assertContains(
        fault("providers: [ { id: lab, api: scripted, script: /none.yaml } ]"),
        "providers.lab.script",
        "/none.yaml");
    assertContains(fault("providers: [ { id: lab, api: soap } ]"), "providers.lab.api", "scripted");
    assertContains(
        fault("providers: [ { id: lab, api: openai-chat, models: { a: {} } } ]"),
        "providers.lab.base-url");
    assertContains(
        fault("providers: [ { id: lab, api: openai-chat, base-url: \"http://a/v1\" } ]"),
        "providers.lab.models: needs at least one");
    assertContains(
        fault(
            "providers: [ { id: lab, api: openai-chat, base-url: \"http://u:p@a/v1\", models: { a:"
                + " {} } } ]"),
        "'base-url' has no user");
    assertContains(
        fault(
            "providers: [ { id: lab, api: openai-chat, base-url: \"http://a/v1\", models: { a: {}"
                + " }, api-key-file: /k, api-key-env: K } ]"),
        "keep one of them");
    assertContains(
        fault("providers: [ { id: lab, api: anthropic } ]"),
        "must be one of openai-chat, openai-responses, anthropic-messages, scripted");
    assertContains(
        fault(
            "providers: [ { id: lab, api: scripted, script: /etc/harness/script.yaml, models: {"
                + " big: { max-token: 1 } } } ]"),
        "providers.lab.models.big.max-token",
        "'max-tokens'");
    assertContains(
        fault(
            "providers: [ { id: lab, api: scripted, script: /etc/harness/script.yaml, models: {"
                + " other: {} } } ]"),
        "no model 'other'");
    assertContains(
        fault(
            "providers: [ { id: a, api: scripted, script: /etc/harness/script.yaml }, { id: a,"
                + " api: scripted, script: /etc/harness/script.yaml } ]"),
        "providers.a.id",
        "rename one");
  }

  @Test
  void anOpenAiChatProviderIsReadWhole() {
    Configuration all =
        read(
            """
            harness:
              auth: none
              providers:
                - id: lab
                  api: openai-chat
                  base-url: http://127.0.0.1:9999/v1
                  api-key-env: HARNESS_LAB_KEY
                  context-window: 131072
                  max-tokens: 8192
                  models: { qwen3: {}, big: { context-window: 262144, images: true, thinking-levels: [ low, high ] } }
            """,
            Map.of(),
            Map.of("HARNESS_LAB_KEY", "secret", "HARNESS_PROVIDERS_LAB_MAX_TOKENS", "99"));
    assertEquals(
        List.of(
            new ProviderConfig.Http(
                new HttpProvider.Settings(
                    "lab",
                    Api.OPENAI_CHAT,
                    URI.create("http://127.0.0.1:9999/v1"),
                    new KeySource.Environment("HARNESS_LAB_KEY"),
                    ModelLimits.DEFAULT,
                    RetryPolicy.DEFAULT),
                new ModelConfig(OptionalInt.of(131072), OptionalInt.of(99), Optional.empty()),
                Map.of(
                    "qwen3",
                    ModelConfig.DEFAULT,
                    "big",
                    new ModelConfig(
                        OptionalInt.of(262144),
                        OptionalInt.empty(),
                        Optional.of(Set.of(ThinkingLevel.LOW, ThinkingLevel.HIGH)),
                        Optional.of(true),
                        Optional.empty(),
                        Optional.empty())))),
        all.providers());
  }

  @Test
  void theSandboxHasANetworkWhereThatIsWritten() {
    assertFalse(read("harness: { auth: none }").sandboxNetwork());
    assertTrue(read("harness: { auth: none, sandbox-network: true }").sandboxNetwork());
    assertContains(fault("sandbox-network: maybe"), "must be true or false");
  }

  @Test
  void memoryIsASizeWithItsUnit() {
    assertEquals(
        OptionalLong.of(512L << 20),
        read("harness: { auth: none, limits: { command-memory: 512Mi } }")
            .limits()
            .commandMemory());
    for (String none : List.of("512", "4G", "31Mi", "-1Gi")) {
      assertContains(
          fault("limits: { command-memory: '" + none + "' }"), "a size like 512Mi or 4Gi");
    }
  }

  @Test
  void readsTheFileThatTheFlagOrTheVariableNames() throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("h.yaml"), WHOLE);
    Surroundings with = new Surroundings(Map.of("HARNESS_CONFIG", "/home/me/h.yaml"), directory);
    assertEquals(
        8081, new ConfigurationReader(with).read(Optional.empty(), Map.of()).listen().port());
    Surroundings without = new Surroundings(Map.of(), directory);
    assertEquals(
        8081,
        new ConfigurationReader(without).read(Optional.of("h.yaml"), Map.of()).listen().port());
    ConfigurationException missing =
        assertThrows(
            ConfigurationException.class,
            () -> new ConfigurationReader(without).read(Optional.of("none.yaml"), Map.of()));
    assertContains(missing.faults().getFirst(), "/home/me/none.yaml");
  }

  @Test
  void howAProviderIsWaitedForAndAskedAgainIsReadWhole() {
    Configuration all =
        read(
            """
            harness:
              auth: none
              providers:
                - id: lab
                  api: anthropic-messages
                  base-url: http://127.0.0.1:9999/v1
                  time-limits: { connect: 1s, response-headers: 2s, first-token: 3s, silence: 4s, whole-call: 5s }
                  retry: { attempts: 6, first-wait: 7ms, longest-wait: 8s, longest-retry-after: 0s }
                  breaker: { window: 9, failure-percent: 10, open: 11s }
                  rate: { attempts: 12, period: 13s }
                  concurrent-calls: 14
                  longest-wait: 15s
                  models: { big: { adaptive-thinking: true, price: { input: 2.5, cached-input: 0.0000001, output: 10 } } }
            """);
    ProviderConfig.Http lab =
        assertInstanceOf(ProviderConfig.Http.class, all.providers().getFirst());
    ModelLimits usual = ModelLimits.DEFAULT;
    assertEquals(
        new ModelLimits(
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(3),
            Duration.ofSeconds(4),
            Duration.ofSeconds(5),
            usual.maxReplyBytes(),
            usual.maxLineBytes()),
        lab.server().limits());
    assertEquals(
        new RetryPolicy(6, Duration.ofMillis(7), Duration.ofSeconds(8), Duration.ZERO),
        lab.server().retries());
    assertEquals(
        new GuardPolicy(
            14,
            9,
            10,
            Duration.ofSeconds(11),
            Optional.of(new GuardPolicy.Rate(12, Duration.ofSeconds(13))),
            Duration.ofSeconds(15)),
        lab.server().guards());
    ModelConfig big = Optional.ofNullable(lab.models().get("big")).orElseThrow();
    assertEquals(Optional.of(true), big.adaptiveThinking());
    assertEquals(
        Optional.of(new Price(new BigDecimal("2.5"), new BigDecimal("1.0E-7"), BigDecimal.TEN)),
        big.price());
  }

  @Test
  void eachWrongKeyOfAProviderIsToldWithTheNearestKnownOne() {
    List<String> faults =
        faults(
            """
            harness:
              auth: none
              providers:
                - id: lab
                  api: openai-chat
                  base-url: http://127.0.0.1:9999/v1
                  time-limits: { first-tokens: 3s, silence: 0s }
                  retry: { attempt: 6, first-wait: 2s, longest-wait: 1s }
                  breaker: { windows: 9, failure-percent: 101 }
                  rate: { attempts: 0, per: 13s }
                  concurent-calls: 14
                  models: { big: { price: { inputs: 2, output: -1 } } }
            """,
            Map.of());
    assertContains(
        String.join("\n", faults),
        "time-limits.first-tokens: is no key of the configuration; did you mean 'first-token'?",
        "lab.time-limits.silence must be a duration",
        "retry.attempt: is no key of the configuration; did you mean 'attempts'?",
        "retry.longest-wait: is below 'first-wait'",
        "breaker.windows: is no key of the configuration; did you mean 'window'?",
        "breaker.failure-percent must be a whole number from 1 to 100",
        "rate.attempts must be a whole number from 1",
        "rate.per: is no key of the configuration; did you mean 'period'?",
        "lab.concurent-calls: is no key of the configuration; did you mean 'concurrent-calls'?",
        "price.inputs: is no key of the configuration; did you mean 'input'?",
        "price.input: a price per million tokens is missing",
        "price.output must be a price per million tokens");
  }
}
