package harness.workspace.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.eclipse.jgit.errors.ConfigInvalidException;
import org.eclipse.jgit.lib.Config;
import org.jspecify.annotations.Nullable;

/**
 * A repository's configuration, reduced to keys that name no program, no path and no other file.
 * What is not on the list is gone, so that a key that git learns tomorrow is harmless too.
 */
final class SafeConfig {
  /** The largest configuration that is read, in bytes. */
  static final int MAX_BYTES = 256 * 1024;

  private static final Map<String, Set<String>> KEPT =
      Map.of(
          "core",
          Set.of(
              "filemode",
              "symlinks",
              "ignorecase",
              "autocrlf",
              "eol",
              "safecrlf",
              "precomposeunicode",
              "logallrefupdates",
              "checkstat",
              "trustctime"),
          "commit",
          Set.of("gpgsign"),
          "user",
          Set.of("name", "email"),
          "branch",
          Set.of("remote", "merge"),
          "remote",
          Set.of("fetch"),
          "submodule",
          Set.of("ignore"));

  /** Extensions of the format that change nothing for what is done here. */
  private static final Set<String> HARMLESS_EXTENSIONS =
      Set.of("noop", "preciousobjects", "partialclone", "worktreeconfig", "relativeworktrees");

  private SafeConfig() {}

  /**
   * Reads a configuration file and reduces it.
   *
   * @param file in the common git directory; may be missing
   * @return the text of the reduced configuration
   * @throws GitException where it is too large, can't be parsed, or is of a format not known here
   */
  static String read(Path file) throws IOException {
    return reduce(
        SmallFile.text(file, MAX_BYTES).orElse("").getBytes(StandardCharsets.UTF_8),
        file.toString());
  }

  /**
   * Reduces a configuration.
   *
   * @param file its name, for messages
   */
  static String reduce(byte[] text, String file) throws GitException {
    Config all = new Config();
    try {
      all.fromText(new String(text, StandardCharsets.UTF_8));
    } catch (ConfigInvalidException e) {
      throw new GitException(
          "the git configuration " + file + " can't be parsed; git config --list names the line",
          e);
    }
    checkFormat(all, file);
    Config kept = new Config();
    for (String section : all.getSections()) {
      Set<String> names = KEPT.get(section.toLowerCase(Locale.ROOT));
      if (names != null) {
        keep(all, kept, section, null, names);
        for (String subsection : all.getSubsections(section)) {
          keep(all, kept, section, subsection, names);
        }
      }
    }
    return kept.toText();
  }

  private static void keep(
      Config all, Config kept, String section, @Nullable String subsection, Set<String> names) {
    for (String name : names) {
      String[] values = all.getStringList(section, subsection, name);
      if (values.length > 0) {
        kept.setStringList(section, subsection, name, Arrays.asList(values));
      }
    }
  }

  private static void checkFormat(Config config, String file) throws GitException {
    String storage = config.getString("extensions", null, "refstorage");
    if (storage != null && !storage.equalsIgnoreCase("files")) {
      throw new GitException(
          "the repository of "
              + file
              + " keeps its refs as "
              + storage
              + ", which the git tools can't read; git refs migrate --ref-format=files converts it");
    }
    String hash = config.getString("extensions", null, "objectformat");
    if (hash != null && !hash.equalsIgnoreCase("sha1")) {
      throw new GitException(
          "the repository of " + file + " uses " + hash + " ids; the git tools read sha1 only");
    }
    String version = config.getString("core", null, "repositoryformatversion");
    if (version == null || version.equals("0")) {
      return;
    }
    if (!version.equals("1")) {
      throw new GitException(
          "the repository of " + file + " has format " + version + "; the git tools read 0 and 1");
    }
    for (String name : config.getNames("extensions")) {
      String known = name.toLowerCase(Locale.ROOT);
      if (!HARMLESS_EXTENSIONS.contains(known)
          && !known.equals("refstorage")
          && !known.equals("objectformat")) {
        throw new GitException(
            "the repository of " + file + " has the extension " + name + ", not known here");
      }
    }
  }
}
