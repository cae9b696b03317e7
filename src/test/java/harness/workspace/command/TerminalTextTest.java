package harness.workspace.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import harness.Seed;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TerminalTextTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final TerminalText text = new TerminalText();

  private void take(byte[] bytes, int from, int to) {
    text.take(bytes, from, to, (some, length) -> out.write(some, 0, length));
  }

  private String shown(String written) {
    return shown(written.getBytes(StandardCharsets.UTF_8));
  }

  private String shown(byte[] written) {
    take(written, 0, written.length);
    text.end((some, length) -> out.write(some, 0, length));
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void linesOfTextStayAsTheyAre() {
    assertEquals("a\tb\n\nüäö € 𝄞\nend", shown("a\tb\n\nüäö € 𝄞\nend"));
  }

  @Test
  void aCarriageReturnBeforeALineEndIsPartOfIt() {
    assertEquals("a\nb\n", shown("a\r\nb\r\r\n"));
  }

  @Test
  void theLastStateOfALineThatIsWrittenOverIsKept() {
    assertEquals("100%\ndone", shown("1%\r50%\r100%\nx\rdone"));
  }

  @Test
  void aBackspaceRubsOutAWholeCharacterAndNotTheLineBefore() {
    assertEquals("a\nNAME b", shown("a\n\b\bN\bNA\bAM\bME\bE €\bb"));
  }

  @Test
  void escapeSequencesAreLeftOut() {
    assertEquals(
        "red title charset end",
        shown(
            "\033[1;31mred\033[0m \033]0;window\007title\033]8;;u\033\\ \033(Bcharset \0337\033=end"));
  }

  @Test
  void aSequenceThatIsNoneEndsAtALineAndSwallowsNoEndlessText() {
    assertEquals("\nnext\n", shown("\033[12\nnext\n"));
    String endless = "\033]" + "x".repeat(10_000) + "\nafter\n";
    out.reset();
    assertEquals(true, new TerminalTextTest().shown(endless).endsWith("\nafter\n"));
  }

  @Test
  void bytesThatAreNoTextAreWrittenAsTheirNumbers() {
    assertEquals(
        "\\x00\\x01\\x7F \\xFF\\xC3( \\xE2\\x82\nx \\xED\\xA0\\x80 \\xC0\\x80 \\xF5 \\xE2",
        shown(
            "\0\1\177 \377\303( \342\202\nx \355\240\200 \300\200 \365 \342"
                .getBytes(StandardCharsets.ISO_8859_1)));
  }

  @Test
  void whatThereIsOfALineCanBeHadAndIsThenNotWrittenOver() {
    byte[] bytes = "10%\r20%\nx".getBytes(StandardCharsets.UTF_8);
    take(bytes, 0, 3);
    text.flush((some, length) -> out.write(some, 0, length));
    assertEquals("10%", out.toString(StandardCharsets.UTF_8));
    take(bytes, 3, bytes.length);
    assertEquals("10%\n20%\n", out.toString(StandardCharsets.UTF_8));
  }

  @Test
  void aLineWithoutEndIsHandedOnInPieces() {
    String endless = "€".repeat(3 * TerminalText.LINE_BYTES);
    take(endless.getBytes(StandardCharsets.UTF_8), 0, 3 * endless.length());
    assertEquals(true, out.size() > 8 * TerminalText.LINE_BYTES, "" + out.size());
    text.end((some, length) -> out.write(some, 0, length));
    assertEquals(endless, out.toString(StandardCharsets.UTF_8));
  }

  @Test
  void whateverIsWrittenInWhateverPiecesIsTheSamePlainText() {
    Random random = new Random(Seed.get(TerminalTextTest.class));
    byte[] some = "a\r\n\b\033[];m\007\\0€ü\200\377\t".getBytes(StandardCharsets.ISO_8859_1);
    for (int round = 0; round < 2_000; round++) {
      byte[] written = new byte[random.nextInt(60)];
      for (int i = 0; i < written.length; i++) {
        written[i] =
            random.nextBoolean() ? some[random.nextInt(some.length)] : (byte) random.nextInt();
      }
      TerminalTextTest pieces = new TerminalTextTest();
      for (int at = 0; at < written.length; ) {
        int end = Math.min(written.length, at + 1 + random.nextInt(5));
        pieces.take(written, at, end);
        at = end;
      }
      String whole = new TerminalTextTest().shown(written);
      assertEquals(whole, pieces.shown(new byte[0]));
      assertEquals(true, whole.chars().allMatch(c -> c == '\n' || c == '\t' || c >= ' '), whole);
      assertEquals(-1, whole.indexOf('\uFFFD'), whole);
    }
  }
}
