package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.FileHandle;
import harness.workspace.Target;
import harness.workspace.Targets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Applies a unified diff to several files, all or none. All is worked out and written beside the
 * files before the first of them is replaced.
 *
 * <p>The hunks show what they change, so a file need not have been read; what else somebody changed
 * in it stays. That the conversation knows the new content is taken down only where it knew the
 * old.
 */
final class ApplyPatchTool implements WorkingTool {
  /** The most files of one patch. */
  static final int MAX_FILES = 200;

  /** The longest patch, in characters. */
  static final int MAX_PATCH_CHARS = 4 * 1024 * 1024;

  /** The largest file that is patched, in bytes. */
  static final int MAX_FILE_BYTES = 8 * 1024 * 1024;

  /** The most that the files of one patch have together, before and after, in bytes. */
  static final int MAX_BYTES = 32 * 1024 * 1024;

  private static final ToolSpec SPEC =
      new ToolSpec(
          "apply_patch",
          "Apply a unified diff over one or more files, all of it or nothing: changes, new files"
              + " (--- /dev/null), deletions (+++ /dev/null), and git's renames. The context must"
              + " match exactly. Paths, with or without a/ and b/, resolve at the working"
              + " directory.",
          Schema.object().required("patch", Schema.text("The unified diff.")).build(),
          true);

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public ToolResult call(JsonNode input, Seat seat)
      throws ToolException, IOException, InterruptedException {
    String patch = Arguments.of(SPEC, input).text("patch");
    if (patch.length() > MAX_PATCH_CHARS) {
      throw new ToolException(
          "apply_patch takes at most " + MAX_PATCH_CHARS + " characters, not " + patch.length());
    }
    List<PatchFile> all = PatchText.read(patch);
    if (all.size() > MAX_FILES) {
      throw new ToolException(
          "apply_patch takes at most " + MAX_FILES + " files, not " + all.size());
    }
    List<PatchFile> files = remaining(seat, all);
    Set<String> written = written(files);
    Set<String> removed = removed(files, written);
    try (Targets targets = seat.root().targets(List.copyOf(written), List.copyOf(removed))) {
      return new Application(seat, files, named(targets, written, removed)).run(targets);
    }
  }

  /** What an accept before this one, which was killed in its middle, has not made. */
  private static List<PatchFile> remaining(Seat seat, List<PatchFile> files)
      throws IOException, InterruptedException {
    if (seat.mode() != Mode.ACCEPT) {
      return files;
    }
    List<PatchFile> remaining = new ArrayList<>();
    for (PatchFile file : files) {
      boolean made = file.to().isEmpty() || Becoming.isDone(seat, file.to().get());
      if (!made || (file.removes() && !Becoming.isDone(seat, file.from().orElseThrow()))) {
        remaining.add(file);
      }
    }
    return remaining;
  }

  private static Set<String> written(List<PatchFile> files) throws ToolException {
    Set<String> written = new LinkedHashSet<>();
    for (PatchFile file : files) {
      if (file.to().isPresent() && !written.add(file.to().get())) {
        throw twice(file.to().get());
      }
    }
    return written;
  }

  /** A file that another one takes the place of is not removed. */
  private static Set<String> removed(List<PatchFile> files, Set<String> written)
      throws ToolException {
    Set<String> removed = new LinkedHashSet<>();
    for (PatchFile file : files) {
      if (file.removes() && !removed.add(file.from().orElseThrow())) {
        throw twice(file.from().get());
      }
    }
    removed.removeAll(written);
    return removed;
  }

  private static ToolException twice(String path) {
    return new ToolException(
        "the patch changes '" + Shown.path(path) + "' twice; put all its hunks under one header");
  }

  private static Map<String, Target> named(
      Targets targets, Set<String> written, Set<String> removed) throws ToolException {
    Map<String, Target> named = new LinkedHashMap<>();
    Set<String> shown = new LinkedHashSet<>();
    List<String> paths = new ArrayList<>(written);
    paths.addAll(removed);
    for (int i = 0; i < paths.size(); i++) {
      Target target = targets.all().get(i);
      if (!shown.add(target.shown())) {
        throw twice(target.shown());
      }
      named.put(paths.get(i), target);
    }
    return named;
  }

