package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.Directory;
import harness.workspace.FileKind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Finds files by their paths. */
final class GlobTool implements WorkingTool {
  /** The most paths that are shown. */
  static final int MAX_PATHS = 1_000;

  /** How long one call looks: it ends itself, with what it has, before its host does. */
  static final Duration MAX_TIME = Duration.ofSeconds(50);

  /** How long it looks for names in other case, where nothing was found. */
  private static final Duration MAX_HINT_TIME = Duration.ofSeconds(5);

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

  private final int workers;

  GlobTool() {
    this(Crew.USUAL_WORKERS);
  }

  /**
   * @param workers how many threads one call has
   */
  GlobTool(int workers) {
    this.workers = workers;
  }

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
    Directory base = seat.root().directory(place.path());
    String shown = base.shown();
    String prefix = Walk.prefix(base);
    Finder finder = new Finder(glob, prefix, MAX_PATHS);
    Walk<Boolean> walk = walk(seat, ignored, finder, MAX_TIME);
    boolean inTime = walk.through(base);
    String hint = "";
    if (inTime && finder.count() == 0) {
      hint = hint(place.pattern());
      Finder other = new Finder(Glob.anyCase(place.pattern()), prefix, 1);
      if (walk(seat, ignored, other, MAX_HINT_TIME).through(seat.root().directory(place.path()))
          && other.count() > 0) {
        hint = "; in other case there is " + Shown.path(other.paths.getFirst());
      }
    }
    return finder.result(walk, place.pattern(), shown, hint, inTime);
  }

  private Walk<Boolean> walk(Seat seat, boolean ignored, Finder finder, Duration atMost) {
    return new Walk<>(seat.root(), ignored, new Crew(workers, atMost), () -> finder, finder);
  }

  private static String hint(String pattern) {
    if (pattern.indexOf('[') >= 0) {
      return "; [ab] stands for one of its characters, \\[ for the bracket itself";
    }
    return pattern.indexOf('/') < 0 && !pattern.contains("**")
        ? "; **/" + pattern + " looks deeper"
        : "";
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

  /** Takes the paths that match; what every thread looks with, too. */
  static final class Finder implements Walk.Visitor<Boolean>, Walk.Taker<Boolean> {
    private final Glob glob;
    private final String prefix;
    private final int most;
    private final List<String> paths = new ArrayList<>();
    private boolean more;

    /**
     * @param prefix what is put before each path
     * @param most how many paths are kept
     */
    Finder(Glob glob, String prefix, int most) {
      this.glob = glob;
      this.prefix = prefix;
      this.most = most;
    }

    int count() {
      return paths.size();
    }

    @Override
    public boolean enters(String path) {
      return glob.reaches(path);
    }

    @Override
    public boolean wants(Directory.Entry entry, String path) {
      return (entry.kind() == FileKind.DIRECTORY) == glob.directories() && glob.matches(path);
    }

    @Override
    public Boolean visit(Directory directory, Directory.Entry entry, String path) {
      return true;
    }

    @Override
    public int weight(Boolean found) {
      return 0;
    }

    @Override
    public boolean take(String path, Boolean found) {
      more = paths.size() == most;
      if (!more) {
        paths.add(prefix + path + (glob.directories() ? "/" : ""));
      }
      return !more;
    }

    ToolResult result(
        Walk<Boolean> walk, String pattern, String base, String hint, boolean inTime) {
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
      if (paths.isEmpty() && inTime) {
        output.note(
            "no "
                + (glob.directories() ? "directory" : "file")
                + " matches "
                + pattern
                + " in "
                + base
                + hint
                + (walk.leftOut() ? "; ignored: true looks at what .gitignore excludes, too" : ""));
      }
      walk.notes().forEach(output::note);
      if (!inTime) {
        output.note(Crew.ended(MAX_TIME));
      }
      ToolResult result = output.result();
      return cut || !inTime ? ToolResult.partial(result.text()) : result;
    }
  }
}
