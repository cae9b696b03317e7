package harness.workspace.git;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.jgit.diff.DiffEntry;

/** How much each file changed, drawn as {@code git diff --stat} does. Names are never cut. */
final class PatchStat {
  private static final int WIDTH_COLUMNS = 80;
  private static final int MIN_GRAPH_COLUMNS = 6;
  private static final int FRAME_COLUMNS = 6;

  private record Line(String name, boolean lines, long before, long after) {}

  private final List<Line> files = new ArrayList<>();
  private long inserted;
  private long removed;

  void add(Patch patch) {
    DiffEntry change = patch.change();
    String path = Change.path(change);
    String name =
        change.getChangeType() == DiffEntry.ChangeType.RENAME
            ? PathDisplay.renamed(change.getOldPath(), path)
            : PathDisplay.quoted(path);
    if (Change.isDirty(change) && change.getOldId().equals(change.getNewId())) {
      add(new Line(name, true, 0, 0));
    } else if (patch.kind() == Patch.Kind.LINES) {
      add(new Line(name, true, patch.deleted(), patch.added()));
      inserted += patch.added();
      removed += patch.deleted();
    } else {
      boolean same = change.getOldId().equals(change.getNewId());
      long before = same ? 0 : patch.bytesBefore();
      files.add(new Line(name, false, before, same ? 0 : patch.bytesAfter()));
    }
  }

  /** A file that became a link is two patches and one line. */
  private void add(Line line) {
    if (!files.isEmpty() && files.getLast().lines && files.getLast().name.equals(line.name)) {
      Line first = files.removeLast();
      files.add(new Line(line.name, true, first.before + line.before, first.after + line.after));
    } else {
      files.add(line);
    }
  }

  String text() {
    if (files.isEmpty()) {
      return "";
    }
    long most = 0;
    int nameColumns = 0;
    int binaryColumns = 0;
    for (Line file : files) {
      nameColumns = Math.max(nameColumns, file.name.codePointCount(0, file.name.length()));
      if (file.lines) {
        most = Math.max(most, file.before + file.after);
      } else {
        binaryColumns = Math.max(binaryColumns, 14 + digits(file.before) + digits(file.after));
      }
    }
    int numberColumns = Math.max(digits(most), binaryColumns == 0 ? 0 : 3);
    int graphColumns = graphColumns(most, binaryColumns, nameColumns, numberColumns);
    StringBuilder text = new StringBuilder();
    for (Line file : files) {
      int length = file.name.codePointCount(0, file.name.length());
      text.append(' ').append(file.name).append(" ".repeat(nameColumns - length)).append(" | ");
      text.append(file.lines ? graph(file, most, numberColumns, graphColumns) : binary(file));
      text.append('\n');
    }
    return text.append(summary()).toString();
  }

  private static int graphColumns(long most, int binary, int name, int number) {
    long wanted = Math.max(most, binary - 4L);
    if (name + number + FRAME_COLUMNS + wanted <= WIDTH_COLUMNS) {
      return (int) wanted;
    }
    long share = Math.max(MIN_GRAPH_COLUMNS, WIDTH_COLUMNS * 3 / 8 - number - FRAME_COLUMNS);
    long graph = Math.min(wanted, share);
    return (int) Math.max(graph, WIDTH_COLUMNS - number - FRAME_COLUMNS - name);
  }

  private static String graph(Line file, long most, int numberColumns, int graphColumns) {
    long minus = file.before;
    long plus = file.after;
    String total = String.valueOf(minus + plus);
    if (graphColumns <= most) {
      long all = scaled(plus + minus, graphColumns, most);
      if (all < 2 && plus > 0 && minus > 0) {
        all = 2;
      }
      if (plus < minus) {
        plus = scaled(plus, graphColumns, most);
        minus = all - plus;
      } else {
        minus = scaled(minus, graphColumns, most);
        plus = all - minus;
      }
    }
    String padding = " ".repeat(Math.max(0, numberColumns - total.length()));
    String bars = "+".repeat((int) plus) + "-".repeat((int) minus);
    return padding + total + (bars.isEmpty() ? "" : " " + bars);
  }

  private static long scaled(long count, int width, long most) {
    return count == 0 ? 0 : 1 + count * (width - 1) / most;
  }

  private static String binary(Line file) {
    return file.before == 0 && file.after == 0
        ? "Bin"
        : "Bin " + file.before + " -> " + file.after + " bytes";
  }

  private String summary() {
    String text = " " + files.size() + (files.size() == 1 ? " file changed" : " files changed");
    if (inserted > 0 || removed == 0) {
      text += ", " + inserted + (inserted == 1 ? " insertion(+)" : " insertions(+)");
    }
    if (removed > 0 || inserted == 0) {
      text += ", " + removed + (removed == 1 ? " deletion(-)" : " deletions(-)");
    }
    return text + "\n";
  }

  private static int digits(long number) {
    return String.valueOf(number).length();
  }
}
