package harness.tool;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * The content of a file while the hunks of a patch are applied to it. A hunk fits where its old
 * lines are: at the line that it names, shifted as the hunk before it was, or else at the only
 * other place. Lines that it only shows stay byte for byte; where the file ends its lines in CRLF
 * and the hunk says nothing of carriage returns, its new lines are ended so too.
 */
final class PatchedText {
  private static final int SHOWN_LINES = 12;
  private static final int SHOWN_CHARS = 160;

  private final String shown;
  private final Encoding encoding;
  private final TextLines file;
  private final StringBuilder result;
  private final List<String> notes = new ArrayList<>();

  /** How far the text is taken over, in lines. */
  private int taken;

  /** How much further down than it says the last hunk was found. */
  private int shift;

  /**
   * @param shown how the file is named in messages
   */
  PatchedText(String shown, byte[] before) throws ToolException {
    this.shown = shown;
    Encoding marked = Encoding.of(before);
    String text = new String(before, marked.charset());
    boolean valid = Arrays.equals(text.getBytes(marked.charset()), before);
    if (!valid && marked.utf16()) {
      throw new ToolException(
          shown + " is not valid " + marked.charset() + "; change it by edit or a command");
    }
    this.encoding = valid ? marked : Encoding.LATIN_1;
    this.file = new TextLines(valid ? text : new String(before, StandardCharsets.ISO_8859_1));
    this.result = new StringBuilder(text.length());
  }

  /** What was done otherwise than the patch says to the letter. */
  List<String> notes() {
    return notes;
  }

  /** Applies the hunks, in their order, from the top of the file down. */
  byte[] apply(List<Hunk> hunks) throws ToolException {
    for (int i = 0; i < hunks.size(); i++) {
      String name = hunks.size() == 1 ? "the hunk" : "hunk " + (i + 1) + " of " + hunks.size();
      apply(hunks.get(i), name);
    }
    result.append(file.text(), file.start(taken), file.text().length());
    String text = result.toString();
    if (!encoding.charset().newEncoder().canEncode(text)) {
      throw new ToolException(
          "the patch adds a character to "
              + shown
              + " that "
              + encoding.charset()
              + ", its encoding, can't write; leave it out");
    }
    return text.getBytes(encoding.charset());
  }

  /** Where a hunk fits, and in which form. */
  private record Fit(int line, Hunk hunk, boolean crlf) {}

  private void apply(Hunk hunk, String name) throws ToolException {
    Fit fit = fit(hunk, name);
    if (hunk.miscounted()) {
      notes.add(name + " was read by its lines: its header counts them wrongly");
    }
    int named = hunkLine(hunk);
    if (named >= 0 && fit.line != named + shift) {
      int moved = fit.line - named;
      notes.add(
          name
              + " was found at line "
              + (fit.line + 1)
              + ", "
              + Math.abs(moved)
              + (Math.abs(moved) == 1 ? " line " : " lines ")
              + (moved < 0 ? "above" : "below")
              + " the one that it names");
      shift = moved;
    }
    take(fit, name);
  }

  /** The line that a hunk names, from 0; -1 where it names none. */
  private static int hunkLine(Hunk hunk) {
    if (hunk.start() < 0) {
      return -1;
    }
    return hunk.before().isEmpty() ? hunk.start() : Math.max(0, hunk.start() - 1);
  }

  private int line(Hunk hunk) {
    int line = hunkLine(hunk);
    return line < 0 ? -1 : Math.max(taken, line + shift);
  }

  private Fit fit(Hunk hunk, String name) throws ToolException {
    if (hunk.before().isEmpty()) {
      int line = line(hunk);
      if (line < 0 || line > file.count()) {
        throw new ToolException(
            name
                + " of "
                + shown
                + " shows no line that is there, so it needs a place in the "
                + file.count()
                + " lines of the file; give it lines of context. Nothing was changed.");
      }
      boolean crlf = file.onlyCrlf() && !hunk.holds('\r');
      return new Fit(line, hunk, crlf);
    }
    for (Hunk form : forms(hunk)) {
      for (boolean crlf : hunk.holds('\r') ? new boolean[] {false} : new boolean[] {false, true}) {
        OptionalInt line = find(form, crlf, name);
        if (line.isPresent()) {
          return new Fit(line.getAsInt(), form, crlf);
        }
      }
    }
    throw misfit(hunk, name);
  }

  /**
   * In a file that is shown byte by byte, a hunk may be written so or as the UTF-8 it stands for.
   */
  private List<Hunk> forms(Hunk hunk) {
    if (!encoding.equals(Encoding.LATIN_1)) {
      return List.of(hunk);
    }
    Hunk utf8 =
        new Hunk(
            hunk.header(),
            hunk.start(),
            hunk.lines().stream()
                .map(
                    line ->
                        new Hunk.Line(
                            line.kind(),
                            new String(
                                line.text().getBytes(StandardCharsets.UTF_8),
                                StandardCharsets.ISO_8859_1),
                            line.ends()))
                .toList(),
            hunk.miscounted());
    boolean writable =
        hunk.lines().stream()
            .allMatch(line -> StandardCharsets.ISO_8859_1.newEncoder().canEncode(line.text()));
    return writable ? List.of(hunk, utf8) : List.of(utf8);
  }

