package harness.tool;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Puts together what a call would change, in a seat that suggests. */
final class Proposing {
  private static final String HEAD =
      "[proposed: nothing is changed yet; the files stay as they are until someone accepts this. It"
          + " would do:]\n";

  private static final String NOWHERE = "/dev/null";

  private final Seat seat;
  private final List<Proposal.Proposed> files = new ArrayList<>();
  private final Map<String, String> madeFrom = new HashMap<>();
  private final Map<String, String> becomes = new HashMap<>();
  private int bytesLeft = Proposal.MAX_DIFF_BYTES;

  Proposing(Seat seat) {
    this.seat = seat;
  }

  /** Takes down a version that the proposal is made from. */
  Proposing from(String path, String version) {
    madeFrom.putAll(Seen.of(seat.cwd(), path, version).versions());
    return this;
  }

  /** Takes down a version that a file would have. */
  Proposing to(String path, String version) {
    becomes.putAll(Seen.of(seat.cwd(), path, version).versions());
    return this;
  }

  /** Takes down that a file would not be there. */
  Proposing gone(String path) {
    return to(path, Becoming.GONE);
  }

  /** A file would have this content, in place of another or where none is. */
  Proposing content(String shown, Optional<byte[]> before, byte[] after)
      throws ToolException, InterruptedException {
    return change(before.map(_ -> shown), Optional.of(shown), before, Optional.of(after), "");
  }

  /** A file would go. */
  Proposing removal(String shown, byte[] before) throws ToolException, InterruptedException {
    return change(Optional.of(shown), Optional.empty(), Optional.of(before), Optional.empty(), "");
  }

  /** A file would go, too large a one for its lines to be shown. */
  Proposing removal(String shown, long bytes) throws ToolException {
    return add(shown, headers("a/" + shown, NOWHERE) + "The file has " + bytes + " bytes.\n");
  }

  /** A file would have another place. */
  Proposing move(String from, String to) throws ToolException {
    return add(to, "rename from " + from + "\nrename to " + to + "\n");
  }

  /**
   * A file would have other content, another path or both.
   *
   * @param extended lines of git about path and mode, in front of the rest
   */
  Proposing change(
      Optional<String> from,
      Optional<String> to,
      Optional<byte[]> before,
      Optional<byte[]> after,
      String extended)
      throws ToolException, InterruptedException {
    String shown = to.or(() -> from).orElseThrow();
    byte[] none = new byte[0];
    Optional<String> hunks = Change.hunks(before.orElse(none), after.orElse(none), bytesLeft);
    if (hunks.isEmpty() && to.isPresent()) {
      throw new ToolException(
          "the change of "
              + shown
              + " can't be proposed: what is proposed is text whose diff, with those of the call's"
              + " other files, has at most "
              + Proposal.MAX_DIFF_BYTES
              + " bytes; change less in one call");
    }
    String lines =
        hunks.orElseGet(() -> "The file has " + before.orElse(none).length + " bytes.\n");
    String headers =
        lines.isEmpty()
            ? ""
            : headers(
                from.map(path -> "a/" + path).orElse(NOWHERE),
                to.map(path -> "b/" + path).orElse(NOWHERE));
    return add(shown, extended + headers + lines);
  }

  private static String headers(String from, String to) {
    return "--- " + from + "\n+++ " + to + "\n";
  }

  private Proposing add(String shown, String diff) throws ToolException {
    bytesLeft -= diff.getBytes(StandardCharsets.UTF_8).length;
    if (bytesLeft < 0) {
      throw new ToolException(
          "a proposal has at most "
              + Proposal.MAX_DIFF_BYTES
              + " bytes of diffs; change less in one call");
    }
    files.add(new Proposal.Proposed(shown, diff));
    return this;
  }

  /**
   * The result of a call that changed nothing.
   *
   * @param would what it would have returned
   */
  ToolResult result(ToolResult would) {
    return would.behind(HEAD).proposing(new Proposal(files, new Seen(madeFrom), new Seen(becomes)));
  }
}
