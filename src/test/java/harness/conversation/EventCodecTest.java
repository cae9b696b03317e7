package harness.conversation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import harness.author.Actor;
import harness.model.Image;
import harness.model.Usage;
import harness.store.StoredEvent;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EventCodecTest {
  private static Event decoded(byte[] body) {
    return EventCodec.decode(new StoredEvent(0, 0, Instant.EPOCH, body)).event();
  }

  @Test
  void aResultComesBackWithItsPicturesAndVersions() {
    Event.ToolReturned returned =
        new Event.ToolReturned(
            "s1",
            "c-1-0",
            Event.Outcome.OK,
            "a picture",
            7,
            9,
            false,
            new Actor.Agent("coder", Optional.empty()),
            List.of(new Image("image/png", "iVBO")),
            Map.of("/work/a.png", "v1"));
    assertEquals(returned, decoded(EventCodec.encode(returned)));
  }

  @Test
  void aResultThatWasStoredBeforeItCouldHaveEitherIsStillRead() {
    Event.ToolReturned returned =
        new Event.ToolReturned(
            "s1",
            "c-1-0",
            Event.Outcome.OK,
            "text",
            7,
            4,
            false,
            new Actor.Agent("coder", Optional.empty()));
    String whole = new String(EventCodec.encode(returned), StandardCharsets.UTF_8);
    String old = whole.replace(",\"images\":[],\"seen\":{}", "");
    assertEquals(whole.length() - ",\"images\":[],\"seen\":{}".length(), old.length(), whole);
    assertEquals(returned, decoded(old.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void aCostComesBackExactlyAndOneThatWasNeverStoredIsNone() {
    Usage priced = new Usage(3, 2, 1).costing(new BigDecimal("0.1000000000000000000001"));
    Event settled = new Event.SubmissionSettled("s-1", new Settlement.Completed(), priced);
    assertEquals(settled, decoded(EventCodec.encode(settled)));

    String old =
        """
        {"type":"submission-settled","submissionId":"s-1","settlement":{"outcome":"completed"},
        "usage":{"inputTokens":3,"cachedInputTokens":2,"outputTokens":1}}""";
    assertEquals(
        new Event.SubmissionSettled("s-1", new Settlement.Completed(), new Usage(3, 2, 1)),
        decoded(old.getBytes(StandardCharsets.UTF_8)));
  }
}
