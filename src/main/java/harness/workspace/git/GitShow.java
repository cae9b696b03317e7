package harness.workspace.git;

import java.util.List;

/**
 * What a revision names.
 *
 * @param tags the lines of the annotated tags that led to it, outermost first
 * @param thing what they led to
 */
public record GitShow(List<String> tags, Thing thing) {
  public GitShow {
    tags = List.copyOf(tags);
  }

  /** A thing that git keeps. */
  public sealed interface Thing {
    /**
     * A commit.
     *
     * @param header its lines as git show begins, message included
     * @param parent the revision that its diff is against; empty text for a first commit
     * @param parents how many parents it has
     */
    record Commit(String id, List<String> header, String parent, int parents, GitDiff diff)
        implements Thing {
      public Commit {
        header = List.copyOf(header);
      }
    }

    /**
     * A directory.
     *
     * @param names its entries, directories with a slash at the end
     */
    record Tree(List<String> names) implements Thing {
      public Tree {
        names = List.copyOf(names);
      }
    }

    /**
     * The content of a file.
     *
     * @param head its first bytes, at most {@link GitView#MAX_TEXT_BYTES}
     * @param bytes how many it has
     * @param pointer whether it is what git LFS keeps in the place of a large file
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Blob(byte[] head, long bytes, boolean pointer) implements Thing {}
  }
}
