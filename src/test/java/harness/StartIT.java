package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The built program says why it can't start, and is told by its exit code. */
@Timeout(120)
class StartIT {
  private static final String SCRIPT = "models: { m: [ { steps: [ { text: Done. } ] } ] }\n";

  @TempDir Path directory;

  @Test
  void aSecondProcessOnTheSameStateIsRefusedAndTheFirstGoesOn() throws Exception {
    Site site = Site.make(directory, SCRIPT);
    try (Child first = Child.start(site.configuration());
        Caller caller = new Caller(first.listens())) {
      try (Child second = Child.start(site.configuration())) {
        assertRefused(second, 1, site.state().toString(), "process " + first.pid());
      }
      Path link = Files.createSymbolicLink(site.directory().resolve("other"), site.state());
      String text = Files.readString(site.configuration());
      Path other = site.directory().resolve("other.yaml");
      Files.writeString(other, text.replace(site.state().toString(), link.toString()));
      try (Child third = Child.start(other)) {
        assertRefused(third, 1, site.state().toString(), "process " + first.pid());
      }
      Caller.Answer answer = caller.admit(Caller.turn("run-1", true, "m", "go"), "key");
      assertEquals(200, answer.status(), answer::body);
    }
  }

  @Test
  void aPortThatIsTakenIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      String listen = "127.0.0.1:" + taken.getLocalPort();
      Site site = Site.make(directory, SCRIPT);
      try (Child child = Child.start(site.configuration("taken.yaml", listen))) {
        assertRefused(child, 1, listen);
      }
    }
  }

  @Test
  void allFaultsOfAConfigurationAreToldAtOnce() throws Exception {
    Path file = directory.resolve("wrong.yaml");
    Files.writeString(
        file,
        """
        harness:
          listen: 0.0.0.0:0
          auth: none
          sate: /nowhere
          workspace: { root: relative }
          limits: { queue: 0, drain: soon }
          providers: [ { id: lab, api: telepathy } ]
        """);
    try (Child child = Child.start(file)) {
      assertRefused(
          child, 2, "0.0.0.0", "sate", "state", "relative", "queue", "drain", "telepathy");
    }
  }

  @Test
  void aConfigurationThatIsNotThereIsNamed() throws Exception {
    Path file = directory.resolve("none.yaml");
    try (Child child = Child.start(file)) {
      assertRefused(child, 2, file.toString());
    }
  }

  private static void assertRefused(Child child, int code, String... words) throws Exception {
    int exit = child.awaitExit();
    String said = child.err().whole();
    assertNotEquals(0, exit);
    assertEquals(code, exit, said);
    List.of(words)
        .forEach(word -> assertTrue(said.contains(word), () -> word + " not in: " + said));
    assertTrue(!said.contains("\tat "), () -> "a trace is no message: " + said);
  }
}
