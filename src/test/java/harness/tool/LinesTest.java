package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Seed;
import harness.workspace.FileHandle;
import harness.workspace.FileKind;
import harness.workspace.FileStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LinesTest {
  /** Bytes in memory, handed out in small and uneven portions. */
  private static final class Bytes implements FileHandle {
    private final byte[] bytes;
    private final Random random;

    Bytes(byte[] bytes, Random random) {
      this.bytes = bytes;
      this.random = random;
    }

    @Override
    public FileStatus status() {
      return new FileStatus(FileKind.FILE, bytes.length, 0, 0, 0, 0);
    }

    @Override
    public int read(ByteBuffer buffer, long position) {
      if (position >= bytes.length) {
        return -1;
      }
      int left = bytes.length - (int) position;
      int count = Math.min(Math.min(left, buffer.remaining()), 1 + random.nextInt(5_000));
      buffer.put(bytes, (int) position, count);
      return count;
    }

    @Override
    public void close() {}
  }

  private static List<String> lines(byte[] bytes, Encoding encoding, int pieceChars, Random random)
      throws IOException, InterruptedException {
    Lines lines = new Lines(new Bytes(bytes, random), encoding, pieceChars, Long.MAX_VALUE);
    List<String> all = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    while (lines.next()) {
      String piece = lines.text().toString();
      assertTrue(piece.length() <= pieceChars + 1, piece);
      if (lines.end() == Lines.End.CUT && pieceChars > 1) {
        char last = piece.charAt(piece.length() - 1);
        assertFalse(last == '\r' && piece.length() == pieceChars, piece);
        assertFalse(Character.isHighSurrogate(last), piece);
      }
      line.append(piece);
      switch (lines.end()) {
        case LF -> line.append("\n");
        case CRLF -> line.append("\r\n");
        case FILE -> line.append("|");
        case CUT -> {}
      }
      if (lines.end() != Lines.End.CUT) {
        all.add(line.toString());
        line.setLength(0);
        assertEquals(all.size(), lines.number());
      }
    }
    if (!line.isEmpty()) {
      all.add(line + "|");
    }
    assertEquals(all.size(), lines.number());
    return all;
  }

  /** The same in the plainest way, with all of it in memory. */
  private static List<String> expected(String text) {
    List<String> all = new ArrayList<>();
    int start = 0;
    for (int i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', start)) {
      all.add(text.substring(start, i + 1));
      start = i + 1;
    }
    if (start < text.length()) {
      all.add(text.substring(start) + "|");
    }
    return all;
  }

  @Test
  void piecesPutTogetherAreTheTextWhateverTheBordersAre() throws Exception {
    long seed = Seed.get(LinesTest.class);
    Random random = new Random(seed);
    String[] parts = {"a", "bc", "\n", "\r\n", "\r", "\u00E9", "\u20AC", "\uD83D\uDE00", "\n\n"};
    for (int round = 0; round < 200; round++) {
      StringBuilder text = new StringBuilder();
      int size = random.nextInt(round % 10 == 0 ? 200_000 : 300);
      while (text.length() < size) {
        text.append(parts[random.nextInt(parts.length)]);
      }
      for (Encoding encoding :
          List.of(Encoding.UTF_8, Encoding.UTF_8_MARKED, Encoding.UTF_16_LE, Encoding.UTF_16_BE)) {
        String marked = (encoding.markBytes() > 0 ? "\uFEFF" : "") + text;
        assertEquals(
            expected(text.toString()),
            lines(
                marked.getBytes(encoding.charset()),
                encoding,
                round % 3 == 0 ? 50_000 : 2 + random.nextInt(40),
                random),
            "seed " + seed + ", round " + round + ", " + encoding);
      }
    }
  }

  @Test
  void bytesThatAreNoneOfTheEncodingAreShownByTheirNumbers() throws Exception {
    byte[] bytes =
        "a\u00FFb\u00E9\u00C3\u00A9\u00E2\u0082\n\u00E2".getBytes(StandardCharsets.ISO_8859_1);
    assertEquals(
        List.of("a\u00FFb\u00E9\u00E9\u00E2\u0082\n", "\u00E2|"),
        lines(bytes, Encoding.UTF_8, 100, new Random(1)));
  }

  @Test
  void readingStopsAtTheBound() throws Exception {
    byte[] bytes = "line\n".repeat(100_000).getBytes(StandardCharsets.US_ASCII);
    Lines lines = new Lines(new Bytes(bytes, new Random(1)), Encoding.UTF_8, 100, 100_000);
    while (lines.next()) {}
    assertEquals(20_000, lines.number());
    assertTrue(lines.exhausted());
    assertEquals(100_000, lines.bytesRead());
  }
}
