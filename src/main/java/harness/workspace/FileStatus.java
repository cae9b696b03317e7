package harness.workspace;

/**
 * What the system says of a file.
 *
 * @param kind what it is
 * @param size in bytes
 * @param mode its permission bits ({@code 07777}); 0 where the file system has none
 * @param modifiedNanos its last change, in nanoseconds since 1970
 * @param device with {@code inode}, which file it is
 */
public record FileStatus(
    FileKind kind, long size, int mode, long modifiedNanos, long device, long inode) {}
