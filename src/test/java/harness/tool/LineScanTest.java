package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import harness.Seed;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineScanTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 3_000);
  private static final String[] PIECES = {
    "a",
    "b",
    "k",
    "S",
    "_",
    "1",
    " ",
    "\u00E9",
    ".",
    "\\w",
    "\\W",
    "\\d",
    "\\s",
    "\\S",
    "[ab]",
    "[^a]",
    "[^\\w]",
    "[a-c1]",
    "[[:alpha:]]",
    "[^[:digit:]]",
    "[\u00E9a]",
    "\\pL",
    "\\PN",
    "^",
    "$",
    "\\b",
    "\\B",
    "\\A",
    "\\z",
    "*",
    "+",
    "?",
    "{2}",
    "{1,3}",
    "{0,}",
    "*?",
    "(",
    "(?:",
    "(?i)",
    "(?i:",
    "(?-i)",
    ")",
    "|",
    "|",
    "\\.",
    "\\Qa.b\\E",
    "\\t",
    "\\r",
    "{",
    "{,2}",
    "\\x41",
    "(?P<n>",
    "(?s)",
    "(?m)",
    "]",
    "-",
    "()"
  };
  private static final String[] BITS = {
    "a",
    "b",
    "k",
    "K",
    "s",
    "S",
    "_",
    "1",
    " ",
    ".",
    "\t",
    "\r",
    "\r\n",
    "\n",
    "\n",
    "\u00C3\u00A9",
    "\u00E9",
    "\u00F0\u009F\u0098\u0080",
    "\u00E2\u0084\u00AA",
    "\u00ED\u00A0\u0080",
    "\u00C3",
    "A",
    "\u00C5\u00BF"
  };

  private final long seed = Seed.get(LineScanTest.class);
  private final Random random = new Random(seed);

  private String random(String[] pieces, int most) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most); i >= 0; i--) {
      text.append(pieces[random.nextInt(pieces.length)]);
    }
    return text.toString();
  }

  /** The lines that match, by their texts and the engine. */
  private static List<Integer> expected(Pattern pattern, byte[] bytes) {
    List<Integer> starts = new ArrayList<>();
    for (int start = 0; start < bytes.length; ) {
      int end = ByteLines.end(bytes, start, bytes.length);
      String text =
          ByteLines.text(bytes, start, ByteLines.textEnd(bytes, start, end, bytes.length));
      if (pattern.matcher(text).find()) {
        starts.add(start);
      }
      start = end + 1;
    }
    return starts;
  }

  private static List<Integer> found(LineScan scan, byte[] bytes) throws InterruptedException {
    List<Integer> starts = new ArrayList<>();
    for (int from = 0; from < bytes.length; ) {
      int at = scan.find(bytes, from, bytes.length);
      if (at < 0) {
        break;
      }
      starts.add(ByteLines.start(bytes, at, from));
      from = ByteLines.end(bytes, at, bytes.length) + 1;
    }
    return starts;
  }

  @Test
  void aScanFindsTheLinesThatTheEngineFinds() throws Exception {
    int read = 0;
    for (int round = 0; round < ROUNDS; round++) {
      String expression = random(PIECES, 9);
      boolean anyCase = random.nextInt(4) == 0;
      Pattern pattern;
      try {
        pattern = Pattern.compile(expression, anyCase ? Pattern.CASE_INSENSITIVE : 0);
      } catch (PatternSyntaxException e) {
        continue;
      }
      Optional<Syntax> syntax = SyntaxReader.read(expression, anyCase);
      if (syntax.isEmpty()) {
        continue;
      }
      read++;
      LineScan scan =
          new LineScan(
              Automaton.of(syntax.get()).orElseThrow(),
              (bytes, from, to) -> pattern.matcher(ByteLines.text(bytes, from, to)).find());
      for (int file = 0; file < 5; file++) {
        byte[] bytes = random(BITS, 60).getBytes(StandardCharsets.ISO_8859_1);
        assertEquals(
            expected(pattern, bytes),
            found(scan, bytes),
            () -> "seed " + seed + ": " + expression + (anyCase ? " (any case)" : ""));
      }
    }
    assertTrue(read > ROUNDS / 5, "only " + read + " expressions were read");
  }

  @Test
  void textsOfBytesAreWhatLinesReads() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes =
          random(BITS, 20)
              .replace("\n", "")
              .replace("\r", "")
              .getBytes(StandardCharsets.ISO_8859_1);
      String text = ByteLines.text(bytes, 0, bytes.length);
      int characters = 0;
      for (int at = 0; at < bytes.length; characters++) {
        at += bytes[at] >= 0 ? 1 : ByteLines.characterLength(bytes, at, bytes.length);
      }
      assertEquals(text.codePointCount(0, text.length()), characters, "seed " + seed + ": " + text);
    }
  }

  @Test
  void statesOfManyPlacesAreBoundedTogether() throws Exception {
    String expression = "a[ab]{1000}[ab]{900}c";
    LineScan scan =
        new LineScan(
            Automaton.of(SyntaxReader.read(expression, false).orElseThrow()).orElseThrow(),
            (bytes, from, to) -> false);
    byte[] bytes = new byte[10_000];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextBoolean() ? 'a' : 'b');
    }
    assertEquals(List.of(), found(scan, bytes));
    assertTrue(scan.held() <= LineScan.MAX_TABLE, () -> "it holds " + scan.held());
  }

  @Test
  void aTableThatIsFullBeginsAnew() throws Exception {
    String expression = "(a|b)*a(a|b){14}c";
    LineScan scan =
        new LineScan(
            Automaton.of(SyntaxReader.read(expression, false).orElseThrow()).orElseThrow(),
            (bytes, from, to) -> false);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < 200_000; i++) {
      out.write(random.nextBoolean() ? 'a' : 'b');
    }
    out.writeBytes("a01234567890123\na".getBytes(StandardCharsets.US_ASCII));
    out.writeBytes("abababababababc\n".getBytes(StandardCharsets.US_ASCII));
    byte[] bytes = out.toByteArray();
    assertEquals(expected(Pattern.compile(expression), bytes), found(scan, bytes));
    assertFalse(found(scan, bytes).isEmpty());
  }
}
