package harness.author;

import harness.agent.Instance;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The rights that a file grants. The file is looked at on each question and read again when it
 * changed, so that a right that was taken away is gone at once; while what it says has faults, what
 * was read before holds on.
 */
public final class Grants implements Authority {
  /** The largest file of rights, in bytes. */
  public static final int MAX_BYTES = 1024 * 1024;

  /**
   * A file that changed a moment ago may change again without a later time of change, so that it is
   * read until it is older than this.
   */
  private static final Duration SETTLES = Duration.ofSeconds(2);

  private static final System.Logger LOG = System.getLogger(Grants.class.getName());

  private final Path file;
  private final InstantSource clock;
  private Rights rights;
  private Optional<Stamp> known = Optional.empty();
  private List<String> told = List.of();

  private Grants(Path file, InstantSource clock, Rights rights) {
    this.file = file;
    this.clock = clock;
    this.rights = rights;
  }

  /** By what a file that changed is told from one that did not. */
  private record Stamp(FileTime modified, long size, String key) {}

  /**
   * @throws GrantsException with every fault of the file
   */
  public static Grants open(Path file, InstantSource clock) throws GrantsException {
    return new Grants(file, clock, read(file));
  }

  /** Every fault of a file of rights; none where it can be enforced. */
  public static List<String> faults(Path file) {
    try {
      read(file);
      return List.of();
    } catch (GrantsException e) {
      return e.faults();
    }
  }

  @Override
  public boolean permits(Actor actor, Permission permission, Instance conversation) {
    return current().permits(actor, permission, conversation);
  }

  private synchronized Rights current() {
    FileTime settled = FileTime.from(clock.instant().minus(SETTLES));
    Optional<Stamp> now = stamp();
    if (now.isEmpty() || !now.equals(known)) {
      readAgain();
      // What changes from here on has another stamp, unless it changes within the same tick.
      known = now.filter(stamp -> stamp.modified().compareTo(settled) < 0);
    }
    return rights;
  }

  private Optional<Stamp> stamp() {
    try {
      BasicFileAttributes seen = Files.readAttributes(file, BasicFileAttributes.class);
      return Optional.of(
          new Stamp(seen.lastModifiedTime(), seen.size(), String.valueOf(seen.fileKey())));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private void readAgain() {
    try {
      Rights fresh = read(file);
      if (!fresh.equals(rights) || !told.isEmpty()) {
        LOG.log(Level.INFO, "{0} was read again: {1} grants hold", file, fresh.grants().size());
      }
      rights = fresh;
      told = List.of();
    } catch (GrantsException e) {
      if (!e.faults().equals(told)) {
        LOG.log(
            Level.ERROR,
            "the file of rights has faults, so that what was read before holds on; mend it: {0}",
            e.getMessage());
      }
      told = e.faults();
    }
  }

  private static Rights read(Path file) throws GrantsException {
    byte[] bytes;
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      // Opening anything else could wait for ever.
      throw new GrantsException(List.of("the file of rights " + file + " is no regular file"));
    }
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    } catch (IOException e) {
      throw new GrantsException(List.of("the file of rights " + file + " can't be read: " + e));
    }
    if (bytes.length > MAX_BYTES) {
      throw new GrantsException(
          List.of(
              "the file of rights "
                  + file
                  + " is over "
                  + MAX_BYTES
                  + " bytes; grant to groups, or on patterns"));
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return GrantsReader.read(text, file.toString());
    } catch (CharacterCodingException _) {
      throw new GrantsException(List.of("the file of rights " + file + " is no UTF-8"));
    }
  }
}
