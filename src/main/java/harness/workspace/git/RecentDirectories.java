package harness.workspace.git;

import harness.workspace.OpenDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The directories of a worktree that were used last, open. Of one thread. */
final class RecentDirectories implements AutoCloseable {
  /** How many stay open: files that lie together in a pack lie in few directories. */
  private static final int MAX_OPEN = 64;

  private final WorktreeFiles files;
  private final Map<ByteBuffer, OpenDirectory> open = new LinkedHashMap<>(16, 0.75f, true);

  RecentDirectories(WorktreeFiles files) {
    this.files = files;
  }

  /**
   * Opens a directory, which stays open at least until the next one is asked for.
   *
   * @param path as the bytes that an index has, with slashes; empty for the top
   */
  OpenDirectory directory(byte[] path) throws IOException {
    ByteBuffer key = ByteBuffer.wrap(path);
    OpenDirectory known = open.get(key);
    if (known != null) {
      return known;
    }
    if (open.size() == MAX_OPEN) {
      Iterator<OpenDirectory> all = open.values().iterator();
      all.next().close();
      all.remove();
    }
    OpenDirectory opened = files.directory(path);
    open.put(key, opened);
    return opened;
  }

  @Override
  public void close() {
    open.values().forEach(OpenDirectory::close);
  }
}