  private OptionalInt find(Hunk hunk, boolean crlf, String name) throws ToolException {
    List<Hunk.Line> before = hunk.before();
    int wanted = line(hunk);
    if (wanted >= 0 && file.matches(before, wanted, crlf) && endsFit(hunk, wanted)) {
      return OptionalInt.of(wanted);
    }
    List<Integer> places =
        file.places(before, taken, crlf).stream().filter(line -> endsFit(hunk, line)).toList();
    if (places.size() > 1) {
      throw new ToolException(
          name
              + " of "
              + shown
              + (wanted < 0
                  ? " names no line and"
                  : " is not at line " + (wanted + 1) + ", where it belongs, and")
              + " fits at several other places, lines "
              + (places.get(0) + 1)
              + " and "
              + (places.get(1) + 1)
              + " among them; give more context. Nothing was changed.");
    }
    return places.isEmpty() ? OptionalInt.empty() : OptionalInt.of(places.getFirst());
  }

  /**
   * Whether the file ends there as the hunk says. One that says nothing of a missing last line end
   * fits a file without one too: it is left as it is.
   */
  private boolean endsFit(Hunk hunk, int line) {
    List<Hunk.Line> before = hunk.before();
    boolean atEnd = line + before.size() == file.count();
    boolean fileEnds = !atEnd || file.lastEnds();
    return before.getLast().ends() ? fileEnds || !marked(hunk) : atEnd && !fileEnds;
  }

  private static boolean marked(Hunk hunk) {
    return hunk.lines().stream().anyMatch(line -> !line.ends());
  }

  private void take(Fit fit, String name) {
    result.append(file.text(), file.start(taken), file.start(fit.line));
    taken = fit.line;
    boolean bare = !fit.hunk.before().isEmpty() && !marked(fit.hunk) && endsBare(fit);
    List<Hunk.Line> lines = fit.hunk.lines();
    int last = lines.size() - 1;
    while (last >= 0 && lines.get(last).kind() == Hunk.Kind.REMOVED) {
      last--;
    }
    for (int i = 0; i < lines.size(); i++) {
      Hunk.Line line = lines.get(i);
      switch (line.kind()) {
        case CONTEXT -> {
          result.append(file.text(), file.start(taken), file.start(taken + 1));
          taken++;
        }
        case REMOVED -> {
          if (taken == 0 && !line.text().startsWith(file.mark())) {
            result.append(file.mark());
          }
          taken++;
        }
        case ADDED -> {
          String end = fit.crlf && file.crlf(Math.max(0, taken - 1)) ? "\r\n" : "\n";
          endLine(end);
          result.append(line.text());
          if (line.ends() && !(bare && i == last)) {
            result.append(end);
          }
        }
      }
    }
    if (bare && last >= 0 && lines.get(last).kind() == Hunk.Kind.ADDED) {
      notes.add(name + " left the file without an end of its last line, as it was");
    }
  }

  private boolean endsBare(Fit fit) {
    return fit.line + fit.hunk.before().size() == file.count() && !file.lastEnds();
  }

  private void endLine(String end) {
    int length = result.length();
    if (length > 0 && result.charAt(length - 1) != '\n' && length > file.mark().length()) {
      result.append(end);
    }
  }

  private ToolException misfit(Hunk hunk, String name) {
    List<Hunk.Line> before = hunk.before();
    int line = Math.max(taken, Math.max(0, line(hunk)));
    StringBuilder text = new StringBuilder(name + " of " + shown + " does not fit: ");
    int same = 0;
    while (same < before.size()
        && line + same < file.count()
        && file.same(before.get(same), line + same, true)) {
      same++;
    }
    if (same == before.size()) {
      text.append(
          !before.getLast().ends()
              ? "the patch says that the file ends there without a line end, and it does not"
              : "the file's last line has no line end; say so by a line '\\ No newline at end of"
                  + " file' behind it");
    } else if (line + same >= file.count()) {
      text.append("the file has only ").append(file.count()).append(" lines");
    } else {
      text.append("line ")
          .append(line + same + 1)
          .append(" is not ")
          .append(quoted(before.get(same).text()));
    }
    int first = Math.clamp((long) line + same - SHOWN_LINES / 2, 0, file.count());
    int end = Math.min(file.count(), first + SHOWN_LINES);
    if (first < end) {
      text.append(". The file has there:");
      for (int i = first; i < end; i++) {
        String there = file.line(i);
        text.append(String.format(Locale.ROOT, "%n%6d\t", i + 1))
            .append(there, 0, Math.min(there.length(), SHOWN_CHARS))
            .append(there.length() > SHOWN_CHARS ? "..." : "");
      }
      text.append("\nRead it again and make the patch anew. Nothing was changed.");
    } else {
      text.append(". Nothing was changed.");
    }
    return new ToolException(text.toString());
  }

  private static String quoted(String line) {
    String cut = line.length() > SHOWN_CHARS ? line.substring(0, SHOWN_CHARS) + "..." : line;
    return "\"" + cut.replace("\t", "\\t").replace("\r", "\\r") + "\"";
  }
}
