package harness.tool;

import harness.workspace.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** One search through any number of files, and what it found. */
final class Search {
  enum Mode {
    /** Each matching line. */
    CONTENT,
    /** Each file that has one. */
    FILES,
    /** How many each file has. */
    COUNT
  }

  /** Longer lines are searched in pieces of this size. */
  static final int PIECE_CHARS = 16 * 1024;

  /** How much of the last piece is searched again with the next one. */
  private static final int OVERLAP_CHARS = 1024;

  /** How far into one line an expression is looked for, in characters. */
  static final int MAX_EXPRESSION_CHARS = 8 * 1024 * 1024;

  /** The most characters that are shown of a line. */
  static final int MAX_LINE_CHARS = 500;

  /** How much of a long line is shown before its match. */
  private static final int BEFORE_MATCH_CHARS = 100;

  /** How far into one file a search goes. */
  static final long MAX_FILE_BYTES = 256L * 1024 * 1024;

  /** How many bytes it reads in all. */
  static final long MAX_TOTAL_BYTES = 4L * 1024 * 1024 * 1024;

  private final Wanted wanted;
  private final Mode mode;
  private final int context;
  private final int limit;

  private final Output output = new Output();
  private final Deque<String> before = new ArrayDeque<>();
  private int afterLeft;
  private int files;
  private int binaries;
  private int results;
  private long matches;
  private long bytes;
  private boolean stopped;
  private boolean tooMuch;
  private boolean cutLines;
  private boolean pieces;
  private boolean cutSearches;
  private boolean cutFiles;

  /**
   * @param context lines shown around each match
   * @param limit the most matching lines, or files, that are shown
   */
  Search(Wanted wanted, Mode mode, int context, int limit) {
    this.wanted = wanted;
    this.mode = mode;
    this.context = mode == Mode.CONTENT ? context : 0;
    this.limit = limit;
  }

  /** Searches a file; false where the search has had enough. */
  boolean file(FileHandle file, String path) throws IOException, InterruptedException {
    if (bytes >= MAX_TOTAL_BYTES) {
      tooMuch = true;
      return false;
    }
    byte[] head = Blocks.head(file, BinaryKind.HEAD_BYTES);
    if (BinaryKind.of(head).isPresent()) {
      binaries++;
      return true;
    }
    files++;
    Lines lines =
        new Lines(file, Encoding.marked(ByteBuffer.wrap(head)), PIECE_CHARS, MAX_FILE_BYTES);
    try {
      lines(lines, path);
    } finally {
      bytes += lines.bytesRead();
      cutFiles |= lines.exhausted();
    }
    return !stopped;
  }

  private void lines(Lines lines, String path) throws IOException, InterruptedException {
    before.clear();
    afterLeft = 0;
    long count = 0;
    long lastShown = 0;
    while (!stopped && lines.next()) {
      Hit hit = line(lines);
      long number = lines.number();
      if (hit.at() < 0) {
        lastShown = miss(hit, path, number, lastShown);
        continue;
      }
      matches++;
      if (count++ == 0 && mode == Mode.FILES) {
        add(path);
        return;
      }
      if (mode == Mode.CONTENT) {
        if (results == limit) {
          stopped = true;
          return;
        }
        results++;
        lastShown = show(hit, path, number, lastShown);
      }
    }
    if (count > 0 && mode == Mode.COUNT) {
      add(path + ":" + count);
    }
  }

  /** A line that was searched: the piece with the match, or its first one. */
  private record Hit(String text, int at) {}

  private Hit line(Lines lines) throws IOException, InterruptedException {
    String text = lines.text().toString();
    int at = wanted.find(text);
    if (lines.end() != Lines.End.CUT) {
      return new Hit(text, at);
    }
    Hit first = new Hit(text, at);
    long searched = text.length();
    while (at < 0 && lines.end() == Lines.End.CUT && lines.next()) {
      if (searched > MAX_EXPRESSION_CHARS && !wanted.plain()) {
        cutSearches = true;
        break;
      }
      pieces = true;
      searched += lines.text().length();
      text = text.substring(Math.max(0, text.length() - OVERLAP_CHARS)) + lines.text();
      at = wanted.find(text);
    }
    lines.skipLine();
    return at < 0 ? first : new Hit(text, at);
  }

