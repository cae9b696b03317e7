package harness.workspace.git;

import harness.workspace.FileStatus;
import harness.workspace.Way;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Waits for the lock files by which git processes keep out of each other's way.
 *
 * @param longest how long one is waited for
 * @param clock tells how old one is
 */
record LockWait(Duration longest, InstantSource clock) {
  /** How long a lock is waited for where nothing else is said. */
  static final Duration USUAL = Duration.ofSeconds(10);

  private static final Duration BETWEEN_TRIES = Duration.ofMillis(20);

  /** One try; empty where somebody else has the lock. */
  interface Try<T> {
    Optional<T> once() throws IOException;
  }

  /**
   * Tries until it works.
   *
   * @param directory where the lock file lies, or a directory above it
   * @param lock its name from there
   * @throws GitException after the longest wait, which says who holds it and the mend
   */
  <T> T until(Way directory, String lock, Try<T> attempt) throws IOException, InterruptedException {
    for (long left = longest.toMillis() / BETWEEN_TRIES.toMillis(); ; left--) {
      Optional<T> got = attempt.once();
      if (got.isPresent()) {
        return got.get();
      }
      if (left <= 0) {
        throw new GitException(held(directory, lock));
      }
      Thread.sleep(BETWEEN_TRIES);
    }
  }

  private String held(Way directory, String lock) throws IOException {
    String path = directory.path() + "/" + lock;
    Optional<FileStatus> status = new GitOwnFiles(directory).status(lock);
    String age =
        status
            .map(held -> Duration.between(time(held), clock.instant()).toSeconds())
            .map(seconds -> " is there for " + Math.max(0, seconds) + " s")
            .orElse(" comes and goes");
    String waited = "; after a wait of " + longest.toMillis() + " ms nothing was done";
    Optional<String> holder = LockHolder.of(path);
    return path
        + age
        + ": another git process is at work here"
        + waited
        + holder
            .map(process -> ". " + process + " has it open; try again when that has ended")
            .orElse(
                ". No process that can be seen has it open: if none is about to finish, it was left"
                    + " behind by one that was killed, and 'rm "
                    + path
                    + "' in the shell mends it");
  }

  private static Instant time(FileStatus status) {
    return Instant.ofEpochSecond(TimeUnit.NANOSECONDS.toSeconds(status.modifiedNanos()));
  }
}
