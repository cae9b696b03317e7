package harness.workspace.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.Ref;

/** Moves refs, each under its lock and only from where it is known to be, and writes their logs. */
final class RefWriter {
  private static final String LOGS = "logs/";

  private final GitDirs dirs;
  private final GitOwnFiles own;
  private final GitOwnFiles common;
  private final Config config;
  private final LockWait wait;

  RefWriter(GitDirs dirs, Config config, LockWait wait) {
    this.dirs = dirs;
    this.own = new GitOwnFiles(dirs.gitDir());
    this.common = new GitOwnFiles(dirs.commonDir());
    this.config = config;
    this.wait = wait;
  }

  /**
   * A step of a ref.
   *
   * @param name {@code HEAD} where it is detached, else a branch's whole name
   * @param from where it has to be; empty where it must not be there yet
   * @param why what the log says of it, in one line
   */
  record Step(String name, Optional<ObjectId> from, ObjectId to, PersonIdent who, String why) {}

  /**
   * Takes a step; on return it is on stable storage.
   *
   * @param head whether HEAD leads to the ref, so that its log tells of the step too
   * @throws GitException where the ref is elsewhere, or its lock is not to be had
   */
  void take(Step step, boolean head) throws IOException, InterruptedException {
    boolean detached = step.name.equals(Constants.HEAD);
    GitOwnFiles files = detached ? own : common;
    if (step.from.isEmpty() && !detached) {
      checkFree(step.name);
    }
    GitOwnFiles.Lock lock =
        wait.until(files.top(), step.name + ".lock", () -> files.lock(step.name));
    try (lock) {
      checkUnmoved(step);
      lock.write((step.to.name() + "\n").getBytes(StandardCharsets.US_ASCII));
      // A call that was told to end, and whose end nobody waits for, changes nothing any more.
      Interrupts.check();
      String line = line(step);
      if (!detached) {
        log(common, step.name, line);
      }
      if (head || detached) {
        log(own, Constants.HEAD, line);
      }
      lock.commit();
    }
  }

  private void checkUnmoved(Step step) throws IOException {
    Optional<ObjectId> now = new RefFiles(dirs).ref(step.name).map(Ref::getObjectId);
    if (!now.equals(step.from)) {
      throw new GitException(
          step.name
              + (now.isPresent() ? " is at " + now.get().name() + " by now" : " is gone by now")
              + ", so somebody else changed it meanwhile; look at git_log and try again");
    }
  }

  /** A ref is a file and can't be a directory of others too. */
  private void checkFree(String name) throws IOException {
    for (String other : new RefFiles(dirs).all(Constants.R_HEADS).keySet()) {
      if (name.startsWith(other + "/") || other.startsWith(name + "/")) {
        throw new GitException(
            "the branch "
                + other.substring(Constants.R_HEADS.length())
                + " exists, so there can be none named "
                + name.substring(Constants.R_HEADS.length())
                + "; take another name");
      }
    }
  }

  private static String line(Step step) {
    String from = step.from.orElse(ObjectId.zeroId()).name();
    String why = step.why.replaceAll("\\s+", " ").strip();
    return from + " " + step.to.name() + " " + step.who.toExternalString() + "\t" + why + "\n";
  }

  private void log(GitOwnFiles files, String name, String line) throws IOException {
    String kept = String.valueOf(config.getString("core", null, "logallrefupdates"));
    boolean off = List.of("false", "no", "off", "0").contains(kept.toLowerCase(Locale.ROOT));
    if (!off || files.status(LOGS + name).isPresent()) {
      files.append(LOGS + name, line);
    }
  }
}
