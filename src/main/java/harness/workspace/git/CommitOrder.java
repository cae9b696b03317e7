package harness.workspace.git;

import java.util.List;

/**
 * What to commit of what is staged: all of it.
 *
 * @param message at most {@link CommitMessage#MAX_CHARS} characters
 * @param trailers lines {@code Name: value} for the end of the message
 * @param author whose change it is
 * @param committer who makes the commit
 * @param allowEmpty whether a commit that changes nothing is made
 */
public record CommitOrder(
    String message,
    List<String> trailers,
    Signature author,
    Signature committer,
    boolean allowEmpty) {
  public CommitOrder {
    trailers = List.copyOf(trailers);
  }
}
