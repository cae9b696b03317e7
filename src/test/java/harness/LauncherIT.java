package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The built program, as users start it. */
class LauncherIT {
  private static final Path PROGRAM =
      Path.of(Objects.requireNonNull(System.getProperty("harness.program")));

  @TempDir Path directory;

  private record Ended(int code, String output) {}

  private Ended run(Path program, String javaHome, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", javaHome);
    builder.environment().put("LC_ALL", "POSIX");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output);
  }

  @Test
  void startsThroughLinksFromAnyDirectoryWhateverJavaHomeSays() throws Exception {
    Path spaced = Files.createDirectory(directory.resolve("a b"));
    Files.createSymbolicLink(spaced.resolve("first"), PROGRAM);
    Path link = Files.createSymbolicLink(spaced.resolve("second"), Path.of("first"));

    Ended ended = run(link, "/nonexistent", "--version");

    assertEquals(0, ended.code(), ended::output);
    assertTrue(ended.output().startsWith("harness "), ended::output);
  }

  @Test
  void argumentsAndNamesOutsideAsciiArriveWhole() throws Exception {
    Ended ended = run(PROGRAM, "", "serve", "--config", "an ünknown file.yaml");

    assertEquals(2, ended.code(), ended::output);
    assertTrue(ended.output().contains("/an ünknown file.yaml is not there"), ended::output);
  }

  @Test
  void noProcessOfItsUserCanLookIntoTheServer() throws Exception {
    Site site = Site.make(directory, "models: { m: [ { steps: [ { text: Done. } ] } ] }");
    try (Child child = Child.start(site.configuration())) {
      child.listens();
      Path process = Path.of("/proc/" + child.pid());
      Assumptions.assumeTrue(Files.exists(process), "there is no /proc");
      String flags =
          Arrays.stream(Files.readString(process.resolve("cmdline")).split("\0"))
              .filter(argument -> argument.startsWith("@"))
              .findFirst()
              .orElseThrow();
      assertTrue(
          Files.readString(Path.of(flags.substring(1))).contains("-XX:+DisableAttachMechanism"));
      Assumptions.assumeFalse(
          System.getProperty("user.name").equals("root"), "root looks into every process");
      assertThrows(IOException.class, () -> Files.readAllBytes(process.resolve("environ")));
    }
  }

  @Test
  void theDemoEndsWithZero() throws Exception {
    Ended ended = run(PROGRAM, "", "demo");

    assertEquals(0, ended.code(), ended::output);
    assertTrue(ended.output().contains("each file is in the worktree"), ended::output);
  }
}
