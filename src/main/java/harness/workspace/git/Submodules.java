package harness.workspace.git;

import harness.workspace.FileHandle;
import harness.workspace.Name;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jgit.errors.ConfigInvalidException;
import org.eclipse.jgit.lib.Config;

/** What is looked at in repositories inside a worktree, as {@code .gitmodules} says. */
final class Submodules {
  private static final int MAX_BYTES = 256 * 1024;
  private static final byte[] FILE = ".gitmodules".getBytes(StandardCharsets.US_ASCII);
  private static final String SECTION = "submodule";

  /** What counts as a change of one. */
  enum Looks {
    /** Another commit, changed files and untracked ones. */
    AT_ALL,
    /** Another commit and changed files. */
    AT_TRACKED,
    /** Another commit. */
    AT_HEAD,
    AT_NOTHING
  }

  private final Map<String, Looks> byPath;
  private final Looks most;

  private Submodules(Map<String, Looks> byPath, Looks most) {
    this.byPath = Map.copyOf(byPath);
    this.most = most;
  }

  /**
   * Reads it.
   *
   * @param most what counts where nothing is said
   */
  static Submodules read(WorktreeFiles files, Config config, Looks most) throws IOException {
    Map<String, Looks> byPath = new HashMap<>();
    Config modules = modules(files);
    for (String name : modules.getSubsections(SECTION)) {
      String path = modules.getString(SECTION, name, "path");
      String ignore = config.getString(SECTION, name, "ignore");
      ignore = ignore == null ? modules.getString(SECTION, name, "ignore") : ignore;
      if (path != null && ignore != null) {
        byPath.put(Name.textOf(path.getBytes(StandardCharsets.UTF_8)), looks(ignore));
      }
    }
    return new Submodules(byPath, most);
  }

  private static Config modules(WorktreeFiles files) throws IOException {
    Config modules = new Config();
    try (FileHandle file = files.file(FILE)) {
      modules.fromText(
          new String(GitFile.bytes(file, ".gitmodules", MAX_BYTES), StandardCharsets.UTF_8));
    } catch (FileSystemException | ConfigInvalidException e) {
      // Without it, or with one that git can't read either, all of them are looked at.
      return new Config();
    }
    return modules;
  }

  private static Looks looks(String ignore) {
    return switch (ignore.toLowerCase(Locale.ROOT)) {
      case "all" -> Looks.AT_NOTHING;
      case "dirty" -> Looks.AT_HEAD;
      case "untracked" -> Looks.AT_TRACKED;
      default -> Looks.AT_ALL;
    };
  }

  Looks at(String path) {
    return byPath.getOrDefault(path, most);
  }
}
