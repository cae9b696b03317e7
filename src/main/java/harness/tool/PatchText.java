package harness.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a unified diff, with or without git's headers. What stands between the files is passed
 * over, as in a patch by mail. A hunk whose header counts wrongly is read by the marks of its
 * lines.
 */
final class PatchText {
  private static final Pattern RANGES =
      Pattern.compile(
          "@@ -(\\d{1,9})(?:,(\\d{1,9}))? \\+(\\d{1,9})(?:,(\\d{1,9}))? @@.*", Pattern.DOTALL);
  private static final Pattern MODE =
      Pattern.compile("(?:old mode|new mode|new file mode|deleted file mode|index \\S+) (\\d{6})");

  private final List<String> lines;
  private int at;

  private PatchText(List<String> lines) {
    this.lines = lines;
  }

  static List<PatchFile> read(String patch) throws ToolException {
    List<String> lines = new ArrayList<>(List.of(patch.split("\n", -1)));
    if (lines.getLast().isEmpty()) {
      lines.removeLast();
    }
    // Headers with carriage returns were not written by git: all lines got theirs on the way here.
    PatchText text = new PatchText(lines);
    for (int i = 0; i + 1 < lines.size(); i++) {
      if (text.isFileHeader(i) && lines.get(i).endsWith("\r") && lines.get(i + 1).endsWith("\r")) {
        lines.replaceAll(line -> line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
      }
    }
    return text.files();
  }

  private List<PatchFile> files() throws ToolException {
    List<PatchFile> files = new ArrayList<>();
    while (at < lines.size()) {
      if (lines.get(at).startsWith("diff --git ")) {
        files.add(gitFile());
      } else if (isFileHeader(at)) {
        files.add(file(new Header()));
      } else if (lines.get(at).startsWith("@@")) {
        throw new ToolException(
            "line "
                + (at + 1)
                + " of the patch begins a hunk, but no file's --- and +++ lines stand before it");
      } else if (lines.get(at).matches("Binary files .* differ")) {
        throw binary(lines.get(at));
      } else {
        at++;
      }
    }
    if (files.isEmpty()) {
      throw new ToolException(
          lines.stream().anyMatch(line -> line.startsWith("*** Begin Patch"))
              ? "this is no unified diff: leave out the *** lines, begin each file with '--- a/PATH'"
                  + " and '+++ b/PATH', and each hunk with '@@ -START,COUNT +START,COUNT @@'"
              : "the patch has no file in it: each begins with '--- a/PATH' and '+++ b/PATH'");
    }
    return files;
  }

  /** What the lines before the first hunk say. */
  private static final class Header {
    private Optional<String> from = Optional.empty();
    private Optional<String> to = Optional.empty();
    private boolean copies;
    private boolean renames;
    private boolean created;
    private boolean deleted;
    private Optional<Boolean> executable = Optional.empty();
  }

  private PatchFile gitFile() throws ToolException {
    String first = lines.get(at).substring("diff --git ".length());
    Header header = new Header();
    Optional<PatchPath.Pair> same = PatchPath.git(first);
    header.from = same.flatMap(PatchPath.Pair::before);
    header.to = same.flatMap(PatchPath.Pair::after);
    for (at++; at < lines.size() && !lines.get(at).startsWith("diff --git "); at++) {
      if (isFileHeader(at)) {
        return file(header);
      }
      if (!extended(lines.get(at), header, first)) {
        break;
      }
    }
    if (header.created) {
      header.from = Optional.empty();
    }
    if (header.deleted) {
      header.to = Optional.empty();
    }
    if (header.from.isEmpty() && header.to.isEmpty()) {
      throw new ToolException("the patch does not tell the paths in 'diff --git " + first + "'");
    }
    return new PatchFile(header.from, header.to, header.copies, header.executable, List.of());
  }

  /** False where the line is none of git's header. */
  private static boolean extended(String line, Header header, String file) throws ToolException {
    Matcher mode = MODE.matcher(line);
    if (mode.matches()) {
      requireFile(mode.group(1), file);
    }
    if (line.startsWith("rename from ") || line.startsWith("copy from ")) {
      header.from = Optional.of(PatchPath.read(line.substring(line.indexOf("from ") + 5)));
      header.renames = true;
      header.copies = line.startsWith("copy");
    } else if (line.startsWith("rename to ") || line.startsWith("copy to ")) {
      header.to = Optional.of(PatchPath.read(line.substring(line.indexOf("to ") + 3)));
    } else if (line.startsWith("new file mode ")) {
      header.created = true;
      header.executable = Optional.of(line.endsWith("755"));
    } else if (line.startsWith("deleted file mode ")) {
      header.deleted = true;
    } else if (line.startsWith("new mode ")) {
      header.executable = Optional.of(line.endsWith("755"));
    } else if (line.startsWith("Binary files ") || line.startsWith("GIT binary patch")) {
      throw binary(file);
    } else {
      return line.matches("(old mode|similarity index|dissimilarity index|index) .*");
    }
    return true;
  }

  private static ToolException binary(String file) {
    return new ToolException(
        "'" + file + "' is binary in this patch, and apply_patch changes text; use a command");
  }

  private static void requireFile(String mode, String file) throws ToolException {
    if (!mode.startsWith("100")) {
      throw new ToolException(
          "'"
              + file
              + "' is no regular file in this patch (mode "
              + mode
              + "): links and submodules are made and changed by commands");
    }
  }

  private boolean isFileHeader(int line) {
    return line + 1 < lines.size()
        && lines.get(line).startsWith("--- ")
        && lines.get(line + 1).startsWith("+++ ");
  }

  private PatchFile file(Header header) throws ToolException {
    PatchPath.Pair paths =
        PatchPath.Pair.of(
            PatchPath.read(lines.get(at).substring(4)),
            PatchPath.read(lines.get(at + 1).substring(4)));
    if (!header.renames) {
      header.from = paths.before();
      header.to = paths.after();
    }
    String path = header.to.or(() -> header.from).orElse("");
    if (path.isEmpty()) {
      throw new ToolException("line " + (at + 1) + " of the patch names no file on either side");
    }
    at += 2;
    List<Hunk> hunks = new ArrayList<>();
    while (at < lines.size() && lines.get(at).startsWith("@@")) {
      hunks.add(hunk(path));
    }
    return new PatchFile(header.from, header.to, header.copies, header.executable, hunks);
  }

  private Hunk hunk(String path) throws ToolException {
    String header = lines.get(at);
    if (header.startsWith("@@@")) {
      throw new ToolException(
          "the hunks of '"
              + path
              + "' compare a merge with its sides; give a diff of two versions");
    }
    Matcher ranges = RANGES.matcher(header);
    boolean numbered = ranges.matches();
    int body = ++at;
    if (numbered) {
      int start = Integer.parseInt(ranges.group(1));
      Optional<List<Hunk.Line>> counted = counted(count(ranges.group(2)), count(ranges.group(4)));
      if (counted.isPresent()) {
        return new Hunk(header, start, counted.get(), false);
      }
      at = body;
      return new Hunk(header, start, marked(path, header), true);
    }
    return new Hunk(header, -1, marked(path, header), false);
  }

  private static int count(@Nullable String group) {
    return group == null ? 1 : Integer.parseInt(group);
  }

  /** As many lines as the header says; empty where that does not fit what follows. */
  private Optional<List<Hunk.Line>> counted(int before, int after) {
    List<Hunk.Line> hunk = new ArrayList<>();
    int old = 0;
    int fresh = 0;
    while (old < before || fresh < after) {
      Optional<Hunk.Kind> kind = at < lines.size() ? kind(lines.get(at)) : Optional.empty();
      if (kind.isEmpty()) {
        return Optional.empty();
      }
      old += kind.get() == Hunk.Kind.ADDED ? 0 : 1;
      fresh += kind.get() == Hunk.Kind.REMOVED ? 0 : 1;
      add(hunk, kind.get());
    }
    boolean more =
        at < lines.size()
            && !lines.get(at).isEmpty()
            && !lines.get(at).equals("-- ")
            && !isFileHeader(at)
            && kind(lines.get(at)).isPresent();
    return old == before && fresh == after && !more ? Optional.of(hunk) : Optional.empty();
  }

  /** All lines that are marked as lines of a hunk. */
  private List<Hunk.Line> marked(String path, String header) throws ToolException {
    List<Hunk.Line> hunk = new ArrayList<>();
    int last = 0;
    while (at < lines.size() && !isFileHeader(at) && !lines.get(at).startsWith("@@")) {
      Optional<Hunk.Kind> kind = kind(lines.get(at));
      if (kind.isEmpty()) {
        break;
      }
      boolean blank = lines.get(at).isEmpty();
      add(hunk, kind.get());
      last = blank ? last : hunk.size();
    }
    if (last == 0) {
      throw new ToolException("the hunk '" + header + "' of '" + path + "' has no lines");
    }
    // Blank lines behind the last marked one only part the hunk from what follows.
    return hunk.subList(0, last);
  }

  /** Empty where it is no line of a hunk. A blank line is one of context whose mark got lost. */
  private static Optional<Hunk.Kind> kind(String line) {
    return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
      case ' ', '\r' -> Optional.of(Hunk.Kind.CONTEXT);
      case '-' -> Optional.of(Hunk.Kind.REMOVED);
      case '+' -> Optional.of(Hunk.Kind.ADDED);
      default -> Optional.empty();
    };
  }

  private void add(List<Hunk.Line> hunk, Hunk.Kind kind) {
    String line = lines.get(at++);
    boolean ends = at == lines.size() || !lines.get(at).startsWith("\\");
    if (!ends) {
      at++;
    }
    String text = line.isEmpty() || line.equals("\r") ? line : line.substring(1);
    hunk.add(new Hunk.Line(kind, text, ends));
  }
}
