package harness.workspace.command;

import harness.workspace.git.GitDirectories;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Optional;

/** Keeps a command in a sandbox from leading git to configuration of its own. */
final class Guard {
  private static final System.Logger LOG = System.getLogger(Guard.class.getName());

  private final GitDirectories git;

  Guard(GitDirectories git) {
    this.git = git;
  }

  /** Why the command has to end; empty while it keeps to what it may. */
  Optional<Command.End> objection() {
    return git.broken()
        .map(
            path ->
                new Command.End.Failed(
                    "it was ended because it made "
                        + path
                        + ", which says where git finds its configuration; the file was removed"));
  }

  /** Undoes what it did against that, when nothing of it runs any more. */
  void mend() {
    try {
      git.mend();
    } catch (IOException e) {
      LOG.log(Level.ERROR, "what a command put where git looks for configuration stays there", e);
    }
  }
}
