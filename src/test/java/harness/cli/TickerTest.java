package harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class TickerTest {
  private final StringWriter out = new StringWriter();

  private Ticker ticker(boolean terminal) {
    CountDownLatch never = new CountDownLatch(1);
    return new Ticker(new PrintWriter(out), terminal, _ -> never.await());
  }

  @Test
  void aSpinnerIsClearedBeforeEachLineAndAtTheEnd() throws Exception {
    try (Ticker ticker = ticker(true)) {
      ticker.tick();
      ticker.tick();
      ticker.line("one");
      ticker.line("two");
      ticker.tick();
    }
    assertEquals("\r|\r/\r \rone\ntwo\n\r-\r \r", out.toString());
  }

  @Test
  void withoutATerminalThereAreLinesAlone() throws Exception {
    try (Ticker ticker = ticker(false)) {
      ticker.line("one");
    }
    assertEquals("one\n", out.toString());
  }

  @Test
  void whatAnAgentSaysIsOneLineAndCommandsNoTerminal() {
    assertEquals("a b [31m red", Steps.plain("a\nb\u001b[31m\u202ered"));
    assertEquals(163, Steps.plain("x".repeat(500)).length());
  }
}
