package harness.workspace.attach;

import harness.fault.RefusedException;
import harness.workspace.git.PlaceOrder;
import harness.workspace.git.Worktrees;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What is to be attached, checked so far as that needs no git.
 *
 * @param slots at least one, of different names
 * @param branch the branch that is checked out in each
 * @param reviewSha the commit of a detached worktree, 40 lower-case hex digits
 */
public record AttachOrder(List<Slot> slots, String branch, Optional<String> reviewSha) {
  /** How many slots one attach has at most. */
  public static final int MAX_SLOTS = 64;

  private static final int MAX_URL_CHARS = 2_048;
  private static final int MAX_REF_CHARS = 1_024;
  private static final int MAX_DEPTH = 1_000_000;

  /** Without trees nothing could be told of a commit, so those are always fetched. */
  private static final Pattern FILTER = Pattern.compile("blob:none|blob:limit=[0-9]{1,15}");

  /**
   * A repository.
   *
   * @param name one segment of a path
   * @param ref a branch, a tag or a commit where a new branch begins; without it, the branch of the
   *     same name on the other side, else that side's own
   * @param depth how many commits of each history are fetched; without it, all
   * @param filter which files are fetched only where a checkout has them, as git names it; without
   *     it, none
   */
  public record Slot(
      String name, String url, Optional<String> ref, OptionalInt depth, Optional<String> filter) {
    /**
     * @param field what the request calls it, for messages
     * @throws RefusedException where it is none
     */
    public static Slot of(
        String field,
        String name,
        String url,
        Optional<String> ref,
        OptionalInt depth,
        Optional<String> filter) {
      if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
          || name.toLowerCase(Locale.ROOT).endsWith(".git")) {
        throw RefusedException.invalid(
            "the slot '"
                + name
                + "' is no name for one; take letters, digits, '.', '_' and '-', beginning with a"
                + " letter or a digit and not ending with .git",
            field + ".slot");
      }
      if (url.length() > MAX_URL_CHARS) {
        throw RefusedException.invalid(
            "the url of slot " + name + " is longer than " + MAX_URL_CHARS + " characters",
            field + ".url");
      }
      try {
        Object unused = GitUrl.of(url);
      } catch (IllegalArgumentException e) {
        throw RefusedException.invalid(
            "the url of slot " + name + " " + e.getMessage(), field + ".url");
      }
      if (ref.isPresent() && !isRef(ref.get())) {
        throw RefusedException.invalid(
            "the ref of slot " + name + " is no branch, tag or commit", field + ".ref");
      }
      if (depth.isPresent() && (depth.getAsInt() < 1 || depth.getAsInt() > MAX_DEPTH)) {
        throw RefusedException.invalid(
            "the depth of slot " + name + " is a number from 1 to " + MAX_DEPTH, field + ".depth");
      }
      if (filter.isPresent() && !FILTER.matcher(filter.get()).matches()) {
        throw RefusedException.invalid(
            "the filter of slot " + name + " is blob:none or blob:limit=BYTES", field + ".filter");
      }
      if (filter.isPresent() && GitUrl.of(url).isFile()) {
        throw RefusedException.invalid(
            "the filter of slot " + name + " needs a server; leave it out for a file url",
            field + ".filter");
      }
      return new Slot(name, url, ref, depth, filter);
    }

    private static boolean isRef(String ref) {
      return ref.length() <= MAX_REF_CHARS && Worktrees.isBranch(ref);
    }
  }

  public AttachOrder {
    slots = List.copyOf(slots);
  }

  /**
   * Checks the whole.
   *
   * @throws RefusedException where it is no attach
   */
  public static AttachOrder of(List<Slot> slots, String branch, Optional<String> reviewSha) {
    if (slots.isEmpty() || slots.size() > MAX_SLOTS) {
      throw RefusedException.invalid("slots names 1 to " + MAX_SLOTS + " repositories", "slots");
    }
    Set<String> names = new HashSet<>();
    for (Slot slot : slots) {
      if (!names.add(slot.name())) {
        throw RefusedException.invalid(
            "two slots have the name " + slot.name() + "; name each once", "slots");
      }
    }
    if (!Worktrees.isBranch(branch)) {
      throw RefusedException.invalid("'" + branch + "' is no name for a branch", "branch");
    }
    String first = branch.split("/", 2)[0];
    if (first.equals(PlaceOrder.DEFAULT) || first.startsWith(PlaceOrder.REVIEW)) {
      throw RefusedException.invalid(
          "a worktree of the branch "
              + branch
              + " would lie where the pristine clone and reviews do; take another name",
          "branch");
    }
    Optional<String> sha = reviewSha.map(hex -> hex.toLowerCase(Locale.ROOT));
    if (sha.isPresent() && !sha.get().matches("[0-9a-f]{40}")) {
      throw RefusedException.invalid(
          "reviewSha is the whole id of a commit, 40 hex digits", "reviewSha");
    }
    return new AttachOrder(slots, branch, sha);
  }
}
