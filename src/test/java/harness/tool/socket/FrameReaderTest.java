package harness.tool.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Seed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameReaderTest {
  @Test
  void framesComeOutAsTheyWentInHoweverTheBytesAreCut() throws Exception {
    Random random = new Random(Seed.get(FrameReaderTest.class));
    for (int round = 0; round < 50; round++) {
      List<byte[]> frames = new ArrayList<>();
      ByteBuffer all = ByteBuffer.allocate(1 << 20);
      for (int i = random.nextInt(8); i >= 0; i--) {
        byte[] frame = new byte[1 + random.nextInt(random.nextBoolean() ? 20 : 50_000)];
        random.nextBytes(frame);
        frames.add(frame);
        all.putInt(frame.length).put(frame);
      }
      all.flip();
      FrameReader reader = new FrameReader(50_000);
      List<byte[]> heard = new ArrayList<>();
      while (all.hasRemaining()) {
        int length = Math.min(all.remaining(), 1 + random.nextInt(10_000));
        reader.take(all.slice(all.position(), length), heard::add);
        all.position(all.position() + length);
      }
      assertFalse(reader.within());
      assertEquals(frames.size(), heard.size());
      for (int i = 0; i < frames.size(); i++) {
        assertArrayEquals(frames.get(i), heard.get(i));
      }
    }
  }

  @Test
  void aClaimedLengthCostsNothing() throws Exception {
    List<FrameReader> readers = new ArrayList<>();
    long claimed = 0;
    while (claimed < 4 * Runtime.getRuntime().maxMemory()) {
      FrameReader reader = new FrameReader(Frames.MAX_BYTES);
      reader.take(ByteBuffer.allocate(5).putInt(Frames.MAX_BYTES).put((byte) 'x').flip(), _ -> {});
      assertTrue(reader.within());
      readers.add(reader);
      claimed += Frames.MAX_BYTES;
    }
    assertFalse(readers.isEmpty());
  }
}
