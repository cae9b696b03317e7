package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.Directory;
import harness.workspace.FileKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Finds files by their paths. */
final class GlobTool implements WorkingTool {
  /** The most paths that are shown. */
  static final int MAX_PATHS = 1_000;

  private static final ToolSpec SPEC =
      new ToolSpec(
          "glob",
          "Find files by a pattern over their paths: **, *, ?, [a-z], {a,b}; one that ends in /"
              + " finds directories. Leaves out .git and what .gitignore excludes. Paths and"
              + " patterns resolve at the working directory.",
          Schema.object()
              .required("pattern", Schema.text("Such as **/*.java or src/**/{a,b}.txt."))
              .optional("path", Schema.text("Where to look; the working directory by default."))
              .optional("ignored", Schema.flag("Look at what .gitignore excludes, too."))
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
    Place place = Place.of(arguments.text("pattern"), arguments.optionalPath("path"));
    Glob glob = Glob.path(place.pattern());
    boolean ignored = arguments.flag("ignored");
    try (Directory base = seat.root().directory(place.path())) {
      Finder finder = new Finder(glob, Walk.prefix(base));
      Walk walk = new Walk(seat.root(), ignored, finder);
      walk.through(base);
      return finder.result(walk, place.pattern(), base.shown());
    }
  }

  /**
   * Where a pattern begins to be one. What is absolute in it, or goes up, is a part of the path.
   */
  private record Place(String pattern, String path) {
    static Place of(String given, String path) {
      String pattern = given;
      while (pattern.startsWith("./")) {
        pattern = pattern.substring(2);
      }
      if (!pattern.startsWith("/") && !pattern.startsWith("../")) {
        return new Place(pattern, path);
      }
      int end = 0;
      for (int slash = pattern.indexOf('/');
          slash >= 0 && !Glob.special(pattern.substring(end, slash));
          slash = pattern.indexOf('/', end)) {
        end = slash + 1;
      }
      String before = pattern.substring(0, end);
      return new Place(
          pattern.substring(end), before.startsWith("/") ? before : path + "/" + before);
    }
  }

  private static final class Finder implements Walk.Visitor {
    private final Glob glob;
    private final String prefix;
    private final List<String> paths = new ArrayList<>();
    private boolean more;

    Finder(Glob glob, String prefix) {
      this.glob = glob;
      this.prefix = prefix;
    }

    @Override
    public boolean enters(String path) {
      return glob.reaches(path);
    }

    @Override
    public boolean takes(Directory directory, Directory.Entry entry, String path) {
      boolean isDirectory = entry.kind() == FileKind.DIRECTORY;
      if (isDirectory != glob.directories() || !glob.matches(path)) {
        return true;
      }
      more = paths.size() == MAX_PATHS;
      if (!more) {
        paths.add(prefix + path + (isDirectory ? "/" : ""));
      }
      return !more;
    }

    ToolResult result(Walk walk, String pattern, String base) {
      Output output = new Output();
      int shown = 0;
      while (shown < paths.size() && output.line(Shown.path(paths.get(shown)))) {
        shown++;
      }
      boolean cut = more || shown < paths.size();
      if (cut) {
        output.note(
            "the first "
                + shown
                + " paths are shown; there are more: give a narrower pattern or path");
      }
      if (paths.isEmpty()) {
        output.note(
            "no "
                + (glob.directories() ? "directory" : "file")
                + " matches "
                + pattern
                + " in "
                + base
                + (pattern.indexOf('/') < 0 && !pattern.contains("**")
                    ? "; **/" + pattern + " looks deeper"
                    : "")
                + (walk.leftOut() ? "; ignored: true looks at what .gitignore excludes, too" : ""));
      }
      walk.notes().forEach(output::note);
      ToolResult result = output.result();
      return cut ? ToolResult.partial(result.text()) : result;
    }
  }
}