  /** One patch being applied. */
  private static final class Application {
    private final Seat seat;
    private final List<PatchFile> files;
    private final Map<String, Target> targets;
    private final Map<String, Before> before = new HashMap<>();
    private final Map<String, String> seen = new HashMap<>();
    private final Output output = new Output();
    private final List<String> notes = new ArrayList<>();
    private final Proposing proposing;
    private long bytes;

    Application(Seat seat, List<PatchFile> files, Map<String, Target> targets) {
      this.seat = seat;
      this.proposing = new Proposing(seat);
      this.files = files;
      this.targets = targets;
    }

    /** What a file was when it was looked at. */
    private record Before(byte[] content, String version, boolean executable) {
      static Before of(FileHandle file, String shown)
          throws ToolException, IOException, InterruptedException {
        byte[] content = Content.of(file, shown, SPEC.name(), MAX_FILE_BYTES);
        return new Before(content, Version.of(content), (file.status().mode() & 0111) != 0);
      }
    }

    ToolResult run(Targets all) throws ToolException, IOException, InterruptedException {
      for (Map.Entry<String, Target> target : targets.entrySet()) {
        Optional<FileHandle> current = target.getValue().current();
        if (current.isPresent()) {
          keep(target.getKey(), Before.of(current.get(), Shown.path(target.getValue().shown())));
        }
      }
      for (PatchFile file : files) {
        Blocks.checkInterrupt();
        stage(file);
      }
      for (Map.Entry<String, Target> target : targets.entrySet()) {
        Optional<String> version =
            Optional.ofNullable(before.get(target.getKey())).map(Before::version);
        new Known(seat, target.getKey(), Shown.path(target.getValue().shown()))
            .requireStill(target.getValue(), version);
      }
      if (!seat.suggests()) {
        all.commit();
      }
      notes.forEach(output::note);
      if (seat.suggests()) {
        return proposing.result(output.result());
      }
      return output.result().seeing(new Seen(seen));
    }

    private void keep(String path, Before content) throws ToolException {
      if (seat.mode() == Mode.ACCEPT) {
        new Known(seat, path, Shown.path(path)).require(content.version);
      }
      proposing.from(path, content.version);
      count(content.content.length);
      before.put(path, content);
    }

    private void count(int more) throws ToolException {
      bytes += more;
      if (bytes > MAX_BYTES) {
        throw new ToolException(
            "the files of the patch have more than "
                + MAX_BYTES
                + " bytes together, before and after, the most that apply_patch takes; part it");
      }
    }

    private void stage(PatchFile file) throws ToolException, IOException, InterruptedException {
      Optional<Before> old = old(file);
      byte[] after = patched(file, old);
      count(after.length);
      if (file.to().isPresent()) {
        put(file, file.to().get(), old, after);
      }
      if (seat.suggests()) {
        propose(file, old, after);
      } else if (file.removes() && !isWritten(file.from().orElseThrow())) {
        target(file.from().get()).stageRemoval();
      }
      tell(file);
    }

    private void propose(PatchFile file, Optional<Before> old, byte[] after)
        throws ToolException, InterruptedException {
      StringBuilder extended = new StringBuilder();
      boolean elsewhere =
          file.from().isPresent() && file.to().isPresent() && !file.from().equals(file.to());
      if (elsewhere) {
        String verb = file.copies() ? "copy" : "rename";
        extended.append(verb).append(" from ").append(Shown.path(file.from().orElseThrow()));
        extended.append('\n').append(verb).append(" to ").append(Shown.path(file.path()));
        extended.append('\n');
      }
      file.executable()
          .ifPresent(runs -> extended.append("new mode ").append(runs ? "100755\n" : "100644\n"));
      file.to().ifPresent(to -> proposing.to(to, Version.of(after)));
      file.from().filter(from -> file.removes() && !isWritten(from)).ifPresent(proposing::gone);
      proposing.change(
          file.from().map(Shown::path),
          file.to().map(Shown::path),
          old.map(Before::content),
          file.to().map(_ -> after),
          extended.toString());
    }

