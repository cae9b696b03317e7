package harness.workspace;

import java.io.IOException;
import java.util.List;

/**
 * What belongs to git: whoever can write its configuration or hooks runs programs with them. It is
 * known by its name, whatever the case, and by its look, because a repository may have any name.
 */
final class GitOwn {
  private static final String NAME = ".git";

  /** What repositories of the workspace borrow their objects from. */
  private static final String MIRRORS = ".harness-mirrors";

  private static final Name HEAD = Name.of("HEAD");
  private static final Name OBJECTS = Name.of("objects");
  private static final Name REFS = Name.of("refs");
  private static final Name COMMONDIR = Name.of("commondir");
  private static final List<Name> PARTS = List.of(HEAD, OBJECTS, REFS, COMMONDIR);

  private GitOwn() {}

  /** Whether git keeps its own under this name. */
  static boolean isNamed(Name name) {
    return name.isIgnoringCase(NAME) || name.isIgnoringCase(MIRRORS);
  }

  /** Whether it is a git directory: of a repository, bare or not, or of a linked worktree. */
  static boolean looks(OpenDirectory directory) throws IOException {
    return has(directory, HEAD)
        && (has(directory, COMMONDIR) || (has(directory, OBJECTS) && has(directory, REFS)));
  }

  /** Whether the directory would be a git directory once it had this name too. */
  static boolean completes(OpenDirectory directory, Name name) throws IOException {
    if (!PARTS.contains(name) || has(directory, name)) {
      return false;
    }
    boolean head = name.equals(HEAD) || has(directory, HEAD);
    boolean linked = name.equals(COMMONDIR) || has(directory, COMMONDIR);
    boolean objects = name.equals(OBJECTS) || has(directory, OBJECTS);
    boolean refs = name.equals(REFS) || has(directory, REFS);
    return head && (linked || (objects && refs));
  }

  private static boolean has(OpenDirectory directory, Name name) throws IOException {
    return directory.inode(name).isPresent();
  }
}
