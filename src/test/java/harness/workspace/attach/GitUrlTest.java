package harness.workspace.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Where a repository is served, as a caller writes it. */
class GitUrlTest {
  @Test
  void theSchemeAndTheHostAreTheSameInAnyCaseAndThePathIsNot() {
    assertEquals(
        "https://git.example.com:8443/Team/Target.git",
        GitUrl.of("HTTPS://Git.Example.com:8443/Team/Target.git").toString());
    assertEquals("file:///srv/Git/a", GitUrl.of("FILE:///srv/Git/a").toString());
  }

  @Test
  void aPortThatIsNoneIsNamed() {
    IllegalArgumentException wrong =
        assertThrows(
            IllegalArgumentException.class, () -> GitUrl.of("http://localhost:99999/a.git"));
    assertTrue(String.valueOf(wrong.getMessage()).contains("port 99999"), wrong::toString);
  }
}
