package harness.workspace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Reads the files that say what git ignores: those in directories, and {@code info/exclude} of the
 * repository that a directory is the top of. What can't be read, or lies outside the read root, has
 * no rules: then more is shown. Directories are given by their absolute paths.
 */
public final class IgnoreFiles {
  private static final String GIT = ".git";
  private static final String SUBJECT = "the ignore rules";
  private static final String POINTER = "gitdir:";
  private static final int MAX_POINTER_BYTES = 4 * 1024;

  private final Root root;

  /**
   * @param root used as long as this is
   */
  public IgnoreFiles(Root root) {
    this.root = root;
  }

  /** The rules of the directories above one, from the read root down. */
  public Ignores above(String absolute) {
    Ignores ignores = Ignores.NONE;
    String top = root.readRoot();
    for (int end = top.length(); end < absolute.length() && absolute.startsWith(top); ) {
      String ancestor = absolute.substring(0, Math.max(1, end));
      try (Way way = root.way().to(SUBJECT, ancestor)) {
        boolean repository = way.directory().inode(Name.of(GIT)).isPresent();
        Ignores outer = repository ? excluded(ancestor) : ignores;
        try (FileHandle file = way.directory().file(Name.of(Ignores.FILE_NAME))) {
          ignores = outer.with(inside(ancestor), rules(file));
        } catch (IOException e) {
          ignores = outer;
        }
      } catch (IOException e) {
        // One that can't be opened has no rules that hold here.
        return ignores;
      }
      int next = absolute.indexOf('/', end + 1);
      end = next < 0 ? absolute.length() : next;
    }
    return ignores;
  }

  /**
   * The rules that hold in a directory.
   *
   * @param outer those of the directories above
   * @param repository whether it has a {@code .git}: another repository has its own rules alone
   * @param ruled whether it has a {@code .gitignore}
   */
  public Ignores in(
      Directory directory, String absolute, Ignores outer, boolean repository, boolean ruled) {
    Ignores ignores = repository ? excluded(absolute) : outer;
    if (!ruled) {
      return ignores;
    }
    try (FileHandle file = directory.file(Ignores.FILE_NAME)) {
      return ignores.with(inside(absolute), rules(file));
    } catch (IOException e) {
      // A link, which git does not follow here either, or gone since.
      return ignores;
    }
  }

  /** The form of a directory for {@link Ignores#ignores}. */
  public static String inside(String absolute) {
    return Ignores.bytes(absolute.endsWith("/") ? absolute : absolute + "/");
  }

  private Ignores excluded(String top) {
    try {
      String common = slash(top) + GIT;
      Optional<String> pointer = pointer(common);
      if (pointer.isPresent()) {
        if (!pointer.get().startsWith(POINTER)) {
          return Ignores.NONE;
        }
        String gitDir = resolve(top, pointer.get().substring(POINTER.length()).strip());
        Optional<String> shared = pointer(slash(gitDir) + "commondir");
        common = shared.isPresent() ? resolve(gitDir, shared.get().strip()) : gitDir;
      }
      Optional<FileHandle> exclude = root.way().file(SUBJECT, slash(common) + "info/exclude");
      if (exclude.isEmpty()) {
        return Ignores.NONE;
      }
      try (FileHandle file = exclude.get()) {
        return Ignores.NONE.with(inside(top), rules(file));
      }
    } catch (IOException e) {
      return Ignores.NONE;
    }
  }

  private static String slash(String directory) {
    return directory.endsWith("/") ? directory : directory + "/";
  }

  private static String resolve(String directory, String path) {
    return path.startsWith("/") ? path : slash(directory) + path;
  }

  /** What a small file says, in the form of a path argument; empty where it is none. */
  private Optional<String> pointer(String path) throws IOException {
    Optional<FileHandle> opened;
    try {
      opened = root.way().file(SUBJECT, path);
    } catch (PathException e) {
      if (e.kind() == PathException.Kind.NOT_A_FILE) {
        return Optional.empty();
      }
      throw e;
    }
    if (opened.isEmpty()) {
      return Optional.empty();
    }
    try (FileHandle file = opened.get()) {
      byte[] content = head(file, MAX_POINTER_BYTES);
      return Optional.of(Name.textOf(content));
    }
  }

  private static IgnoreRules rules(FileHandle file) throws IOException {
    return IgnoreRules.parse(head(file, IgnoreRules.MAX_FILE_BYTES + 1));
  }

  private static byte[] head(FileHandle file, int maxBytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.clamp(file.size() + 1, 1, maxBytes));
    while (buffer.hasRemaining() && file.read(buffer, buffer.position()) >= 0) {
      // It reads some more each time.
    }
    byte[] content = new byte[buffer.flip().remaining()];
    buffer.get(content);
    return content;
  }
}
