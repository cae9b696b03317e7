package harness.workspace;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What git ignores in a directory: the rules of the directories on the way to it, the innermost
 * first, and last those of {@code .git/info/exclude}. Directories are given by their way from one
 * place above all of them, empty or with a slash at the end; they and names are given byte by byte,
 * as {@link #bytes} makes them. Values; safe for many threads.
 *
 * <p>A name is looked at where no directory above it is ignored: git does not look below those.
 */
public final class Ignores {
  /** The name of the files with rules. */
  public static final String FILE_NAME = ".gitignore";

  /** No rules. */
  public static final Ignores NONE = new Ignores(List.of(), 0, false, false);

  /** How many rules hold in one directory; those further in are left out. */
  static final int MAX_RULES = 5_000;

  private final List<Level> levels;
  private final int rules;
  private final boolean onPaths;
  private final boolean partial;

  private Ignores(List<Level> levels, int rules, boolean onPaths, boolean partial) {
    this.levels = levels;
    this.rules = rules;
    this.onPaths = onPaths;
    this.partial = partial;
  }

  /** The rules of a directory, and how long the way to it is. */
  private record Level(int from, IgnoreRules rules) {}

  /**
   * With the rules of a directory further in; those of {@code info/exclude} come before those of
   * the top.
   */
  public Ignores with(String directory, IgnoreRules more) {
    if (rules + more.size() > MAX_RULES) {
      return new Ignores(levels, rules, onPaths, true);
    }
    if (more.size() == 0) {
      return more.partial() ? new Ignores(levels, rules, onPaths, true) : this;
    }
    List<Level> all = new ArrayList<>(levels);
    all.add(new Level(directory.length(), more));
    return new Ignores(
        List.copyOf(all),
        rules + more.size(),
        onPaths || more.onPaths(),
        partial || more.partial());
  }

  /** Whether rules were left out because they were too many or too long. */
  public boolean partial() {
    return partial;
  }

  /** Whether what has this name in the directory is ignored. */
  public boolean ignores(String directory, String name, boolean isDirectory) {
    if (rules == 0) {
      return false;
    }
    String path = onPaths ? directory + name : "";
    for (int i = levels.size() - 1; i >= 0; i--) {
      Level level = levels.get(i);
      switch (level.rules().of(path, level.from(), name, isDirectory)) {
        case IGNORED -> {
          return true;
        }
        case KEPT -> {
          return false;
        }
        case SILENT -> {}
      }
    }
    return false;
  }

  /**
   * A name or way in the form that paths have here.
   *
   * @param text where a byte that is no UTF-8 is written {@code \xNN}
   */
  public static String bytes(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80 || text.charAt(i) == '\\') {
        try {
          return new String(Name.bytesOf(text), StandardCharsets.ISO_8859_1);
        } catch (CharacterCodingException e) {
          throw new IllegalArgumentException("'" + text + "' is the name of no file", e);
        }
      }
    }
    return text;
  }
}
