package harness.workspace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Temporary files that a killed process left in a directory. The first write of a process in a
 * directory removes those that are older than a minute and that nobody writes any more.
 */
final class Leftovers {
  /** Of the whole process. */
  static final Leftovers OF_PROCESS = new Leftovers();

  /** Younger ones may not be locked yet by who makes them. */
  static final Duration MIN_AGE = Duration.ofSeconds(60);

  /** How many entries of a directory are looked at. */
  static final int MAX_ENTRIES = 10_000;

  /** How many directories are known to be clean; the one known longest is looked at again. */
  private static final int MAX_DIRECTORIES = 1_000;

  private static final Pattern NAME = Pattern.compile("\\.harness-[0-9a-f]{16}\\.tmp");

  private final Set<Object> clean = new LinkedHashSet<>();

  /**
   * Removes them.
   *
   * @param fresh a temporary file that was written just now: it tells what time it is there
   */
  void sweep(OpenDirectory directory, Name fresh) {
    try {
      Object key = directory.key();
      if (isClean(key)) {
        return;
      }
      if (sweepAll(directory, fresh)) {
        keep(key);
      }
    } catch (IOException | UncheckedIOException e) {
      // The write is what was asked for; the next one in this directory looks again.
      return;
    }
  }

  private synchronized boolean isClean(Object directory) {
    return clean.contains(directory);
  }

  private synchronized void keep(Object directory) {
    clean.add(directory);
    if (clean.size() > MAX_DIRECTORIES) {
      clean.remove(clean.iterator().next());
    }
  }

  /** Whether none is left. */
  private static boolean sweepAll(OpenDirectory directory, Name fresh) throws IOException {
    long now = directory.status(fresh).map(FileStatus::modifiedNanos).orElse(0L);
    boolean none = true;
    try (OpenDirectory.Entries entries = directory.entries()) {
      for (int seen = 0; seen < MAX_ENTRIES && entries.hasNext(); seen++) {
        Directory.Entry entry = entries.next();
        if (NAME.matcher(entry.name()).matches() && !entry.name().equals(fresh.toString())) {
          none &= sweep(directory, name(entry), now);
        }
      }
    }
    return none;
  }

  private static Name name(Directory.Entry entry) throws CharacterCodingException {
    return Name.of(Name.bytesOf(entry.name()));
  }

  /** Whether it is gone. */
  private static boolean sweep(OpenDirectory directory, Name name, long now) throws IOException {
    FileStatus status = directory.status(name).orElse(null);
    if (status == null) {
      return true;
    }
    boolean old = now - status.modifiedNanos() >= MIN_AGE.toNanos();
    boolean abandoned =
        switch (status.kind()) {
          case FILE -> old && directory.abandoned(name);
          case LINK -> old;
          case DIRECTORY, FIFO, SOCKET, DEVICE, OTHER -> false;
        };
    if (abandoned) {
      directory.unlink(name);
    }
    return abandoned;
  }
}
