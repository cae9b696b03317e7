package harness.conversation;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import harness.store.StoredEvent;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Events as JSON, the form in which they are stored. */
final class EventCodec {
  /** What is written has to be readable: no reply or result is near as long, or as deep. */
  private static final StreamReadConstraints LIMITS =
      StreamReadConstraints.builder()
          .maxStringLength(256 * 1024 * 1024)
          .maxNestingDepth(2_000)
          .build();

  private static final ObjectMapper JSON =
      JsonMapper.builder(JsonFactory.builder().streamReadConstraints(LIMITS).build())
          .addModule(new Jdk8Module())
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private EventCodec() {}

  static byte[] encode(Event event) {
    try {
      return JSON.writerFor(Event.class).writeValueAsBytes(event);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an event could not be encoded: " + event.getClass(), e);
    }
  }

  static byte[] encode(FaultReport report) {
    try {
      return JSON.writeValueAsBytes(report);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a report of a fault could not be encoded", e);
    }
  }

  /** A stored event on one line, whatever its kind. */
  static String line(StoredEvent stored) {
    try {
      ObjectNode line = JSON.createObjectNode();
      line.put("sequence", stored.sequence());
      line.put("batch", stored.sequence() - stored.index());
      line.put("at", stored.at().toString());
      line.set("event", JSON.readTree(stored.body()));
      return line.toString();
    } catch (IOException e) {
      throw new UncheckedIOException("event " + stored.sequence() + " is no JSON", e);
    }
  }

  static FaultReport decodeReport(byte[] report) {
    try {
      return JSON.readValue(report, FaultReport.class);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "a fault in the feed is not one that this version knows; run a newer one", e);
    }
  }

  static Recorded decode(StoredEvent stored) {
    try {
      Event event = JSON.readValue(stored.body(), Event.class);
      return new Recorded(stored.sequence(), stored.index(), stored.at(), event);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "event " + stored.sequence() + " is not one that this version knows; run a newer one", e);
    }
  }
}
