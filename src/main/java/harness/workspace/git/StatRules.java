package harness.workspace.git;

import org.eclipse.jgit.lib.Config;

/**
 * What a repository's configuration says of looking at files.
 *
 * @param fileMode whether a file's bit for execution counts
 * @param symlinks whether links are links, and not files that hold where they lead
 * @param changeTime whether the time of the last change of a file's status counts
 * @param seconds whether whole seconds and the size have to do
 */
record StatRules(boolean fileMode, boolean symlinks, boolean changeTime, boolean seconds) {
  static StatRules of(Config config) {
    return new StatRules(
        config.getBoolean("core", "filemode", true),
        config.getBoolean("core", "symlinks", true),
        config.getBoolean("core", "trustctime", true),
        "minimal".equalsIgnoreCase(config.getString("core", null, "checkstat")));
  }
}
