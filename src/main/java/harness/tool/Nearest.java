package harness.tool;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says where a text that was not found might have been meant, and how it differs there. */
final class Nearest {
  /** Larger files are not looked through: the answer is to come at once. */
  private static final int MAX_CHARS = 2 * 1024 * 1024;

  private static final int MAX_STARTS = 200;
  private static final int MAX_COMPARED_LINES = 1_000;
  private static final int MAX_COMPARED_CHARS = 200;
  private static final int SHOWN_CHARS = 160;

  /** What share of its letter pairs a line must have in common to be worth a mention. */
  private static final double MIN_LIKENESS = 0.5;

  private final List<String> lines;
  private final List<String> bare = new ArrayList<>();
  private final List<String> wanted;
  private final List<String> bareWanted = new ArrayList<>();

  private Nearest(String content, String wanted) throws InterruptedException {
    this.lines = List.of(content.split("\n", -1));
    this.wanted = List.of(wanted.split("\n", -1));
    bare(lines, bare);
    bare(this.wanted, bareWanted);
  }

  private static void bare(List<String> lines, List<String> bare) throws InterruptedException {
    for (String line : lines) {
      Blocks.checkInterrupt();
      bare.add(bare(line));
    }
  }

  /** The end of a sentence that says that {@code wanted} was not found in {@code content}. */
  static String describe(String content, String wanted) throws InterruptedException {
    if (wanted.isBlank()) {
      return ": it is white space alone; give a line that stands beside it";
    }
    if (content.length() > MAX_CHARS || wanted.length() > MAX_CHARS) {
      return "; read the lines that are meant and copy them exactly";
    }
    return new Nearest(content, wanted).describe();
  }

  private String describe() throws InterruptedException {
    int first = 0;
    while (bareWanted.get(first).isEmpty()) {
      first++;
    }
    int start = -1;
    int length = 0;
    int starts = 0;
    for (int line = 0; line < lines.size() && starts < MAX_STARTS; line++) {
      Blocks.checkInterrupt();
      int matched = matched(first, line);
      if (matched > 0) {
        starts++;
      }
      if (matched > length) {
        start = line;
        length = matched;
      }
    }
    if (start < 0) {
      return likest(wanted.get(first));
    }
    if (first + length < wanted.size() && length < MAX_COMPARED_LINES) {
      return differsAfter(first, start, length);
    }
    return differsInWhiteSpace(first, start, length);
  }

  /** How many lines of what is wanted are there from a line on, white space aside. */
  private int matched(int first, int line) {
    int count = 0;
    while (first + count < wanted.size()
        && line + count < lines.size()
        && count < MAX_COMPARED_LINES
        && sameButForSpace(first + count, line + count)) {
      count++;
    }
    return count;
  }

  /** The first and last line may be parts of theirs. */
  private boolean sameButForSpace(int index, int line) {
    return same(index, bareWanted.get(index), bare.get(line));
  }

  private boolean same(int index, String want, String have) {
    boolean first = index == 0;
    boolean last = index == wanted.size() - 1;
    if (first && last) {
      return holds(have, want);
    }
    if (first) {
      return have.endsWith(want);
    }
    return last ? have.startsWith(want) : have.equals(want);
  }

  /** In time linear in both, which {@link String#contains} is not. */
  private static boolean holds(String have, String want) {
    if (want.isEmpty() || want.length() > have.length()) {
      return want.isEmpty();
    }
    Needle needle = new Needle(want.getBytes(StandardCharsets.UTF_16BE));
    return needle.find(have.getBytes(StandardCharsets.UTF_16BE), 0, 2) >= 0;
  }

  private String differsAfter(int first, int start, int length) {
    int wantedLine = first + length;
    int line = start + length;
    String begin =
        "; its first "
            + (length == 1 ? "line is" : length + " lines are")
            + " at line "
            + (start + 1)
            + ", but then ";
    return begin
        + (line < lines.size()
            ? "line " + (line + 1) + " is " + quoted(lines.get(line))
            : "the file ends")
        + " where 'old' has "
        + quoted(wanted.get(wantedLine));
  }

