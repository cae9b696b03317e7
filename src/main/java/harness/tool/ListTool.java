package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.Directory;
import java.io.IOException;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/** Shows what is in a directory. */
final class ListTool implements WorkingTool {
  /** The most entries that are shown; of a larger directory the first ones by name. */
  static final int MAX_ENTRIES = 1_000;

  private static final Comparator<Directory.Entry> BY_NAME =
      Comparator.comparing(Directory.Entry::name);

  private static final ToolSpec SPEC =
      new ToolSpec(
          "list",
          "List the entries of a directory: directories end in /, links in @, files have their size"
              + " in bytes. A relative path resolves at the working directory.",
          Schema.object()
              .optional("path", Schema.text("The directory; the working directory by default."))
              .build(),
          false);

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public ToolResult call(JsonNode input, Seat seat)
      throws ToolException, IOException, InterruptedException {
    String path = Arguments.of(SPEC, input).optionalPath("path");
    try (Directory directory = seat.root().directory(path)) {
      return listing(directory);
    }
  }

  /** However many entries there are, no more are held than are shown. */
  static ToolResult listing(Directory directory) throws IOException, InterruptedException {
    PriorityQueue<Directory.Entry> first = new PriorityQueue<>(BY_NAME.reversed());
    long count = 0;
    for (Iterator<Directory.Entry> entries = directory.entries(); entries.hasNext(); count++) {
      Blocks.checkInterrupt();
      first.add(entries.next());
      if (first.size() > MAX_ENTRIES) {
        first.poll();
      }
    }
    if (count == 0) {
      return ToolResult.of("[" + directory.shown() + " is empty]");
    }
    return show(directory, first.stream().sorted(BY_NAME).toList(), count);
  }

  private static ToolResult show(Directory directory, List<Directory.Entry> entries, long count) {
    Output output = new Output();
    int shown = 0;
    while (shown < entries.size() && output.line(line(directory, entries.get(shown)))) {
      shown++;
    }
    if (shown < count) {
      output.note(
          shown
              + " of "
              + count
              + " entries are shown; see the rest with glob and a pattern for their names");
    }
    ToolResult result = output.result();
    return shown < count ? ToolResult.partial(result.text()) : result;
  }

  private static String line(Directory directory, Directory.Entry entry) {
    String name = Shown.path(entry.name());
    return switch (entry.kind()) {
      case DIRECTORY -> name + "/";
      case LINK -> name + "@";
      case FILE -> name + size(directory, entry.name());
      case FIFO -> name + " (FIFO)";
      case SOCKET -> name + " (socket)";
      case DEVICE -> name + " (device)";
      case OTHER -> name + " (no file)";
    };
  }

  /** Nothing where the file is gone meanwhile or can't be asked: its name was true when listed. */
  private static String size(Directory directory, String name) {
    try {
      return "  " + directory.status(name).size();
    } catch (IOException e) {
      return "";
    }
  }
}