  private long miss(Hit hit, String path, long number, long lastShown) {
    if (context == 0) {
      return lastShown;
    }
    if (afterLeft > 0) {
      afterLeft--;
      return put(path + "-" + number + "-" + cut(hit)) ? number : lastShown;
    }
    before.addLast(cut(hit));
    if (before.size() > context) {
      before.removeFirst();
    }
    return lastShown;
  }

  private long show(Hit hit, String path, long number, long lastShown) {
    long first = number - before.size();
    if (context > 0 && !output.empty() && (lastShown == 0 || first > lastShown + 1)) {
      put("--");
    }
    for (String line : before) {
      put(path + "-" + first++ + "-" + line);
    }
    before.clear();
    afterLeft = context;
    put(path + ":" + number + ":" + cut(hit));
    return number;
  }

  private void add(String line) {
    if (results == limit) {
      stopped = true;
      return;
    }
    if (put(line)) {
      results++;
    }
  }

  private boolean put(String line) {
    boolean room = output.line(line);
    stopped |= !room;
    return room;
  }

  private String cut(Hit hit) {
    String text = hit.text();
    if (text.length() <= MAX_LINE_CHARS) {
      return text;
    }
    cutLines = true;
    int from = Math.max(0, hit.at() - BEFORE_MATCH_CHARS);
    if (from > 0 && Character.isLowSurrogate(text.charAt(from))) {
      from++;
    }
    int to = Math.min(text.length(), from + MAX_LINE_CHARS);
    if (to < text.length() && Character.isLowSurrogate(text.charAt(to))) {
      to--;
    }
    return (from > 0 ? "[...]" : "")
        + text.substring(from, to)
        + (to < text.length() ? "[...]" : "");
  }

  /**
   * What was found, and what was not looked at.
   *
   * @param where how the place that was searched is shown
   * @param leftOut whether {@code .gitignore} kept something out of it
   */
  ToolResult result(String where, boolean leftOut, List<String> walkNotes) {
    if (mode == Mode.COUNT && matches > 0) {
      output.note(matches + " lines in " + results + " files");
    }
    if (stopped) {
      output.note(
          "the search ended after "
              + results
              + (mode == Mode.CONTENT ? " matching lines" : " files")
              + "; there may be more: search for less, in a narrower path or glob"
              + (results == limit && limit < GrepTool.MAX_LIMIT ? ", or raise limit" : ""));
    }
    if (matches == 0) {
      output.note(
          "no match in "
              + where
              + "; "
              + (files == 1 ? "1 file was" : files + " files were")
              + " searched"
              + (binaries > 0 ? ", " + binaries + " binary ones were not" : "")
              + (leftOut ? "; ignored: true looks at what .gitignore excludes, too" : ""));
    }
    if (cutLines) {
      output.note("long lines are cut to " + MAX_LINE_CHARS + " characters");
    }
    if (pieces) {
      output.note("lines longer than " + PIECE_CHARS + " characters were searched in pieces");
    }
    if (cutSearches) {
      output.note(
          "lines longer than "
              + MAX_EXPRESSION_CHARS
              + " characters were searched no further; fixed: true goes on");
    }
    if (cutFiles) {
      output.note("files were searched up to " + MAX_FILE_BYTES + " bytes each");
    }
    if (tooMuch) {
      output.note("the search ended after " + MAX_TOTAL_BYTES + " bytes; give a narrower path");
    }
    walkNotes.forEach(output::note);
    ToolResult result = output.result();
    return stopped || tooMuch || cutLines || cutSearches || cutFiles
        ? ToolResult.partial(result.text())
        : result;
  }
}
