package harness.workspace.git;

import harness.workspace.Content;
import harness.workspace.FileHandle;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.eclipse.jgit.attributes.Attribute;
import org.eclipse.jgit.attributes.Attributes;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;

/**
 * Turns a file of the worktree into the blob that git keeps of it. No filter runs: what only a
 * filter could turn is refused, because kept as it is it would be taken for the filter's work.
 */
final class CheckIn {
  /** The largest file that is kept, in bytes. */
  static final long MAX_BYTES = 1L << 30;

  private static final String LFS = "lfs";

  private final Repository repository;
  private final ObjectReader reader;
  private final LooseObjects objects;
  private final WorktreeFiles files;

  CheckIn(Repository repository, ObjectReader reader, LooseObjects objects, WorktreeFiles files) {
    this.repository = repository;
    this.reader = reader;
    this.objects = objects;
    this.files = files;
  }

  /** What became of a file: its blob and what there is to say, or why it is refused. */
  sealed interface Result {
    record Kept(ObjectId id, Optional<String> note) implements Result {}

    record Refused(String why) implements Result {}
  }

  ObjectId link(byte[] path) throws IOException {
    return objects.insert(Constants.OBJ_BLOB, files.readLink(path));
  }

  /**
   * @param before what the index has of it, zero where it has nothing
   */
  Result file(byte[] path, Attributes attributes, ObjectId before) throws IOException {
    long size;
    try (FileHandle file = files.file(path)) {
      size = file.status().size();
    }
    if (size > MAX_BYTES) {
      return new Result.Refused(
          "is larger than "
              + MAX_BYTES
              + " bytes, and git would keep every version of it; ignore it, or use git add in the"
              + " shell");
    }
    Content raw = out -> copy(path, out);
    Optional<String> filter = filter(attributes);
    if (filter.isPresent()) {
      return filtered(filter.get(), path, size, raw, before);
    }
    for (String unknown : new String[] {"ident", "working-tree-encoding"}) {
      if (isGiven(attributes, unknown)) {
        return new Result.Refused(
            "has the attribute "
                + unknown
                + ", which is not applied here; use git add in the shell");
      }
    }
    LineEnds ends = LineEnds.of(attributes, repository.getConfig());
    return ends.changes() ? text(ends, size, raw, before) : kept(objects.blob(size, raw));
  }

  private Result text(LineEnds ends, long size, Content raw, ObjectId before) throws IOException {
    LineStats stats = new LineStats();
    raw.writeTo(stats);
    boolean crlfInGit = ends.guessed() && stats.crlf() > 0 && hasCrlf(before);
    boolean strict =
        String.valueOf(repository.getConfig().getString("core", null, "safecrlf"))
            .equalsIgnoreCase("true");
    if (strict && ends.loses(stats, crlfInGit)) {
      return new Result.Refused(
          "has line ends that would not come back as they are, which core.safecrlf forbids; change"
              + " them all to the one kind that its attributes ask for");
    }
    if (!ends.toLf(stats, crlfInGit)) {
      return kept(objects.blob(size, raw));
    }
    Content lf =
        out -> {
          OutputStream ending = LineEnds.lf(out);
          raw.writeTo(ending);
          ending.flush();
        };
    return new Result.Kept(
        objects.blob(stats.bytes() - stats.crlf(), lf), Optional.of("its CRLF are LF in git"));
  }

  private boolean hasCrlf(ObjectId blob) throws IOException {
    if (blob.equals(ObjectId.zeroId()) || !reader.has(blob)) {
      return false;
    }
    LineStats stats = new LineStats();
    reader.open(blob, Constants.OBJ_BLOB).copyTo(stats);
    return stats.crlf() > 0 && !stats.binary();
  }

  private Result filtered(String filter, byte[] path, long size, Content raw, ObjectId before)
      throws IOException {
    if (filter.equals(LFS) && hasPointer(path)) {
      return new Result.Kept(
          objects.blob(size, raw), Optional.of("a pointer of git LFS, and stays one"));
    }
    if (before.equals(id(size, path))) {
      return kept(before);
    }
    return new Result.Refused(
        "has the attribute filter="
            + filter
            + ", a program that is not run here; kept as it is, its content would be damaged for"
            + " everybody who runs it; use git add in the shell");
  }

  private ObjectId id(long size, byte[] path) throws IOException {
    try (ObjectInserter formatter = new ObjectInserter.Formatter();
        FileStream in = new FileStream(files.file(path))) {
      return formatter.idFor(Constants.OBJ_BLOB, size, in);
    }
  }

  /** Whether it is what git LFS keeps in git in the place of a large file. */
  private boolean hasPointer(byte[] path) throws IOException {
    try (FileStream in = new FileStream(files.file(path))) {
      return LfsPointer.is(in.readNBytes(LfsPointer.MAX_BYTES));
    }
  }

  /** The name of the filter that the attributes ask for. */
  static Optional<String> filter(Attributes attributes) {
    return isGiven(attributes, "filter")
        ? Optional.of(String.valueOf(attributes.getValue("filter")))
        : Optional.empty();
  }

  static boolean isGiven(Attributes attributes, String name) {
    Attribute.State state = attributes.getState(name);
    return state == Attribute.State.SET || state == Attribute.State.CUSTOM;
  }

  private static Result kept(ObjectId id) {
    return new Result.Kept(id, Optional.empty());
  }

  private void copy(byte[] path, OutputStream out) throws IOException {
    try (FileStream in = new FileStream(files.file(path))) {
      in.transferTo(out);
    }
  }
}
