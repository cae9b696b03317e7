package harness.workspace.git;

import java.util.Optional;

/**
 * What is to be there of one slot, from a mirror that lies in the workspace.
 *
 * @param slot its name, one segment of a path
 * @param mirror the name of its mirror in {@value #MIRRORS}
 * @param url where the mirror comes from, without credentials
 * @param headBranch the branch of the pristine clone
 * @param head the commit of that branch, 40 hex digits
 * @param branch the branch of the worktree
 * @param start the commit where that begins, if it is not there yet
 * @param review the commit of the detached worktree
 * @param filter what the mirror leaves out where no checkout has it, as git names it
 */
public record PlaceOrder(
    String slot,
    String mirror,
    String url,
    String headBranch,
    String head,
    String branch,
    String start,
    Optional<String> review,
    Optional<String> filter) {
  /** Where mirrors are, in the workspace root. */
  public static final String MIRRORS = ".harness-mirrors";

  /** The name of the pristine clone in its slot. */
  public static final String DEFAULT = "default";

  /** How the name of a detached worktree begins. */
  public static final String REVIEW = "review-";

  /** In a mirror, the refs that a clone of it has, as git packs them. */
  public static final String REFS = "harness-refs";

  /** The path of the worktree of the branch, in the workspace root. */
  public static String worktree(String slot, String branch) {
    return slot + "/" + branch;
  }

  /** The path of the detached worktree at a commit, in the workspace root. */
  public static String review(String slot, String commit) {
    return slot + "/" + REVIEW + commit;
  }
}
