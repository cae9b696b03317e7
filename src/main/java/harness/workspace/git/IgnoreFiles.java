package harness.workspace.git;

import harness.workspace.FileHandle;
import harness.workspace.IgnoreRules;
import harness.workspace.Ignores;
import harness.workspace.Way;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What git ignores in a worktree: by {@code .gitignore} in each directory on the way, and by {@code
 * info/exclude}. Read when asked for, once. Paths are given byte by byte, as {@link Ignores#bytes}
 * makes them, those of directories with a slash at the end. Safe for many threads.
 */
final class IgnoreFiles {
  private final WorktreeFiles files;
  private final Map<String, Here> known = new ConcurrentHashMap<>();

  /**
   * What holds in a directory.
   *
   * @param all whether the directory itself is ignored, and with it all that is not tracked in it
   */
  private record Here(Ignores rules, boolean all) {}

  IgnoreFiles(Way commonDir, WorktreeFiles files) throws IOException {
    this.files = files;
    Ignores exclude =
        GitFile.bytes(commonDir, "info/exclude", IgnoreRules.MAX_FILE_BYTES)
            .map(content -> Ignores.NONE.with("", IgnoreRules.parse(content)))
            .orElse(Ignores.NONE);
    known.put("", new Here(with(exclude, ""), false));
  }

  /** Whether what has this name in a directory is ignored, unless it is tracked. */
  boolean ignores(String directory, String name, boolean isDirectory) throws IOException {
    Here here = here(directory);
    return here.all || here.rules.ignores(directory, name, isDirectory);
  }

  private Here here(String directory) throws IOException {
    Here there = known.get(directory);
    if (there != null) {
      return there;
    }
    int slash = directory.lastIndexOf('/', directory.length() - 2);
    String parent = directory.substring(0, slash + 1);
    Here above = here(parent);
    String name = directory.substring(slash + 1, directory.length() - 1);
    boolean all = above.all || above.rules.ignores(parent, name, true);
    Here here = new Here(all ? Ignores.NONE : with(above.rules, directory), all);
    known.put(directory, here);
    return here;
  }

  private Ignores with(Ignores above, String directory) throws IOException {
    Optional<byte[]> content =
        read((directory + Ignores.FILE_NAME).getBytes(StandardCharsets.ISO_8859_1));
    return content.isEmpty() ? above : above.with(directory, IgnoreRules.parse(content.get()));
  }

  private Optional<byte[]> read(byte[] path) throws IOException {
    try (FileHandle file = files.file(path);
        FileStream in = new FileStream(file)) {
      return Optional.of(in.readNBytes(IgnoreRules.MAX_FILE_BYTES));
    } catch (FileSystemException e) {
      // Not there, or no file: git does not follow a link for it either.
      return Optional.empty();
    }
  }
}
