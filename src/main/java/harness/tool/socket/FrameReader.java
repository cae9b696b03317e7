package harness.tool.socket;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Takes frames out of a stream of bytes. What it holds grows with the bytes that have come, never
 * with the length that a frame claims to have.
 */
final class FrameReader {
  private static final int FIRST_BYTES = 8 * 1024;
  private static final byte[] NOTHING = {};

  /** Hears each frame. */
  interface Ear {
    void hear(byte[] frame) throws ProtocolException;
  }

  private final int maxBytes;
  private int length;
  private int headerLeft = Frames.HEADER_BYTES;
  private byte[] body = NOTHING;
  private int filled;

  /**
   * @param maxBytes the longest frame
   */
  FrameReader(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Takes all the bytes. */
  void take(ByteBuffer bytes, Ear ear) throws ProtocolException {
    while (bytes.hasRemaining()) {
      if (headerLeft > 0) {
        length = length << Byte.SIZE | Byte.toUnsignedInt(bytes.get());
        headerLeft--;
        if (headerLeft == 0 && (length <= 0 || length > maxBytes)) {
          throw new ProtocolException(
              "a frame of "
                  + Integer.toUnsignedString(length)
                  + " bytes; one has from 1 to "
                  + maxBytes);
        }
      } else {
        fill(bytes);
        if (filled == length) {
          byte[] frame = body.length == length ? body : Arrays.copyOf(body, length);
          length = 0;
          headerLeft = Frames.HEADER_BYTES;
          body = NOTHING;
          filled = 0;
          ear.hear(frame);
        }
      }
    }
  }

  private void fill(ByteBuffer bytes) {
    int more = Math.min(bytes.remaining(), length - filled);
    if (filled + more > body.length) {
      int roomy = (int) Math.min(length, Math.max(FIRST_BYTES, 2L * body.length));
      body = Arrays.copyOf(body, Math.max(filled + more, roomy));
    }
    bytes.get(body, filled, more);
    filled += more;
  }

  /** Whether a frame has begun and not ended. */
  boolean within() {
    return headerLeft < Frames.HEADER_BYTES;
  }
}
