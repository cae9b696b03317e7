package harness.tool;

import com.google.re2j.Pattern;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What a search looks for within a line. Safe for many threads; each runs a {@link #scan}. */
final class Wanted {
  /** Longer lines are given to the engine in pieces of so many characters. */
  static final int PIECE_CHARS = 16 * 1024;

  /** How much of the last piece is searched again with the next one. */
  static final int OVERLAP_CHARS = 1024;

  /** After so many bytes of lines it is known whether a text is frequent. */
  private static final int FREQUENT_BYTES = 64 * 1024;

  /** How far a match is followed from its beginning before the whole line is looked at. */
  private static final int NEAR_BYTES = 64;

  private final String literal;
  private final Optional<Pattern> pattern;

  /** Whether the texts are all that is wanted. */
  private final boolean exact;

  /** Texts of which each match has one in it. */
  private final List<Literal> texts;

  /** Whether it begins with it. */
  private final boolean beginning;

  private final Optional<Automaton> automaton;

  private Wanted(String text, Optional<Pattern> pattern, Optional<Syntax> syntax) {
    this.literal = text;
    this.pattern = pattern;
    Optional<List<Literal>> whole = syntax.flatMap(Required::whole);
    this.exact = whole.isPresent();
    Required.Found required =
        whole
            .map(all -> new Required.Found(all, true))
            .orElseGet(() -> syntax.map(Required::of).orElse(Required.Found.NOTHING));
    this.texts = required.texts();
    this.beginning = required.beginning();
    this.automaton = exact ? Optional.empty() : syntax.flatMap(Automaton::of);
  }

  static Wanted of(String text, boolean fixed, boolean ignoreCase) throws ToolException {
    if (text.isEmpty()) {
      throw new ToolException("grep: 'pattern' is empty; to see a whole file use read");
    }
    if (text.indexOf('\n') >= 0) {
      throw new ToolException(
          "grep: 'pattern' holds a line end, and lines are searched one by one; search for one of"
              + " its lines");
    }
    if (fixed && !ignoreCase) {
      return new Wanted(text, Optional.empty(), Optional.of(Syntax.literal(text, false)));
    }
    int flags = ignoreCase ? Pattern.CASE_INSENSITIVE : 0;
    try {
      Pattern pattern = Expression.compile(fixed ? Pattern.quote(text) : text, flags);
      return new Wanted(
          text,
          Optional.of(pattern),
          fixed ? Optional.of(Syntax.literal(text, true)) : SyntaxReader.read(text, ignoreCase));
    } catch (ToolException e) {
      throw new ToolException(e.getMessage() + "; to find it as it stands, set fixed: true");
    }
  }

  /** Whether it is looked for without an expression, which is some ten times as fast. */
  boolean plain() {
    return pattern.isEmpty();
  }

  /** Where the first match begins, -1 where there is none. */
  int find(String line) {
    if (pattern.isEmpty()) {
      return line.indexOf(literal);
    }
    var matcher = pattern.get().matcher(line);
    return matcher.find() ? matcher.start() : -1;
  }

  /** The same for a line of any length, which is searched in pieces that overlap. */
  int findInPieces(String line) throws InterruptedException {
    if (plain() || line.length() <= PIECE_CHARS) {
      return find(line);
    }
    for (int from = 0; ; from += PIECE_CHARS - OVERLAP_CHARS) {
      Blocks.checkInterrupt();
      int to = Math.min(line.length(), from + PIECE_CHARS);
      int at = find(line.substring(from, to));
      if (at >= 0 || to == line.length()) {
        return at < 0 ? -1 : from + at;
      }
    }
  }

  /** A scan for one thread. */
  Scan scan() {
    return new Scan();
  }

  /** Looks through bytes of whole lines. */
  final class Scan {
    private final Optional<LineScan> lines;
    private final Optional<LineScan> beginnings;
    private final int[] near = new int[texts.size()];
    private byte[] bytes = new byte[0];
    private int to;
    private boolean pieces;
    private long skipped;
    private long lookedAt;

    private Scan() {
      this.lines = automaton.map(machine -> new LineScan(machine, this::asked));
      this.beginnings =
          automaton.filter(machine -> beginning && !texts.isEmpty()).map(LineScan::anchored);
    }

    /** The word of the engine about the text of a line. */
    private boolean asked(byte[] bytes, int from, int to) throws InterruptedException {
      String text = ByteLines.text(bytes, from, to);
      pieces |= !plain() && text.length() > PIECE_CHARS;
      return findInPieces(text) >= 0;
    }

    /** Whether a line was searched in pieces since this was asked last. */
    boolean pieces() {
      boolean was = pieces;
      pieces = false;
      return was;
    }

    /**
     * Goes to other bytes.
     *
     * @param end where a line ends in them
     */
    void begin(byte[] whole, int end) {
      bytes = whole;
      to = end;
      Arrays.fill(near, -1);
    }

    /**
     * A place within the next line that matches.
     *
     * @param from where a line begins, behind those that were found
     * @return -1 where none does
     */
    int next(int from) throws InterruptedException {
      if (exact) {
        int hit = nearest(from);
        return hit == to ? -1 : hit;
      }
      if (lines.isPresent() && (texts.isEmpty() || frequent())) {
        return lines.get().find(bytes, from, to);
      }
      for (int at = from; at < to; ) {
        int hit = texts.isEmpty() ? at : nearest(at);
        if (hit == to) {
          skipped += to - at;
          return -1;
        }
        if (beginnings.isPresent()) {
          boolean first = hit == from || bytes[hit - 1] == '\n';
          switch (beginnings.get().at(bytes, hit, first, to, NEAR_BYTES)) {
            case MATCHES -> {
              return hit;
            }
            case FAILS -> {
              skipped += hit - at;
              lookedAt += NEAR_BYTES / 4;
              at = hit + 1;
              continue;
            }
            case OPEN -> {}
          }
        }
        int start = ByteLines.start(bytes, hit, from);
        int end = ByteLines.end(bytes, hit, to);
        skipped += start - at;
        lookedAt += end - start;
        if (matches(start, end)) {
          return hit;
        }
        at = end + 1;
      }
      return -1;
    }

    /** Whether the texts have been in so many lines that it is faster to look at all of them. */
    private boolean frequent() {
      return lookedAt > FREQUENT_BYTES && lookedAt > skipped;
    }

    /** Where the first of the texts stands; {@code to} where none does. */
    private int nearest(int from) {
      int nearest = to;
      for (int i = 0; i < near.length; i++) {
        if (near[i] < from) {
          int at = texts.get(i).find(bytes, from, to);
          near[i] = at < 0 ? to : at;
        }
        nearest = Math.min(nearest, near[i]);
      }
      return nearest;
    }

    private boolean matches(int start, int end) throws InterruptedException {
      return lines.isPresent()
          ? lines.get().find(bytes, start, Math.min(to, end + 1)) >= 0
          : asked(bytes, start, ByteLines.textEnd(bytes, start, end, to));
    }
  }
}
