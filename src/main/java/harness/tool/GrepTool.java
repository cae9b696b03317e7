package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.Directory;
import harness.workspace.FileHandle;
import harness.workspace.FileKind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Finds lines by what they hold. */
final class GrepTool implements WorkingTool {
  /** How many results are shown unless a limit is given, and at most. */
  static final int DEFAULT_LIMIT = 200;

  static final int MAX_LIMIT = 2_000;
  static final int MAX_CONTEXT_LINES = 20;

  /** How long one call searches: it ends itself, with what it has, before its host does. */
  static final Duration MAX_TIME = Duration.ofSeconds(50);

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

  private final int workers;
  private final Duration maxTime;

  GrepTool() {
    this(Crew.USUAL_WORKERS, MAX_TIME);
  }

  /**
   * @param workers how many threads one call has
   */
  GrepTool(int workers, Duration maxTime) {
    this.workers = workers;
    this.maxTime = maxTime;
  }

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public ToolResult call(JsonNode input, Seat seat)
      throws ToolException, IOException, InterruptedException {
    Arguments arguments = Arguments.of(SPEC, input);
    String path = arguments.optionalPath("path");
    Wanted wanted =
        Wanted.of(
            arguments.text("pattern"), arguments.flag("fixed"), arguments.flag("ignore_case"));
    Search.Mode mode =
        Search.Mode.valueOf(
            arguments
                .choice("mode", "content", "content", "files", "count")
                .toUpperCase(Locale.ROOT));
    int context = arguments.number("context", 0, 0, MAX_CONTEXT_LINES);
    int limit = arguments.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
    Optional<String> filter = arguments.optionalText("glob");
    Optional<Glob> glob =
        filter.isEmpty() ? Optional.empty() : Optional.of(Glob.filter(filter.get()));
    Search search = new Search(mode, context, limit);
    Supplier<FileSearch> files = () -> new FileSearch(wanted, mode, context, limit);
    if (seat.root().status(path).kind() == FileKind.DIRECTORY) {
      return directory(seat, path, arguments.flag("ignored"), glob, search, files);
    }
    return file(seat, path, search, files.get());
  }

  private ToolResult file(Seat seat, String path, Search search, FileSearch files)
      throws IOException, InterruptedException {
    AtomicReference<IOException> failure = new AtomicReference<>();
    boolean inTime;
    try (FileHandle file = seat.root().file(path)) {
      inTime =
          new Crew(1, maxTime)
              .run(
                  () -> {
                    try {
                      Findings unused = files.search(file);
                    } catch (IOException e) {
                      failure.set(e);
                    }
                  });
    }
    if (failure.get() instanceof IOException e) {
      throw e;
    }
    String shown = seat.root().shown(path);
    boolean goesOn = search.take(() -> Shown.path(shown), files.found());
    return search.result(shown, false, notes(List.of(), inTime), inTime);
  }

  private ToolResult directory(
      Seat seat,
      String path,
      boolean ignored,
      Optional<Glob> glob,
      Search search,
      Supplier<FileSearch> files)
      throws IOException, InterruptedException {
    Directory base = seat.root().directory(path);
    String shown = base.shown();
    Walk<Findings> walk =
        new Walk<>(
            seat.root(),
            ignored,
            new Crew(workers, maxTime),
            () -> new FilteredFiles(files.get(), glob),
            new InOrder(search, Walk.prefix(base)));
    boolean inTime = walk.through(base);
    return search.result(shown, walk.leftOut(), notes(walk.notes(), inTime), inTime);
  }

  private List<String> notes(List<String> notes, boolean inTime) {
    if (inTime) {
      return notes;
    }
    List<String> all = new ArrayList<>(notes);
    all.add(Crew.ended(maxTime));
    return all;
  }

  private record InOrder(Search search, String prefix) implements Walk.Taker<Findings> {
    @Override
    public boolean take(String path, Findings found) {
      return search.take(() -> Shown.path(prefix + path), found);
    }

    @Override
    public int weight(Findings found) {
      return found.chars();
    }
  }
}
