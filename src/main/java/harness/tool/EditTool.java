package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.workspace.FileHandle;
import harness.workspace.PathException;
import harness.workspace.Target;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Replaces exact parts of a file, all that were asked for or none. */
final class EditTool implements WorkingTool {
  /** The largest file that is edited, before and after. */
  static final int MAX_FILE_BYTES = 16 * 1024 * 1024;

  /** The most edits of one call. */
  static final int MAX_EDITS = 200;

  private static final ObjectNode ITEM =
      Schema.object()
          .required("old", Schema.text("What is there, exactly, white space too."))
          .required("new", Schema.text("What replaces it."))
          .optional("all", Schema.flag("Replace every occurrence."))
          .build();

  private static final ToolSpec SPEC =
      new ToolSpec(
          "edit",
          "Replace exact text in a file. Each old must occur exactly once, unless all is true. The"
              + " edits are made one after another, all of them or none. A relative path resolves"
              + " at the working directory.",
          Schema.object()
              .required("path", Schema.text("The file."))
              .required("edits", Schema.list("At least one.", ITEM))
              .build(),
          true);

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public ToolResult call(JsonNode input, Seat seat)
      throws ToolException, IOException, InterruptedException {
    Arguments arguments = Arguments.of(SPEC, nested(input));
    String path = arguments.path("path");
    List<Edit> edits = edits(arguments);
    // Asked first, because a target makes the directories of a file that is not there.
    seat.root().file(path).close();
    try (Target target = seat.root().target(path)) {
      FileHandle current =
          target
              .current()
              .orElseThrow(
                  () ->
                      new PathException(
                          PathException.Kind.NOT_FOUND,
                          target.shown() + " is not there; write makes a new file"));
      EditedBytes bytes = new EditedBytes(target.shown(), all(current, target), MAX_FILE_BYTES);
      List<String> changed = new ArrayList<>();
      for (int i = 0; i < edits.size(); i++) {
        Blocks.checkInterrupt();
        changed.add(apply(bytes, edits.get(i), i, edits.size()));
      }
      target.replace(bytes.bytes());
      return result(target.shown(), changed, bytes.notes());
    }
  }

  private static List<Edit> edits(Arguments arguments) throws ToolException {
    List<Edit> edits = new ArrayList<>();
    for (Arguments edit : arguments.objects("edits", ITEM)) {
      edits.add(new Edit(edit.text("old"), edit.text("new"), edit.flag("all")));
    }
    if (edits.isEmpty()) {
      throw new ToolException("edit: 'edits' is empty; give at least one { old, new }");
    }
    if (edits.size() > MAX_EDITS) {
      throw new ToolException(
          "edit takes at most " + MAX_EDITS + " edits a call, not " + edits.size());
    }
    return edits;
  }

  /** One edit without its list is taken: {@code { path, old, new }}. */
  private static JsonNode nested(JsonNode input) {
    if (!input.isObject() || input.has("edits") || !names(input, ITEM)) {
      return input;
    }
    ObjectNode outer = JsonNodeFactory.instance.objectNode();
    ObjectNode edit = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> field : input.properties()) {
      (Arguments.knows(ITEM, field.getKey()) ? edit : outer).set(field.getKey(), field.getValue());
    }
    outer.putArray("edits").add(edit);
    return outer;
  }

  private static boolean names(JsonNode input, JsonNode schema) {
    return input.properties().stream().anyMatch(field -> Arguments.knows(schema, field.getKey()));
  }

  private static byte[] all(FileHandle file, Target target)
      throws ToolException, IOException, InterruptedException {
    long size = file.status().size();
    if (size <= MAX_FILE_BYTES) {
      // One byte of room more tells a file that grew from one that ended.
      ByteBuffer buffer = ByteBuffer.allocate((int) size + 1);
      int read = Blocks.fill(file, buffer, 0);
      if (read <= size) {
        byte[] bytes = new byte[read];
        buffer.flip().get(bytes);
        return bytes;
      }
      throw new ToolException(target.shown() + " grew while it was read; try again");
    }
    throw new ToolException(
        target.shown()
            + " has "
            + size
            + " bytes; edit takes files of at most "
            + MAX_FILE_BYTES
            + "; change it by a command");
  }

  private static String apply(EditedBytes bytes, Edit edit, int index, int count)
      throws ToolException {
    try {
      return bytes.apply(edit);
    } catch (ToolException e) {
      if (count == 1) {
        throw new ToolException(e.getMessage() + ". The file is unchanged.");
      }
      throw new ToolException(
          "edit "
              + (index + 1)
              + " of "
              + count
              + ": "
              + e.getMessage()
              + (index == 0 ? "" : " (as the edits before it left it)")
              + ". None of the edits was made.");
    }
  }

  private static ToolResult result(String shown, List<String> changed, List<String> notes) {
    Output output = new Output();
    if (changed.size() == 1) {
      output.line("edited " + shown + ": " + changed.getFirst());
    } else {
      output.line("edited " + shown + ": " + changed.size() + " edits");
      for (int i = 0; i < changed.size(); i++) {
        output.line("edit " + (i + 1) + ": " + changed.get(i));
      }
    }
    notes.forEach(output::note);
    return output.result();
  }
}
