package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.Bodies;
import harness.Reply;
import harness.StreamReader;
import harness.TestHarness;
import harness.TestSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever a request speaks for reads and ends what the file of rights lets them. */
@Timeout(120)
class RightsOverTheWireTest {
  private static final String HEADER = "Harness-Author";
  private static final String UNKNOWN = "/agents/coder/run%2Ftask%2Funknown";

  private static final String GRANTS =
      """
      grants:
        - { to: "user:alice", on: "run/**", may: [ turn.start, conversation.read, turn.abort, workspace.read ] }
        - { to: "user:J\u00FCrgen", on: "run/**", may: [ conversation.read ] }
        - { to: "user:viewer", on: "run/**", may: [ conversation.read ] }
        - { to: "agent:coder", on: "**", may: [ turn.start ] }
      """;

  private static final ObjectNode ALICE =
      JsonNodeFactory.instance.objectNode().put("kind", "user").put("id", "alice");

  private Path file;
  private TestHarness harness;
  private String conversation;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    file = Files.writeString(directory.resolve("authority.yaml"), GRANTS);
    harness = TestSettings.in(directory).authority(file).start();
    Reply admission = harness.post("/turns", Bodies.continued("run", "Write it."));
    harness.awaitSettled(admission);
    conversation = admission.conversation();
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  private int status(String method, String target, String author) {
    return harness.send(method, target, "", HEADER, author).status();
  }

  @ParameterizedTest
  @CsvSource({
    "user:alice, 200",
    "user:viewer, 200",
    "external-agent:cursor;for=user:viewer, 200",
    "agent:run/task/coder;for=external-agent:cursor;for=user:viewer, 200",
    "system, 200",
    "user:J%C3%BCrgen, 200",
    "user:mallory, 403",
    "external-agent:cursor, 403",
    "external-agent:cursor;for=user:mallory, 403",
    "agent:run/task/coder, 403",
    "evaluator:grader, 403",
  })
  void eachViewAsksWhetherItsReaderMayRead(String author, int status) {
    assertEquals(status, status("GET", conversation, author));
    assertEquals(status, status("HEAD", conversation, author));
    assertEquals(status, status("GET", conversation + "?view=history", author));
    if (status == 403) {
      assertEquals(
          403,
          harness
              .send("GET", conversation, "", HEADER, author, "Accept", "text/event-stream")
              .status());
      assertEquals(403, status("GET", conversation + "?live=long-poll", author));
    }
  }

  @Test
  void aRefusalNamesWhoAndWhatAndTellsNothingOfWhatThereIs() {
    Reply held = harness.get(conversation, HEADER, "user:mallory");
    Reply unknown = harness.get(UNKNOWN, HEADER, "user:mallory");
    for (Reply reply : List.of(held, unknown)) {
      assertEquals(403, reply.status(), reply::toString);
      assertTrue(reply.error().contains("user:mallory"), reply.error());
      assertTrue(reply.error().contains("conversation.read"), reply.error());
    }
    assertEquals(held.error().replace("run/task/coder", "run/task/unknown"), unknown.error());
    assertEquals(404, status("GET", UNKNOWN, "user:viewer"));
    assertEquals(404, status("HEAD", UNKNOWN, "user:viewer"));
    assertEquals(404, harness.get(UNKNOWN).status());
  }

  @Test
  void whoMayReadMayNotEnd() {
    String abort = conversation + "/abort";
    String viewer = "{\"author\":{\"kind\":\"user\",\"id\":\"viewer\"}}";
    for (Reply reply :
        List.of(
            harness.send("POST", abort, viewer),
            harness.send("POST", abort, "", HEADER, "user:viewer"))) {
      assertEquals(403, reply.status(), reply::toString);
      assertTrue(reply.error().contains("turn.abort"), reply.error());
    }
    assertEquals(200, harness.send("POST", abort, viewer.replace("viewer", "alice")).status());
    assertEquals(200, status("POST", abort, "user:alice"));
    assertEquals(200, harness.send("POST", abort, "{}").status());
    assertEquals(200, harness.send("POST", abort, "").status());
    assertEquals(403, status("POST", UNKNOWN + "/abort", "user:viewer"));
  }

