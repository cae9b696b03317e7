package harness.workspace;

import java.util.concurrent.TimeUnit;

/**
 * What the system says of an entry itself, as finely as git remembers it. A system that does not
 * tell one of these says 0.
 *
 * @param kind what it is
 * @param mode its permission bits ({@code 07777})
 * @param size in bytes
 * @param modifiedSecond when its content changed last, in seconds since 1970
 * @param modifiedNano the nanosecond in that second
 * @param changedSecond when its content or its status changed last
 * @param changedNano the nanosecond in that second
 * @param device with {@code number}, which file it is
 * @param number its number on the device
 */
public record Inode(
    FileKind kind,
    int mode,
    long size,
    long modifiedSecond,
    int modifiedNano,
    long changedSecond,
    int changedNano,
    long device,
    long number) {
  /** What a status tells of it. */
  static Inode of(FileStatus status) {
    long second = TimeUnit.SECONDS.toNanos(1);
    long seconds = Math.floorDiv(status.modifiedNanos(), second);
    int nano = (int) Math.floorMod(status.modifiedNanos(), second);
    return new Inode(
        status.kind(),
        status.mode(),
        status.size(),
        seconds,
        nano,
        0,
        0,
        status.device(),
        status.inode());
  }
}
