package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import harness.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WantedTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 1_000);
  private static final String[] PATTERNS = {
    "ab",
    "kS",
    "needle",
    "a+b{2}c",
    "(ab|b)c",
    "\\bab\\b",
    "x*ab*",
    "(?i)ks",
    "(?i:b)c",
    "caf\u00E9",
    "\u00E9",
    "a\r",
    "^ab$",
    "(ab){3}",
    "a[bc]d",
    ".ab.",
    "\\Qa.b\\E",
    "b\\.b",
    "zz",
    "b",
    "[^b]b",
    "ab|needle",
    "(kS|caf|x.a)b*",
    "a|",
    "(?i)ab|KS|d",
    "a|needle|d",
    "[ab]k?c",
    "(a|b)(c|\\.|x)",
    "[Nn]eedle",
    "(?i)k|d",
    "(ab){2,3}"
  };

  private final long seed = Seed.get(WantedTest.class);
  private final Random random = new Random(seed);

  /** Bytes among which the patterns have a chance. */
  private byte[] bytes(int length) {
    String letters = "aaabbbcckKsS. x\n\n\r\u00C3\u00A9\u00E9d";
    StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      text.append(letters.charAt(random.nextInt(letters.length())));
      if (random.nextInt(60) == 0) {
        text.append(random.nextBoolean() ? "needle" : "caf\u00C3\u00A9");
      }
    }
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void aScanOfBytesFindsTheLinesInWhoseTextThePatternIs() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      String text = PATTERNS[random.nextInt(PATTERNS.length)];
      Wanted wanted = Wanted.of(text, random.nextInt(3) == 0, random.nextInt(3) == 0);
      Wanted.Scan scan = wanted.scan();
      byte[] bytes = bytes(random.nextInt(3_000));
      int to = bytes.length - random.nextInt(Math.min(bytes.length, 20) + 1);
      List<Integer> expected = new ArrayList<>();
      for (int start = 0; start < to; ) {
        int end = ByteLines.end(bytes, start, to);
        if (wanted.find(ByteLines.text(bytes, start, ByteLines.textEnd(bytes, start, end, to)))
            >= 0) {
          expected.add(start);
        }
        start = end + 1;
      }
      List<Integer> found = new ArrayList<>();
      scan.begin(bytes, to);
      for (int from = 0; from < to; ) {
        int at = scan.next(from);
        if (at < 0) {
          break;
        }
        found.add(ByteLines.start(bytes, at, from));
        from = ByteLines.end(bytes, at, to) + 1;
      }
      assertEquals(expected, found, "seed " + seed + ", round " + round + ": " + text);
    }
  }

  @Test
  void aLiteralIsFoundWhereverItLies() {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = bytes(random.nextInt(2_500));
      int length = 1 + random.nextInt(random.nextInt(10) == 0 ? 300 : 6);
      int start = random.nextInt(Math.max(1, bytes.length - length));
      String text =
          bytes.length > length && random.nextBoolean()
              ? new String(bytes, start, length, StandardCharsets.ISO_8859_1)
              : "ab".repeat(length);
      if (text.chars().anyMatch(c -> c >= Letters.ASCII)) {
        continue;
      }
      int from = random.nextInt(bytes.length + 1);
      int to = from + random.nextInt(bytes.length - from + 1);
      String all = new String(bytes, 0, to, StandardCharsets.ISO_8859_1);
      assertEquals(
          all.indexOf(text, from),
          new Literal(text, false).find(bytes, from, to),
          "seed " + seed + ", round " + round);
    }
  }
}
