package harness.workspace.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What other processes of the same user, who is not root, see of one that hides. */
@Timeout(60)
class OwnProcessTest {
  private static final String NOBODY = "65534";

  @TempDir Path directory;
  private final List<String> unprivileged = new ArrayList<>();

  @BeforeEach
  void giveUpPrivileges() throws Exception {
    if (System.getProperty("user.name").equals("root")) {
      unprivileged.addAll(
          List.of("setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"));
      Assumptions.assumeTrue(
          CommandRunner.find("setpriv", System.getenv("PATH")).isPresent(),
          "root sees everything, and there is no setpriv to become somebody else");
    }
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (Class<?> type : List.of(OwnProcess.class, HiddenProbe.class)) {
      copy(Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()));
    }
  }

  private void copy(Path classes) throws IOException {
    try (Stream<Path> files = Files.walk(classes.resolve("harness/workspace"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path to = directory.resolve(classes.relativize(file).toString());
        Files.createDirectories(to.getParent());
        Files.copy(file, to);
      }
    }
  }

  private Process start(String... words) throws IOException {
    List<String> all = new ArrayList<>(unprivileged);
    all.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true);
    builder.environment().put("PROVIDER_KEY", "sk-secret");
    return builder.start();
  }

  /** What an unprivileged shell says of the environment and the memory of such a process. */
  private String seen(String how) throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin/java");
    Process probe =
        start(
            java.toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            directory.toString(),
            HiddenProbe.class.getName(),
            how);
    try {
      String said = probe.inputReader().readLine();
      Assumptions.assumeTrue("ready".equals(said), "no other user can run this Java: " + said);
      Process reader =
          start(
              "sh",
              "-c",
              "cd /proc/PID; grep -c sk-secret environ; (exec 3<mem) && echo memory; ls fd >/dev/null && echo files"
                  .replace("PID", Long.toString(probe.pid())));
      return new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      probe.destroyForcibly();
    }
  }

  @Test
  void itsEnvironmentAndItsMemoryCanNotBeRead() throws Exception {
    assertEquals("1\nmemory\nfiles\n", seen("show"), "what one that does not hide shows");
    String hidden = seen("hide");
    assertEquals(3, hidden.split("ermission denied", -1).length - 1, hidden);
    assertEquals(-1, hidden.indexOf("sk-secret"), hidden);
    assertEquals(-1, hidden.indexOf("memory\n"), hidden);
  }
}
