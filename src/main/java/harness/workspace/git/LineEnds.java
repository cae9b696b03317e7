package harness.workspace.git;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.eclipse.jgit.attributes.Attribute;
import org.eclipse.jgit.attributes.Attributes;
import org.eclipse.jgit.lib.Config;
import org.jspecify.annotations.Nullable;

/**
 * How line ends change on the way between a worktree and git, as a path's attributes and the
 * configuration ask for. The rules are git's own, over the whole content and not its beginning.
 *
 * @param changes whether any content may change at all
 * @param guessed whether what looks binary, or has CRLF in git already, stays as it is
 * @param crlf whether a worktree has CRLF
 */
record LineEnds(boolean changes, boolean guessed, boolean crlf) {
  private static final LineEnds NONE = new LineEnds(false, false, false);

  static LineEnds of(Attributes attributes, Config config) {
    Optional<Attribute> rule =
        decisive(attributes.get("text")).or(() -> decisive(attributes.get("crlf")));
    if (rule.isPresent() && rule.get().getState() == Attribute.State.UNSET) {
      return NONE;
    }
    String value = rule.map(Attribute::getValue).orElse("");
    String eol = String.valueOf(attributes.getValue("eol"));
    boolean eolSet = eol.equals("lf") || eol.equals("crlf");
    if (value.equals("auto")) {
      return new LineEnds(true, true, eolSet ? eol.equals("crlf") : crlf(config));
    }
    if (eolSet) {
      return new LineEnds(true, false, eol.equals("crlf"));
    }
    if (rule.isPresent()) {
      return new LineEnds(true, false, !value.equals("input") && crlf(config));
    }
    if (autoInput(config)) {
      return new LineEnds(true, true, false);
    }
    return auto(config) ? new LineEnds(true, true, true) : NONE;
  }

  /** The attribute where git takes anything from it. */
  private static Optional<Attribute> decisive(@Nullable Attribute attribute) {
    return Optional.ofNullable(attribute)
        .filter(
            given ->
                switch (given.getState()) {
                  case SET, UNSET -> true;
                  case CUSTOM ->
                      "auto".equals(given.getValue()) || "input".equals(given.getValue());
                  case UNSPECIFIED -> false;
                });
  }

  private static boolean autoInput(Config config) {
    return String.valueOf(config.getString("core", null, "autocrlf")).equalsIgnoreCase("input");
  }

  private static boolean auto(Config config) {
    return !autoInput(config) && config.getBoolean("core", null, "autocrlf", false);
  }

  /** Whether text without further rules has CRLF in a worktree. */
  private static boolean crlf(Config config) {
    String eol = String.valueOf(config.getString("core", null, "eol"));
    return !autoInput(config) && (auto(config) || eol.equalsIgnoreCase("crlf"));
  }

  /**
   * Whether CRLF becomes LF on the way to git.
   *
   * @param file the content in the worktree
   * @param crlfInGit whether what git has of it is text with CRLF
   */
  boolean toLf(LineStats file, boolean crlfInGit) {
    return changes && file.crlf() > 0 && !(guessed && (file.binary() || crlfInGit));
  }

  /**
   * Whether LF becomes CRLF on the way to a worktree.
   *
   * @param blob the content in git
   */
  boolean toCrlf(LineStats blob) {
    return toCrlf(blob, blob.loneLf(), blob.crlf());
  }

  private boolean toCrlf(LineStats content, long loneLf, long crlfs) {
    return changes
        && crlf
        && loneLf > 0
        && !(guessed && (content.hasLoneCr() || crlfs > 0 || content.binary()));
  }

  /** Whether a file would not come back as it is, which {@code core.safecrlf} may forbid. */
  boolean loses(LineStats file, boolean crlfInGit) {
    if (!changes || (guessed && file.binary())) {
      return false;
    }
    boolean lf = toLf(file, crlfInGit);
    long loneLf = file.loneLf() + (lf ? file.crlf() : 0);
    long crlfs = lf ? 0 : file.crlf();
    if (toCrlf(file, loneLf, crlfs)) {
      crlfs += loneLf;
      loneLf = 0;
    }
    return (file.crlf() > 0 && crlfs == 0) || (file.loneLf() > 0 && loneLf == 0);
  }

  /** Passes content on with LF for each CRLF; what it ends with comes when it is flushed. */
  static OutputStream lf(OutputStream out) {
    return new Lf(out);
  }

  /** Passes content on with CRLF for each LF that has no CR before it. */
  static OutputStream crlf(OutputStream out) {
    return new Crlf(out);
  }

  private static final class Lf extends FilterOutputStream {
    private boolean pendingCr;

    Lf(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      if (pendingCr && b != '\n') {
        out.write('\r');
      }
      pendingCr = b == '\r';
      if (!pendingCr) {
        out.write(b);
      }
    }

    @Override
    public void flush() throws IOException {
      if (pendingCr) {
        pendingCr = false;
        out.write('\r');
      }
      super.flush();
    }
  }

  private static final class Crlf extends FilterOutputStream {
    private boolean afterCr;

    Crlf(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      if (b == '\n' && !afterCr) {
        out.write('\r');
      }
      afterCr = b == '\r';
      out.write(b);
    }
  }
}
