package harness.workspace;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * A file without a name, for what this process alone writes and reads: the system frees it when it
 * is closed or the process is gone, however that ends. One thread appends; many may read.
 */
public final class Scratch implements FileHandle {
  private static final int O_RDWR = 2;
  private static final int MODE = 0600;
  private static final int CHUNK_BYTES = 64 * 1024;

  private final Descriptor file;
  private final LinuxFile reading;
  private final AtomicLong size = new AtomicLong();

  private Scratch(Descriptor file) {
    this.file = file;
    this.reading = new LinuxFile(file, 0);
  }

  /**
   * Makes one.
   *
   * @param directory whose file system holds it, absolute
   */
  public static Scratch in(Path directory, RandomGenerator names) throws IOException {
    String path = directory + "/.harness-" + HexFormat.of().toHexDigits(names.nextLong()) + ".tmp";
    Name name = Name.of(Name.bytesOf(path));
    int flags = O_RDWR | Libc.O_CREAT | Libc.O_EXCL | Libc.O_NOFOLLOW;
    Descriptor file = new Descriptor(Libc.open(Libc.AT_FDCWD, name, flags, MODE));
    try {
      Libc.unlink(Libc.AT_FDCWD, name);
    } catch (IOException e) {
      file.close();
      throw e;
    }
    return new Scratch(file);
  }

  /** Adds bytes at its end. */
  public void append(byte[] bytes, int length) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment chunk = arena.allocate(Math.clamp(length, 1, CHUNK_BYTES));
      for (int at = 0; at < length; ) {
        int some = Math.min(length - at, CHUNK_BYTES);
        MemorySegment.copy(bytes, at, chunk, JAVA_BYTE, 0, some);
        int written = file.use(number -> Libc.write(number, chunk.asSlice(0, some)));
        at += written;
        size.addAndGet(written);
      }
    }
  }

  /** How many bytes it has now. */
  @Override
  public long size() {
    return size.get();
  }

  @Override
  public FileStatus status() throws IOException {
    return reading.status();
  }

  @Override
  public int read(ByteBuffer buffer, long position) throws IOException {
    return reading.read(buffer, position);
  }

  @Override
  public void close() {
    file.close();
  }
}
