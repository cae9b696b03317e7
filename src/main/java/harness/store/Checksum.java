package harness.store;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** What a row of the log must add up to, so that a damaged one is never taken for an event. */
final class Checksum {
  private Checksum() {}

  /** CRC32C over the conversation's id and all that is stored of one of its events. */
  static long of(long conversation, long sequence, int index, long atMicros, byte[] body) {
    ByteBuffer head = ByteBuffer.allocate(3 * Long.BYTES + Integer.BYTES);
    head.putLong(conversation).putLong(sequence).putLong(atMicros).putInt(index).flip();
    CRC32C sum = new CRC32C();
    sum.update(head);
    sum.update(body);
    return sum.getValue();
  }
}
