package harness.workspace;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.function.IntUnaryOperator;

/**
 * An open regular file of Linux.
 *
 * @param size in bytes, when it was opened
 */
record LinuxFile(Descriptor file, long size) implements FileHandle {
  /** The most that one read or write copies, in bytes. */
  private static final int CHUNK_BYTES = 256 * 1024;

  @Override
  public FileStatus status() throws IOException {
    return file.use(Libc::stat).status();
  }

  @Override
  public int read(ByteBuffer buffer, long position) throws IOException {
    if (!buffer.hasRemaining()) {
      return 0;
    }
    int read = buffer.isDirect() ? readDirect(buffer, position) : readCopied(buffer, position);
    return read == 0 ? -1 : read;
  }

  private int readDirect(ByteBuffer buffer, long position) throws IOException {
    MemorySegment into = MemorySegment.ofBuffer(buffer);
    int read = file.use(number -> Libc.read(number, into, position));
    buffer.position(buffer.position() + read);
    return read;
  }

  private int readCopied(ByteBuffer buffer, long position) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment into = arena.allocate(Math.min(buffer.remaining(), CHUNK_BYTES));
      int read = file.use(number -> Libc.read(number, into, position));
      buffer.put(into.asSlice(0, read).asByteBuffer());
      return read;
    }
  }

  @Override
  public void close() {
    file.close();
  }

  /** A new file that is being written. */
  record Temporary(Name name, Descriptor file) implements OpenDirectory.Temporary {
    @Override
    public void write(byte[] content) throws IOException {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment chunk = arena.allocate(Math.clamp(content.length, 1, CHUNK_BYTES));
        for (int at = 0; at < content.length; ) {
          int length = Math.min(content.length - at, CHUNK_BYTES);
          MemorySegment.copy(content, at, chunk, JAVA_BYTE, 0, length);
          at += file.use(number -> Libc.write(number, chunk.asSlice(0, length)));
        }
      }
    }

    @Override
    public void write(ByteBuffer content) throws IOException {
      if (!content.isDirect()) {
        OpenDirectory.Temporary.super.write(content);
        return;
      }
      while (content.hasRemaining()) {
        MemorySegment left = MemorySegment.ofBuffer(content);
        int written = file.use(number -> Libc.write(number, left));
        content.position(content.position() + written);
      }
    }

    @Override
    public void mode(IntUnaryOperator change) throws IOException {
      file.run(number -> Libc.mode(number, change.applyAsInt(Libc.stat(number).status().mode())));
    }

    @Override
    public void sync() throws IOException {
      file.run(number -> Libc.sync(number));
    }

    @Override
    public void close() {
      file.close();
    }
  }
}
