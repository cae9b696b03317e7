package harness.model.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import harness.Seed;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SseParserTest {
  private static final String STREAM =
      "\uFEFFdata: one\n\n"
          + ": a comment\r\n"
          + "data:two\r\ndata:  three\r\n\r\n"
          + "event: error\rdata: fünf 😀\r\r"
          + "id: 7\nretry: 10\ndata\n\n"
          + "event: lost\n\n"
          + "data: six\n";

  private static final List<ServerEvent> EVENTS =
      List.of(
          new ServerEvent("message", "one"),
          new ServerEvent("message", "two\n three"),
          new ServerEvent("error", "fünf 😀"),
          new ServerEvent("message", ""),
          new ServerEvent("message", "six"));

  @Test
  void eventsAreTheSameWhereverTheBytesWereSplit() throws Exception {
    byte[] bytes = STREAM.getBytes(StandardCharsets.UTF_8);
    long seed = Seed.get(SseParserTest.class);
    Random random = new Random(seed);
    for (int round = 0; round < 1_000; round++) {
      SseParser parser = new SseParser(1_000);
      List<ServerEvent> events = new ArrayList<>();
      for (int at = 0; at < bytes.length; ) {
        int length = Math.min(1 + random.nextInt(8), bytes.length - at);
        events.addAll(parser.feed(ByteBuffer.wrap(bytes, at, length)));
        at += length;
      }
      events.addAll(parser.end());
      assertEquals(EVENTS, events, "replay with -Dseed=" + seed);
    }
  }

  @Test
  void aLineWithoutItsEndIsNoEvent() throws Exception {
    SseParser parser = new SseParser(1_000);

    assertEquals(List.of(), parser.feed(bytes("data: {\"half\":")));
    assertEquals(List.of(), parser.end());
  }

  @Test
  void aLineMayBeAsLongAsTheLimitAndNoLonger() throws Exception {
    assertEquals(
        List.of(new ServerEvent("message", "1234")),
        new SseParser(10).feed(bytes("data: 1234\n\n")));
    assertThrows(
        SseParser.LineTooLongException.class,
        () -> new SseParser(10).feed(bytes("data: 12345\n\n")));
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
