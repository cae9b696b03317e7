package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.Directory;
import harness.workspace.FileHandle;
import harness.workspace.FileKind;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds lines by what they hold. */
final class GrepTool implements WorkingTool {
  /** How many results are shown unless a limit is given, and at most. */
  static final int DEFAULT_LIMIT = 200;

  static final int MAX_LIMIT = 2_000;
  static final int MAX_CONTEXT_LINES = 20;

  private static final ToolSpec SPEC =
      new ToolSpec(
          "grep",
          "Search in files for a regular expression (RE2 syntax), line by line. Leaves out binary"
              + " files, .git and what .gitignore excludes. A relative path resolves at the working"
              + " directory.",
          Schema.object()
              .required("pattern", Schema.text("The regular expression."))
              .optional(
                  "path", Schema.text("A file or directory; the working directory by default."))
              .optional("glob", Schema.text("Only files like this, such as *.java or src/**."))
              .optional(
                  "mode",
                  Schema.choice(
                      "Matching lines (default), names of files, or counts of lines.",
                      "content",
                      "files",
                      "count"))
              .optional("context", Schema.wholeNumber("Lines to show around each match."))
              .optional("fixed", Schema.flag("The pattern is plain text."))
              .optional("ignore_case", Schema.flag("Upper and lower case are the same."))
              .optional("ignored", Schema.flag("Search what .gitignore excludes, too."))
              .optional(
                  "limit",
                  Schema.wholeNumber(
                      "The most results, "
                          + DEFAULT_LIMIT
                          + " by default, at most "
                          + MAX_LIMIT
                          + "."))
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
    String path = arguments.optionalPath("path");
    Search search =
        new Search(
            Wanted.of(
                arguments.text("pattern"), arguments.flag("fixed"), arguments.flag("ignore_case")),
            Search.Mode.valueOf(
                arguments
                    .choice("mode", "content", "content", "files", "count")
                    .toUpperCase(Locale.ROOT)),
            arguments.number("context", 0, 0, MAX_CONTEXT_LINES),
            arguments.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT));
    Optional<String> filter = arguments.optionalText("glob");
    Optional<Glob> glob =
        filter.isEmpty() ? Optional.empty() : Optional.of(Glob.filter(filter.get()));
    if (seat.root().status(path).kind() == FileKind.DIRECTORY) {
      return directory(seat, path, arguments.flag("ignored"), glob, search);
    }
    try (FileHandle file = seat.root().file(path)) {
      search.file(file, Shown.path(seat.root().shown(path)));
    }
    return search.result(seat.root().shown(path), false, List.of());
  }

  private static ToolResult directory(
      Seat seat, String path, boolean ignored, Optional<Glob> glob, Search search)
      throws ToolException, IOException, InterruptedException {
    try (Directory base = seat.root().directory(path)) {
      String prefix = Walk.prefix(base);
      Walk walk = new Walk(seat.root(), ignored, new EachFile(search, glob, prefix));
      walk.through(base);
      return search.result(base.shown(), walk.leftOut(), walk.notes());
    }
  }

  /** Searches each file of a walk that passes the filter. */
  private static final class EachFile implements Walk.Visitor {
    private final Search search;
    private final Optional<Glob> glob;
    private final String prefix;

    EachFile(Search search, Optional<Glob> glob, String prefix) {
      this.search = search;
      this.glob = glob;
      this.prefix = prefix;
    }

    @Override
    public boolean enters(String path) {
      return glob.isEmpty() || glob.get().reaches(path);
    }

    @Override
    public boolean takes(Directory directory, Directory.Entry entry, String path)
        throws IOException, InterruptedException {
      if (entry.kind() != FileKind.FILE || (glob.isPresent() && !glob.get().matches(path))) {
        return true;
      }
      try (FileHandle file = directory.file(entry.name())) {
        return search.file(file, Shown.path(prefix + path));
      }
    }
  }
}