  private String differsInWhiteSpace(int first, int start, int length) {
    for (int i = 0; i < length; i++) {
      String want = wanted.get(first + i);
      String have = lines.get(start + i);
      if (same(first + i, want, have)) {
        continue;
      }
      return "; line "
          + (start + i + 1)
          + " differs "
          + how(want, have)
          + ": the file has "
          + quoted(have)
          + ", 'old' has "
          + quoted(want);
    }
    return "; it nearly is at line "
        + (start + 1)
        + " but for white space or line ends around its lines: read them again and copy them"
        + " exactly";
  }

  private static String how(String want, String have) {
    if (want.equals(have + "\r") || have.equals(want + "\r")) {
      return "in its line end (CRLF and LF)";
    }
    if (want.strip().equals(have.strip())) {
      return want.stripTrailing().equals(have.stripTrailing())
          ? "in the white space at its end"
          : "in its indentation";
    }
    return spaceless(want).equals(spaceless(have)) || holds(spaceless(have), spaceless(want))
        ? "in white space"
        : "in its quotes or dashes";
  }

  private String likest(String want) throws InterruptedException {
    int best = -1;
    double likeness = MIN_LIKENESS;
    Pairs pairs = new Pairs(bare(want));
    for (int line = 0; line < lines.size(); line++) {
      Blocks.checkInterrupt();
      double like = pairs.likeness(bare.get(line));
      if (like > likeness) {
        best = line;
        likeness = like;
      }
    }
    return best < 0
        ? ", and no line of it is like " + quoted(want) + "; read the file again"
        : "; the nearest to "
            + quoted(want)
            + " is line "
            + (best + 1)
            + ": "
            + quoted(lines.get(best));
  }

  /** The pairs of letters of a text, hashed, to compare many lines with it cheaply. */
  private static final class Pairs {
    private static final int BUCKETS = 1 << 12;

    private final int[] counts = new int[BUCKETS];
    private final int size;

    Pairs(String text) {
      this.size = Math.min(text.length(), MAX_COMPARED_CHARS) - 1;
      for (int i = 0; i < size; i++) {
        counts[bucket(text, i)]++;
      }
    }

    /** From 0 (nothing in common) to 1. */
    double likeness(String text) {
      int others = Math.min(text.length(), MAX_COMPARED_CHARS) - 1;
      if (size <= 0 || others <= 0) {
        return 0;
      }
      int common = 0;
      for (int i = 0; i < others; i++) {
        if (counts[bucket(text, i)]-- > 0) {
          common++;
        }
      }
      for (int i = 0; i < others; i++) {
        counts[bucket(text, i)]++;
      }
      return 2.0 * common / (size + others);
    }

    private static int bucket(String text, int i) {
      return (text.charAt(i) * 31 + text.charAt(i + 1)) & (BUCKETS - 1);
    }
  }

  /** Without white space, and with the typographic quotes and dashes that models mix up. */
  private static String bare(String line) {
    return spaceless(line)
        .replace('\u2018', '\'')
        .replace('\u2019', '\'')
        .replace('\u201C', '"')
        .replace('\u201D', '"')
        .replace('\u2013', '-')
        .replace('\u2014', '-');
  }

  private static String spaceless(String line) {
    StringBuilder kept = new StringBuilder(line.length());
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (!Character.isWhitespace(c) && c != '\u00A0' && c != '\uFEFF' && c != '\u200B') {
        kept.append(c);
      }
    }
    return kept.toString();
  }

  /** With what can't be seen written out. */
  private static String quoted(String line) {
    StringBuilder text = new StringBuilder("\"");
    for (int i = 0; i < Math.min(line.length(), SHOWN_CHARS); i++) {
      char c = line.charAt(i);
      switch (c) {
        case '\t' -> text.append("\\t");
        case '\r' -> text.append("\\r");
        case '"' -> text.append("\\\"");
        default -> {
          if (c < ' ' || c == '\u00A0' || c == '\uFEFF' || c == '\u200B') {
            text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else {
            text.append(c);
          }
        }
      }
    }
    return text.append('"').append(line.length() > SHOWN_CHARS ? "..." : "").toString();
  }
}
