package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.FileHandle;
import harness.workspace.Target;
import harness.workspace.git.ContentDiff;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Puts a whole file there. */
final class WriteTool implements WorkingTool {
  /** The most that one call writes. */
  static final int MAX_CONTENT_BYTES = Version.MAX_DIGESTED_BYTES;

  private static final ToolSpec SPEC =
      new ToolSpec(
          "write",
          "Create a file, or replace all of its content. A file that is there has to have been read"
              + " first, and not to have changed since. Missing directories are made. A relative"
              + " path resolves at the working directory.",
          Schema.object()
              .required("path", Schema.text("The file."))
              .required("content", Schema.text("All of its content."))
              .build(),
          true);

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public ToolResult call(JsonNode input, Seat seat)
      throws ToolException, IOException, InterruptedException {
    Arguments arguments = Arguments.of(SPEC, input);
    String path = arguments.path("path");
    byte[] content = arguments.text("content").getBytes(StandardCharsets.UTF_8);
    if (content.length > MAX_CONTENT_BYTES) {
      throw new ToolException(
          "write takes at most "
              + MAX_CONTENT_BYTES
              + " bytes; this content has "
              + content.length
              + "; write a smaller file, or make this one by a command");
    }
    try (Target target = seat.root().target(path)) {
      String shown = Shown.path(target.shown());
      Known known = new Known(seat, path, shown);
      Optional<FileHandle> current = target.current();
      if (current.isEmpty()) {
        known.requireAbsent();
        ToolResult created = ToolResult.of("created " + shown + ": " + content.length + " bytes");
        if (seat.suggests()) {
          return new Proposing(seat)
              .to(path, Version.of(content))
              .content(shown, Optional.empty(), content)
              .result(created);
        }
        target.stage(content);
        known.requireStill(target, Optional.empty());
        target.commit();
        return created.seeing(known.seen(Version.of(content)));
      }
      return replace(seat, path, target, current.get(), content);
    }
  }

  private static ToolException tooLarge(String shown) {
    return new ToolException(
        shown
            + " has more than "
            + ContentDiff.MAX_BYTES
            + " bytes, so that no diff could show a change of it; it can't be proposed");
  }

  private static ToolResult replace(
      Seat seat, String path, Target target, FileHandle current, byte[] content)
      throws ToolException, IOException, InterruptedException {
    String shown = Shown.path(target.shown());
    Known known = new Known(seat, path, shown);
    String before = Version.of(current);
    known.require(before);
    String after = Version.of(content);
    if (after.equals(before)) {
      return ToolResult.of(shown + " has this content already: nothing was changed")
          .seeing(known.seen(after));
    }
    Optional<byte[]> old =
        current.status().size() <= ContentDiff.MAX_BYTES
            ? Optional.of(Content.of(current, shown, SPEC.name(), ContentDiff.MAX_BYTES))
            : Optional.empty();
    if (!seat.suggests()) {
      target.stage(content);
    }
    known.requireStill(target, Optional.of(before));
    if (!seat.suggests()) {
      target.commit();
    }
    Output output = new Output();
    output.line("replaced " + shown + ": " + content.length + " bytes");
    if (old.isPresent()) {
      Change.show(output, old.get(), content);
    }
    if (seat.suggests()) {
      byte[] shownBefore = old.orElseThrow(() -> tooLarge(shown));
      return new Proposing(seat)
          .from(path, before)
          .to(path, after)
          .content(shown, Optional.of(shownBefore), content)
          .result(output.result());
    }
    return output.result().seeing(known.seen(after));
  }
}