  @Test
  void anAbortNamesItsAuthorOnce() {
    Reply reply =
        harness.send(
            "POST",
            conversation + "/abort",
            "{\"author\":{\"kind\":\"system\"}}",
            HEADER,
            "user:alice");
    assertEquals(400, reply.status(), reply::toString);
    assertEquals("author", reply.field());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "alice",
        "user",
        "user:",
        "user:100%",
        "user:%C3",
        "robot:x",
        "system:x",
        "user:a;for=user:b"
      })
  void aHeaderThatNamesNoOneIsRefusedByName(String author) {
    Reply reply = harness.get(conversation, HEADER, author);
    assertEquals(400, reply.status(), reply::toString);
    assertTrue(reply.field().startsWith(HEADER), reply::toString);
  }

  @Test
  void twoAuthorsInTheHeaderAreRefused() {
    Reply reply = harness.get(conversation, HEADER, "user:alice", HEADER, "user:viewer");
    assertEquals(400, reply.status(), reply::toString);
    assertEquals(HEADER, reply.field());
  }

  @Test
  void theHeaderIsRefusedWhereItWouldNotCount() {
    for (Reply reply :
        List.of(
            harness.post("/turns", Bodies.turn("run", "Write it."), HEADER, "user:viewer"),
            harness.post(conversation, Bodies.submission("Write it."), HEADER, "user:viewer"),
            harness.get("/faults", HEADER, "user:alice"))) {
      assertEquals(400, reply.status(), reply::toString);
      assertEquals(HEADER, reply.field());
    }
    assertEquals(200, harness.get("/faults").status());
  }

  @Test
  void aRightThatIsTakenAwayIsGoneAtTheNextRequest() throws Exception {
    assertEquals(200, status("GET", conversation, "user:viewer"));
    Files.writeString(file, "grants: []\n");
    assertEquals(403, status("GET", conversation, "user:viewer"));
    assertEquals(200, harness.get(conversation).status());
  }

  @Test
  void aStreamWhoseReadersRightIsTakenAwayEndsWithTheAnswerOfANewRead() throws Exception {
    Reply live =
        harness.post(
            "/turns", Bodies.continued("run", "Wait for gate-1.").<ObjectNode>set("author", ALICE));
    harness.awaitStarted(live);
    try (StreamReader stream = harness.stream(conversation, HEADER, "user:viewer")) {
      stream.until(frame -> frame.is("tool-returned"));
      Files.writeString(file, GRANTS.replace("user:viewer", "user:other"));
      harness.open("gate-1");
      List<StreamReader.Frame> rest = stream.until(frame -> frame.event().equals("refused"));
      assertEquals(1, rest.size(), rest::toString);
      Reply refused = harness.get(conversation, HEADER, "user:viewer");
      assertEquals(refused.status(), rest.getFirst().json().path("status").asInt());
      assertEquals(refused.error(), rest.getFirst().json().path("error").asText());
      assertTrue(stream.next().isEmpty());
    }
    assertEquals("completed", harness.awaitSettled(live).path("outcome").asText());
  }

  @Test
  void aParkedReadWhoseRightIsTakenAwayIsRefusedInsteadOfAnswered() throws Exception {
    Reply live =
        harness.post(
            "/turns", Bodies.continued("run", "Wait for gate-1.").<ObjectNode>set("author", ALICE));
    harness.await(conversation, "tool-returned", "outcome", "ok");
    String end = harness.get(conversation).header("stream-next-offset");
    CompletableFuture<Reply> parked =
        harness.sendAsync(
            "GET", conversation + "?live=long-poll&offset=" + end, "", HEADER, "user:viewer");
    // Its answer to nothing new would be as well, only later.
    Files.writeString(file, GRANTS.replace("user:viewer", "user:other"));
    harness.open("gate-1");
    Reply reply = parked.get(60, TimeUnit.SECONDS);
    assertEquals(403, reply.status(), reply::toString);
    harness.awaitSettled(live);
  }

  @Test
  void withoutAFileTheOrchestratorsWordSuffices(@TempDir Path other) throws Exception {
    try (TestHarness open = TestHarness.start(other)) {
      Reply admission = open.post("/turns", Bodies.turn("run", "Write it."));
      open.awaitSettled(admission);
      assertEquals(200, open.get(admission.conversation(), HEADER, "user:mallory").status());
    }
  }
}
