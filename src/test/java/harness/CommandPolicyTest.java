package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import harness.agent.Access;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.author.Actor;
import harness.cli.Configuration;
import harness.cli.ConfigurationReader;
import harness.cli.Surroundings;
import harness.tool.Commands;
import harness.tool.Mode;
import harness.tool.Progress;
import harness.tool.Seen;
import harness.tool.ToolCall;
import harness.tool.ToolHost;
import harness.tool.ToolResult;
import harness.tool.WorkingTools;
import harness.workspace.Handles;
import harness.workspace.command.Sandboxes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether commands run, by configuration and machine. */
class CommandPolicyTest {
  private static final String NO_KEY = "";
  private static final String KEY_FILE = ", api-key-file: %s/keys/lab";
  private static final String KEY_VARIABLE = ", api-key-env: LC_PROVIDER";

  @TempDir Path temporary;
  private Path base;

  @BeforeEach
  void make() throws IOException {
    base = temporary.toRealPath();
    Files.createDirectories(base.resolve("work"));
    Files.createDirectories(base.resolve("state"));
    Files.writeString(base.resolve("state/harness.db"), "sk-secret");
    Files.createDirectories(base.resolve("keys/..data"));
    Files.writeString(base.resolve("keys/..data/lab"), "sk-secret");
    Files.createSymbolicLink(base.resolve("keys/lab"), Path.of("..data/lab"));
  }

  private Configuration configuration(String sandbox, String key) {
    return new ConfigurationReader(new Surroundings(Map.of(), base))
        .parse(
            """
            harness:
              listen: 127.0.0.1:0
              auth: none
              sandbox: %s
              state: %s/state
              workspace: { root: %s/work }
              providers:
                - { id: lab, api: openai-chat, base-url: "http://127.0.0.1:9", models: { m: {} }%s }
            """
                .formatted(sandbox, base, base, key.formatted(base)),
            "of the test",
            Map.of());
  }

  private Commands commands(Configuration configuration, String path) {
    Map<String, String> environment =
        new HashMap<>(Map.of("PATH", path, "LC_PROVIDER", "sk-secret", "LC_ALL", "C.UTF-8"));
    return new CommandPolicy(
            environment, Handles.system(new Random()), InstantSource.system(), new Random())
        .beside(configuration);
  }

  /** A path with the usual programs, but no sandbox. */
  private String withoutSandbox() throws IOException {
    Path programs = Files.createDirectories(base.resolve("programs"));
    for (String name : List.of("bash", "sh", "cat", "env")) {
      for (String directory : List.of("/usr/bin", "/bin")) {
        Path program = Path.of(directory, name);
        if (Files.exists(program) && !Files.exists(programs.resolve(name))) {
          Files.createSymbolicLink(programs.resolve(name), program);
        }
      }
    }
    return programs.toString();
  }

  private ToolResult shell(Configuration configuration, String path, String line) {
    String root = configuration.workspace().root();
    try (Commands commands = commands(configuration, path);
        ToolHost host =
            WorkingTools.inProcess(
                Handles.system(new Random()), root, InstantSource.system(), commands)) {
      return host.call(
          new ToolCall(
              "c-1-0",
              "shell",
              JsonNodeFactory.instance.objectNode().put("command", line),
              root,
              Access.WRITE,
              Mode.DIRECT,
              new Instance("coder", InstanceId.parse("run/coder")),
              new Actor.Agent("coder", Optional.empty()),
              Seen.NOTHING),
          Progress.NONE);
    }
  }

  private String refusedStart(Configuration configuration, String path) {
    return String.valueOf(
        assertThrows(IllegalStateException.class, () -> commands(configuration, path))
            .getMessage());
  }

  @Test
  void requiredWithoutASandboxDoesNotStartAndSaysWhy() throws IOException {
    Configuration configuration = configuration("required", NO_KEY);
    String path = withoutSandbox();
    String message = refusedStart(configuration, path);
    assertTrue(
        message.startsWith("harness.sandbox is required and does not work here: there is no bwrap"),
        message);
    assertTrue(message.contains("install bubblewrap"), message);
  }

  @Test
  void requiredWithASandboxThatFailsDoesNotStartAndSaysWhatItSaid() throws IOException {
    String path = withoutSandbox();
    Path broken = Path.of(path, "bwrap");
    Files.writeString(
        broken, "#!/bin/sh\necho 'bwrap: No permissions to create new namespace'\nexit 1\n");
    assertTrue(broken.toFile().setExecutable(true));
    Configuration configuration = configuration("required", NO_KEY);
    String message = refusedStart(configuration, path);
    assertTrue(message.contains("bwrap: No permissions to create new namespace"), message);
    assertTrue(shell(configuration("auto", KEY_VARIABLE), path, "true").error());
  }

  @Test
  void autoWithoutASandboxRefusesCommandsBesideAKeyAndSaysHowToChangeThat() throws IOException {
    for (String key : List.of(KEY_FILE, KEY_VARIABLE)) {
      ToolResult result = shell(configuration("auto", key), withoutSandbox(), "echo ran");
      assertTrue(result.error());
      assertTrue(result.text().startsWith("shell is refused: this Harness holds a provider's key"));
      assertTrue(result.text().contains("write 'sandbox: off'"), result.text());
    }
  }

  @Test
  void autoWithoutASandboxRunsCommandsWhereThereIsNoKey() throws IOException {
    ToolResult result = shell(configuration("auto", NO_KEY), withoutSandbox(), "echo ran");
    assertEquals("ran\n[exit code 0]", result.text());
  }

  @Test
  void offRunsCommandsBesideAKeyAndHandsOnNoneByTheEnvironment() throws IOException {
    ToolResult result =
        shell(configuration("off", KEY_VARIABLE), withoutSandbox(), "echo ran; env");
    assertTrue(result.text().startsWith("ran\n"), result.text());
    assertFalse(result.text().contains("sk-secret"), result.text());
  }

  @Test
  void aSandboxHidesTheStateAndEveryKey() throws Exception {
    Sandboxes.bubblewrap(Map.of(), List.of());
    ToolResult result =
        shell(
            configuration("required", KEY_FILE),
            System.getenv("PATH"),
            "cat %s/state/* %s/keys/lab %s/keys/..data/*; echo ran".formatted(base, base, base));
    assertFalse(result.text().contains("sk-secret"), result.text());
    assertTrue(result.text().endsWith("ran\n[exit code 0]"), result.text());
  }
}
