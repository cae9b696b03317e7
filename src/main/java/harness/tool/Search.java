package harness.tool;

import java.util.List;
import java.util.function.Supplier;

/** One search through any number of files: takes what was found in each, in order. */
final class Search {
  enum Mode {
    /** Each matching line. */
    CONTENT,
    /** Each file that has one. */
    FILES,
    /** How many each file has. */
    COUNT
  }

  /** How many bytes it reads in all, but for the last file. */
  static final long MAX_TOTAL_BYTES = 4L * 1024 * 1024 * 1024;

  private final Mode mode;
  private final int context;
  private final int limit;

  private final Output output = new Output();
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
  Search(Mode mode, int context, int limit) {
    this.mode = mode;
    this.context = mode == Mode.CONTENT ? context : 0;
    this.limit = limit;
  }

  /**
   * Takes what was found in a file; false where the search has had enough.
   *
   * @param path how it is shown, made only where it is
   */
  boolean take(Supplier<String> path, Findings found) {
    if (bytes >= MAX_TOTAL_BYTES) {
      tooMuch = true;
      return false;
    }
    if (found.binary) {
      binaries++;
      return true;
    }
    files++;
    bytes += found.bytes;
    cutFiles |= found.cutFile;
    pieces |= found.pieces;
    cutSearches |= found.cutSearches;
    if (found.matches > 0) {
      switch (mode) {
        case CONTENT -> lines(path.get(), found);
        case FILES -> add(path.get());
        case COUNT -> add(path.get() + ":" + found.matches);
      }
      matches += found.matches;
    }
    return !stopped;
  }

  private void add(String line) {
    stopped |= results == limit || !output.line(line);
    results += stopped ? 0 : 1;
  }

  private void lines(String path, Findings found) {
    cutLines |= found.cutLines;
    long last = 0;
    for (Findings.Line line : found.lines()) {
      if (line.role() != Findings.Role.AFTER && results == limit) {
        stopped = true;
        return;
      }
      if (context > 0 && !output.empty() && (last == 0 || line.number() > last + 1)) {
        stopped |= !output.line("--");
      }
      boolean match = line.role() == Findings.Role.MATCH;
      char mark = match ? ':' : '-';
      stopped |= !output.line(path + mark + line.number() + mark + line.text());
      if (stopped) {
        return;
      }
      results += match ? 1 : 0;
      last = line.number();
    }
  }

  /** How many matching lines there were in what was taken. */
  long matches() {
    return matches;
  }

  /**
   * What was found, and what was not looked at.
   *
   * @param where how the place that was searched is shown
   * @param leftOut whether ignore files kept something out of it
   * @param notes sentences about the walk
   * @param inTime whether it came to its end
   */
  ToolResult result(String where, boolean leftOut, List<String> notes, boolean inTime) {
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
    if (matches == 0 && inTime) {
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
      output.note("long lines are cut to " + Findings.MAX_LINE_CHARS + " characters");
    }
    if (pieces) {
      output.note(
          "lines longer than " + Wanted.PIECE_CHARS + " characters were searched in pieces");
    }
    if (cutSearches) {
      output.note(
          "lines longer than "
              + FileSearch.MAX_EXPRESSION_CHARS
              + " characters were searched no further; fixed: true goes on");
    }
    if (cutFiles) {
      output.note("files were searched up to " + FileSearch.MAX_FILE_BYTES + " bytes each");
    }
    if (tooMuch) {
      output.note("the search ended after " + MAX_TOTAL_BYTES + " bytes; give a narrower path");
    }
    notes.forEach(output::note);
    ToolResult result = output.result();
    return !inTime || stopped || tooMuch || cutLines || cutSearches || cutFiles
        ? ToolResult.partial(result.text())
        : result;
  }
}
