package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.FileHandle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Shows a part of a text file with the numbers of its lines. */
final class ReadTool implements WorkingTool {
  /** The most lines of one read. */
  static final int MAX_LINES = 2_000;

  /** The most characters that are shown of a line. */
  static final int MAX_LINE_CHARS = 2_000;

  /** How far into a file a read looks for its lines. */
  static final long MAX_SCAN_BYTES = 256L * 1024 * 1024;

  /** How the output of a command is named, before its handle. */
  private static final String OUTPUT = "output:";

  private static final ToolSpec SPEC =
      new ToolSpec(
          "read",
          "Read a text file, or look at a picture (PNG, JPEG, GIF, WebP). Each line is shown after"
              + " its number and a tab. A relative path resolves at the working directory.",
          Schema.object()
              .required("path", Schema.text("The file."))
              .optional("offset", Schema.wholeNumber("The first line to show, from 1."))
              .optional(
                  "limit", Schema.wholeNumber("How many lines to show, at most " + MAX_LINES + "."))
              .build(),
          false);

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public ToolResult call(JsonNode input, Seat seat)
      throws ToolException, IOException, InterruptedException {
    Arguments arguments = Arguments.of(SPEC, input);
    String path = arguments.path("path");
    String shown = Shown.path(path);
    int offset = arguments.number("offset", 1, 1, Integer.MAX_VALUE);
    int limit = arguments.number("limit", MAX_LINES, 1, MAX_LINES);
    if (path.startsWith(OUTPUT)) {
      // The output of a command is no file of the workspace, and no path leads to it.
      try (FileHandle output = seat.commands().output(path.substring(OUTPUT.length()))) {
        return show(output, shown, offset, limit);
      }
    }
    try (FileHandle file = seat.root().file(path)) {
      // Taken first: what changes while it is shown is then known to have changed.
      String version = Version.of(file);
      return show(file, shown, offset, limit).seeing(Seen.of(seat.cwd(), path, version));
    }
  }

  private static ToolResult show(FileHandle file, String shown, int offset, int limit)
      throws ToolException, IOException, InterruptedException {
    long size = file.status().size();
    byte[] head = Blocks.head(file, BinaryKind.HEAD_BYTES);
    Optional<String> binary = BinaryKind.of(head);
    if (binary.isPresent()) {
      Optional<Picture> picture = Picture.of(head);
      if (picture.isPresent()) {
        return picture.get().result(file, size, shown);
      }
      return ToolResult.of(
          "[" + shown + " is " + binary.get() + " of " + size + " bytes; it is not shown]");
    }
    if (head.length == 0) {
      return ToolResult.of("[" + shown + " is empty]");
    }
    Encoding encoding = Encoding.of(file);
    Lines lines = new Lines(file, encoding, MAX_LINE_CHARS, MAX_SCAN_BYTES);
    skip(lines, offset, shown);
    return new Page(lines, encoding, size).show(offset, limit);
  }

  private static void skip(Lines lines, int offset, String path)
      throws ToolException, IOException, InterruptedException {
    while (lines.number() < offset - 1) {
      if (!lines.next()) {
        throw pastTheEnd(lines, offset, path);
      }
      lines.skipLine();
    }
    if (!lines.next()) {
      throw pastTheEnd(lines, offset, path);
    }
  }

  private static ToolException pastTheEnd(Lines lines, int offset, String path) {
    String lineCount = lines.number() == 1 ? "1 line" : lines.number() + " lines";
    return new ToolException(
        lines.exhausted()
            ? "line "
                + offset
                + " of "
                + path
                + " is further than read looks: the first "
                + MAX_SCAN_BYTES
                + " bytes have "
                + lineCount
            : "offset " + offset + " is past the end: " + path + " has " + lineCount);
  }

  /** One page of lines, from the one that {@code lines} is at. */
  private static final class Page {
    private final Lines lines;
    private final Encoding encoding;
    private final long size;
    private final Output output = new Output();
    private final List<String> cuts = new ArrayList<>();
    private long last;
    private int crlf;
    private int lf;
    private boolean endsInside;

    Page(Lines lines, Encoding encoding, long size) {
      this.lines = lines;
      this.encoding = encoding;
      this.size = size;
    }

    ToolResult show(int offset, int limit) throws IOException, InterruptedException {
      boolean more = true;
      while (more && lines.number() < (long) offset + limit && add()) {
        more = lines.next();
      }
      notes(offset, more);
      return output.result();
    }

    private boolean add() throws IOException, InterruptedException {
      long number = lines.number();
      String text = lines.text().toString();
      long rest = lines.skipLine();
      String mark = rest == 0 ? "" : " [" + rest + " more characters]";
      if (!output.line(numbered(number, text + mark))) {
        return false;
      }
      if (rest > 0) {
        cuts.add(Long.toString(number));
      }
      last = number;
      switch (lines.end()) {
        case LF -> lf++;
        case CRLF -> crlf++;
        case FILE, CUT -> endsInside = true;
      }
      return true;
    }

    private void notes(int offset, boolean more) {
      if (more) {
        output.note(
            "lines "
                + offset
                + " to "
                + last
                + " are shown; the file, of "
                + size
                + " bytes, goes on: read it with offset "
                + (last + 1));
      } else if (lines.exhausted()) {
        output.note("read looks no further than the first " + MAX_SCAN_BYTES + " bytes");
      } else if (endsInside) {
        output.note("the last line has no line end");
      }
      if (!cuts.isEmpty()) {
        output.note(
            "cut to "
                + MAX_LINE_CHARS
                + " characters: line "
                + String.join(", ", cuts.subList(0, Math.min(20, cuts.size())))
                + (cuts.size() > 20 ? " and " + (cuts.size() - 20) + " more" : "")
                + "; grep shows what is around a match in a long line");
      }
      if (crlf > 0) {
        output.note(lf == 0 ? "lines end in CRLF" : crlf + " of these lines end in CRLF");
      }
      if (encoding.equals(Encoding.LATIN_1) || lines.malformed()) {
        output.note(
            "not valid "
                + (encoding.utf16() ? encoding.charset() : "UTF-8")
                + (encoding.utf16()
                    ? "; what can't be read is shown as U+FFFD"
                    : ": bytes are shown one to one as ISO-8859-1"));
      } else if (encoding.utf16()) {
        output.note("the file is " + encoding.charset());
      } else if (encoding.markBytes() > 0) {
        output.note("the file starts with a byte order mark, which is not shown");
      }
    }

    private static String numbered(long number, String text) {
      String digits = Long.toString(number);
      return " ".repeat(Math.max(0, 6 - digits.length())) + digits + "\t" + text;
    }
  }
}
