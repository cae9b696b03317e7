package harness.conversation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.author.Actor;
import harness.author.Provenance;
import harness.menu.Menu;
import harness.menu.MenuTool;
import harness.menu.Pick;
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
            Provenance.OWNER,
            List.of(new Image("image/png", "iVBO")),
            Map.of("/work/a.png", "v1"));
    assertEquals(returned, decoded(EventCodec.encode(returned)));
  }

  @Test
  void aSubmissionComesBackWithItsMenu() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    schema.put("title", "b").put("additionalProperties", false);
    Menu menu =
        Menu.of(List.of(MenuTool.of("finish", "Ends.", schema), MenuTool.of("a", "Or.", schema)));
    Submission plain = Stage.submission("s1", new Actor.User("alice"));
    Event.SubmissionAdmitted admitted =
        new Event.SubmissionAdmitted(
            new Submission(
                plain.submissionId(),
                plain.author(),
                plain.definition(),
                plain.frame(),
                plain.dials(),
                plain.notices(),
                Optional.of(menu.allowing(List.of("a"))),
                Delivery.JOIN,
                true));
    Event.SubmissionAdmitted back =
        assertInstanceOf(Event.SubmissionAdmitted.class, decoded(EventCodec.encode(admitted)));
    assertEquals(admitted, back);
    assertEquals(
        schema.toString(), back.submission().picks().tools().getFirst().schema().toString());
  }

  @Test
  void whatWasStoredBeforeThereWereMenusIsStillRead() {
    Event admitted = new Event.SubmissionAdmitted(Stage.submission("s1", new Actor.User("alice")));
    assertEquals(
        admitted,
        decoded(without(admitted, ",\"menu\":null,\"delivery\":\"queue\",\"minted\":false")));
    Event settled = new Event.SubmissionSettled("s1", new Settlement.Completed(), Usage.NONE);
    assertEquals(settled, decoded(without(settled, ",\"pick\":null")));
  }

  @Test
  void aDefinitionThatWasStoredBeforeItSaidHowItWritesIsStillRead() {
    Event admitted = new Event.SubmissionAdmitted(Stage.submission("s1", new Actor.User("alice")));
    assertEquals(admitted, decoded(without(admitted, ",\"writes\":\"DIRECT\",\"approve\":[]")));
  }

  private static byte[] without(Event event, String words) {
    String whole = new String(EventCodec.encode(event), StandardCharsets.UTF_8);
    String old = whole.replace(words, "");
    assertEquals(whole.length() - words.length(), old.length(), whole);
    return old.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aPickComesBackInItsEventAndItsSettlementAndSoDoesWhatATurnGoesOnFrom() {
    Pick pick = new Pick("finish", JsonNodeFactory.instance.objectNode().put("summary", "done"));
    for (Event event :
        List.of(
            new Event.Picked("s1", pick, new Actor.Agent("coder", Optional.empty())),
            new Event.SubmissionSettled(
                "s1", new Settlement.Completed(Optional.of(pick)), Usage.NONE),
            new Event.Nudged("s1", 2, "Pick."),
            new Event.Rerolled("s1", 1, "in circles"),
            new Event.Compacted("s1", "In short.", 3, 50_000, 20_000))) {
      assertEquals(event, decoded(EventCodec.encode(event)));
    }
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
            new Actor.Agent("coder", Optional.empty()),
            Provenance.NONE);
    String whole = new String(EventCodec.encode(returned), StandardCharsets.UTF_8);
    String old = whole.replace(",\"provenance\":\"none\",\"images\":[],\"seen\":{}", "");
    assertEquals(
        whole.length() - ",\"provenance\":\"none\",\"images\":[],\"seen\":{}".length(),
        old.length(),
        whole);
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
