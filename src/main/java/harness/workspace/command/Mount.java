package harness.workspace.command;

/**
 * A directory of the workspace that a sandbox shows.
 *
 * @param path where it is, as the system's bytes
 * @param identity which directory it is, as {@code stat -c '(dev=%D,ino=%i)'} prints it
 */
@SuppressWarnings("ArrayRecordComponent")
record Mount(byte[] path, String identity) {
  static String identity(long device, long inode) {
    // The kernel's two numbers of the device, packed as the C library does.
    long major = device >>> 32;
    long minor = device & 0xFFFFFFFFL;
    long packed =
        (minor & 0xFF)
            | (major & 0xFFF) << 8
            | (minor & 0xFFFFFF00L) << 12
            | (major & 0xFFFFF000L) << 32;
    return "(dev=" + Long.toHexString(packed) + ",ino=" + Long.toUnsignedString(inode) + ")";
  }
}
