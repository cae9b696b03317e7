package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.FileHandle;
import harness.workspace.FileKind;
import harness.workspace.Removable;
import harness.workspace.git.ContentDiff;
import java.io.IOException;
import java.util.Optional;

/**
 * Deletes a file, a link itself, or a directory with all that is in it, which is what people mean
 * by deleting a directory; it is bounded, and holds nothing of git's.
 */
final class DeleteTool implements WorkingTool {
  private static final ToolSpec SPEC =
      new ToolSpec(
          "delete",
          "Delete a file, a link itself, or a directory with all that is in it, at most "
              + Removable.MAX_DELETED
              + " entries. A relative path resolves at the working directory.",
          Schema.object().required("path", Schema.text("What to delete.")).build(),
          true);

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public ToolResult call(JsonNode input, Seat seat)
      throws ToolException, IOException, InterruptedException {
    String path = Arguments.of(SPEC, input).path("path");
    try (Removable entry = seat.root().removable(path)) {
      String shown = Shown.path(entry.shown());
      Known known = new Known(seat, path, shown);
      known.requireFile(entry.kind());
      if (seat.suggests()) {
        return proposed(seat, path, entry);
      }
      Optional<String> version = known.version();
      if (version.isPresent() && entry.kind() == FileKind.FILE) {
        known.require(Version.of(entry.file()));
      }
      Removable.Deleted deleted = entry.delete();
      return ToolResult.of(
          switch (entry.kind()) {
            case DIRECTORY -> "deleted the directory " + shown + told(deleted);
            case LINK -> "deleted the link " + shown;
            case FILE, FIFO, SOCKET, DEVICE, OTHER -> "deleted " + shown;
          });
    }
  }

  private static ToolResult proposed(Seat seat, String path, Removable entry)
      throws ToolException, IOException, InterruptedException {
    String shown = Shown.path(entry.shown());
    FileHandle file = entry.file();
    String version = Version.of(file);
    Known known = new Known(seat, path, shown);
    if (known.version().isPresent()) {
      known.require(version);
    }
    Proposing proposing = new Proposing(seat).from(path, version).gone(path);
    long size = file.status().size();
    if (size > ContentDiff.MAX_BYTES) {
      proposing.removal(shown, size);
    } else {
      proposing.removal(shown, Content.of(file, shown, SPEC.name(), ContentDiff.MAX_BYTES));
    }
    return proposing.result(ToolResult.of("deleted " + shown));
  }

  private static String told(Removable.Deleted deleted) {
    long inner = deleted.directories() - 1;
    if (deleted.files() + inner == 0) {
      return ", which was empty";
    }
    return " with "
        + counted(deleted.files(), "file", "files")
        + (inner == 0 ? "" : " and " + counted(inner, "directory", "directories"))
        + " in it";
  }

  private static String counted(long count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }
}