    private boolean isWritten(String path) {
      return files.stream().anyMatch(other -> other.to().equals(Optional.of(path)));
    }

    private Target target(String path) {
      return Optional.ofNullable(targets.get(path)).orElseThrow();
    }

    /** The file before, from its own place or from that of the one that it is a copy of. */
    private Optional<Before> old(PatchFile file)
        throws ToolException, IOException, InterruptedException {
      if (file.from().isEmpty()) {
        return Optional.empty();
      }
      String from = file.from().get();
      if (!before.containsKey(from) && !targets.containsKey(from)) {
        try (FileHandle original = seat.root().file(from)) {
          keep(from, Before.of(original, Shown.path(from)));
        }
      }
      Before found = before.get(from);
      if (found == null) {
        throw new ToolException(
            "'"
                + Shown.path(from)
                + "' is not there, and the patch changes it; a new file has '--- /dev/null'."
                + " Nothing was changed.");
      }
      return Optional.of(found);
    }

    private byte[] patched(PatchFile file, Optional<Before> old) throws ToolException {
      String shown = Shown.path(file.path());
      requireFree(file, shown);
      byte[] content = old.map(Before::content).orElse(new byte[0]);
      if (file.to().isEmpty() && file.hunks().isEmpty() && content.length > 0) {
        throw new ToolException(
            "the patch deletes " + shown + " without showing its lines; use delete for that");
      }
      if (file.hunks().isEmpty()) {
        return content;
      }
      PatchedText text = new PatchedText(shown, content);
      byte[] after = text.apply(file.hunks());
      notes.addAll(text.notes());
      if (file.to().isEmpty() && after.length > 0) {
        throw new ToolException(
            "the patch deletes "
                + shown
                + ", but the file has "
                + after.length
                + " bytes more than it shows; read it again. Nothing was changed.");
      }
      return after;
    }

    /** What is new may not take the place of what stays. */
    private void requireFree(PatchFile file, String shown) throws ToolException {
      if (file.to().isEmpty() || file.from().equals(file.to())) {
        return;
      }
      String to = file.to().get();
      boolean leaves =
          files.stream().anyMatch(other -> other.removes() && other.from().equals(Optional.of(to)));
      if (before.containsKey(to) && !leaves) {
        throw new ToolException(
            "'" + shown + "' is there already, and the patch makes it anew. Nothing was changed.");
      }
    }

    private void put(PatchFile file, String to, Optional<Before> old, byte[] after)
        throws ToolException, IOException {
      if (after.length > MAX_FILE_BYTES) {
        throw new ToolException(
            Shown.path(to)
                + " would have "
                + after.length
                + " bytes; apply_patch makes files of at most "
                + MAX_FILE_BYTES);
      }
      if (seat.suggests()) {
        return;
      }
      Target target = target(to);
      target.stage(after);
      boolean there = before.containsKey(to);
      Optional<Boolean> executable =
          file.executable()
              .or(() -> old.filter(_ -> !file.from().equals(file.to())).map(Before::executable));
      if (executable.isPresent() && (there || executable.get())) {
        target.stageMode(executable.get());
      }
      boolean known =
          old.isEmpty()
              || new Known(seat, file.from().orElseThrow(), to)
                  .version()
                  .equals(Optional.of(old.get().version));
      if (known) {
        seen.putAll(Seen.of(seat.cwd(), to, Version.of(after)).versions());
      }
    }

    private void tell(PatchFile file) {
      int added = file.hunks().stream().mapToInt(Hunk::added).sum();
      int removed = file.hunks().stream().mapToInt(Hunk::removed).sum();
      String lines = " (+" + added + " -" + removed + ")";
      String to = Shown.path(file.path());
      if (file.from().isEmpty()) {
        output.line("created " + to + lines);
      } else if (file.to().isEmpty()) {
        output.line("deleted " + to + lines);
      } else if (file.from().equals(file.to())) {
        output.line("changed " + to + lines);
      } else {
        String from = Shown.path(file.from().get());
        output.line((file.copies() ? "copied " : "renamed ") + from + " to " + to + lines);
      }
    }
  }
}
