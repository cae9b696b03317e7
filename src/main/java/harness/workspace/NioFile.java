package harness.workspace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.util.function.IntUnaryOperator;

/**
 * An open regular file of NIO.
 *
 * @param opened its status when it was opened; only the size is asked anew, because an open file
 *     can't be asked for the rest
 */
record NioFile(SeekableByteChannel channel, FileStatus opened) implements FileHandle {
  @Override
  public FileStatus status() throws IOException {
    return new FileStatus(
        opened.kind(),
        channel.size(),
        opened.mode(),
        opened.modifiedNanos(),
        opened.device(),
        opened.inode());
  }

  @Override
  public int read(ByteBuffer buffer, long position) throws IOException {
    synchronized (channel) {
      return channel.position(position).read(buffer);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A new file that is being written. */
  record Temporary(Name name, SeekableByteChannel channel, Mode mode)
      implements OpenDirectory.Temporary {
    /** Changes the mode of this file, by its name. */
    interface Mode {
      void change(IntUnaryOperator change) throws IOException;
    }

    @Override
    public void mode(IntUnaryOperator change) throws IOException {
      mode.change(change);
    }

    @Override
    public void write(byte[] content) throws IOException {
      ByteBuffer rest = ByteBuffer.wrap(content);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
    }

    @Override
    public void sync() throws IOException {
      if (channel instanceof FileChannel file) {
        file.force(true);
      }
    }

    @Override
    public void close() {
      try {
        channel.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
