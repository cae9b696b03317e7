package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.workspace.FileHandle;
import harness.workspace.PathException;
import harness.workspace.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Replaces exact parts of a file, all that were asked for or none. */
final class EditTool implements WorkingTool {
  /** The largest file that is edited, before and after. */
  static final int MAX_FILE_BYTES = Version.MAX_DIGESTED_BYTES;

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
          "Replace exact text in a file that has been read first. Each old must occur exactly once,"
              + " unless all is true. The edits are made one after another, all of them or none. A"
              + " relative path resolves at the working directory.",
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
    try (Target target = seat.root().target(path)) {
      String shown = Shown.path(target.shown());
      FileHandle current =
          target
              .current()
              .orElseThrow(
                  () ->
                      new PathException(
                          PathException.Kind.NOT_FOUND,
                          shown + " is not there; write makes a new file"));
      byte[] before = Content.of(current, shown, SPEC.name(), MAX_FILE_BYTES);
      Known known = new Known(seat, path, shown);
      String version = Version.of(before);
      known.require(version);
      EditedBytes bytes = new EditedBytes(shown, before, MAX_FILE_BYTES);
      List<String> changed = new ArrayList<>();
      for (int i = 0; i < edits.size(); i++) {
        Blocks.checkInterrupt();
        changed.add(apply(bytes, edits.get(i), i, edits.size()));
      }
      byte[] after = bytes.bytes();
      if (!seat.suggests()) {
        target.stage(after);
      }
      known.requireStill(target, Optional.of(version));
      if (!seat.suggests()) {
        target.commit();
      }
      Output output = told(shown, changed);
      Change.show(output, before, after);
      bytes.notes().forEach(output::note);
      if (seat.suggests()) {
        return new Proposing(seat)
            .from(path, version)
            .to(path, Version.of(after))
            .content(shown, Optional.of(before), after)
            .result(output.result());
      }
      return output.result().seeing(known.seen(Version.of(after)));
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

  private static String apply(EditedBytes bytes, Edit edit, int index, int count)
      throws ToolException, InterruptedException {
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

  private static Output told(String shown, List<String> changed) {
    Output output = new Output();
    if (changed.size() == 1) {
      output.line("edited " + shown + ": " + changed.getFirst());
    } else {
      output.line("edited " + shown + ": " + changed.size() + " edits");
      for (int i = 0; i < changed.size(); i++) {
        output.line("edit " + (i + 1) + ": " + changed.get(i));
      }
    }
    return output;
  }
}
