package harness.wire;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.Bodies;
import harness.RawConnection;
import harness.Reply;
import harness.TestHarness;
import harness.TestSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can't be admitted is refused with its field, and leaves nothing behind. */
@Timeout(120)
class AdmissionRefusalTest {
  private static TestHarness harness;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    harness = TestSettings.in(directory).freeAfter(Duration.ZERO).start();
  }

  @AfterAll
  static void nothingWasLeftBehind() {
    int freed = harness.send("PUT", "/agents", "{\"live\":[]}").ok().json().path("freed").asInt();
    harness.close();
    assertEquals(0, freed, "a refused request left a conversation");
  }

  private static Reply turn(JsonNode body) {
    return harness.post("/turns", body);
  }

  private static Reply submission(JsonNode body) {
    return harness.post("/agents/coder/mine", body);
  }

  private static ObjectNode turn() {
    return Bodies.turn("run", "Write it.");
  }

  /** A valid body with one value put in its place, dots going down into objects. */
  private static ObjectNode with(ObjectNode body, String field, String json) {
    ObjectNode at = body;
    String[] names = field.split("\\.", -1);
    for (int i = 0; i < names.length - 1; i++) {
      at = at.has(names[i]) ? (ObjectNode) at.get(names[i]) : at.putObject(names[i]);
    }
    at.set(names[names.length - 1], new Reply(0, Map.of(), json).json());
    return body;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[]",
        "null",
        "\"text\"",
        "17",
        "{} {}",
        "{}x",
        "{\"prompt\": 'a'}",
        "{\"prompt\": \"a\", \"prompt\": \"b\"}",
        "{\"prompt\": \"\u0007\"}",
        "{\"prompt\": \"\\ud800\"}",
        "\u0000",
        "{\"a\":NaN}",
        "// a comment\n{}",
      })
  void whatIsNoJsonObjectIsRefused(String body) {
    for (String target : new String[] {"/turns", "/agents/coder/mine"}) {
      Reply reply = harness.send("POST", target, body);
      assertEquals(400, reply.status(), reply::toString);
      assertTrue(reply.error().contains("body") || reply.error().contains("prompt"), reply.error());
    }
  }

  @Test
  void jsonNestedWithoutEndIsRefused() {
    Reply reply = harness.send("POST", "/turns", "[".repeat(1_000_000));
    assertEquals(400, reply.status(), reply::toString);
    reply =
        harness.send("POST", "/turns", "{\"menu\":" + "[".repeat(5000) + "]".repeat(5000) + "}");
    assertEquals(400, reply.status(), reply::toString);
  }

  @ParameterizedTest
  @CsvSource({
    "run, run",
    "agent, agent",
    "prompt, prompt",
    "definition, definition",
    "definition.model, definition.model",
    "definition.instructions, definition.instructions",
  })
  void aMissingFieldIsNamed(String field, String named) {
    ObjectNode body = turn();
    String[] names = field.split("\\.", -1);
    (names.length == 1 ? body : (ObjectNode) body.get(names[0])).remove(names[names.length - 1]);
    Reply reply = turn(body);
    assertEquals(400, reply.status(), reply::toString);
    assertEquals(named, reply.field());
    assertTrue(reply.error().contains("'" + named + "'"), reply.error());

    Reply asNull = turn(with(turn(), field, "null"));
    assertEquals(400, asNull.status(), asNull::toString);
    assertEquals(named, asNull.field());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "run | 17",
        "path | [\"task\"]",
        "agent | true",
        "definition | \"coder\"",
        "definition | []",
        "definition.model | 1.5",
        "definition.instructions | {}",
        "definition.workspace | false",
        "definition.thinkingLevel | 3",
        "prompt | 17",
        "prompt | [\"Write it.\"]",
        "cwd | 17",
        "continue | \"true\"",
        "continue | 1",
        "model | {}",
        "thinkingLevel | 1",
        "menu | {}",
        "allowed | \"finish\"",
        "author | \"alice\"",
        "author.kind | 17",
        "author.id | 17",
        "delivery | true",
        "epoch | \"1\"",
        "epoch | 1.5",
        "epoch | 99999999999",
        "expectHeld | \"yes\"",
        "notices | {}",
        "notices.[0] | [null]",
        "menu.[0] | [null]",
        "allowed.[0] | [null]",
        "allowed.[1] | [\"finish\", null]",
        "allowed.[0] | [1]",
        "definition.approve.[0] | [null]",
      })
  void aMistypedFieldIsNamed(String field, String json) {
    Reply reply = turn(with(turn(), field.replaceAll("\\.\\[.*", ""), json));
    assertEquals(400, reply.status(), reply::toString);
    assertEquals(field, reply.field(), reply::toString);
    assertTrue(reply.error().contains("'" + field + "'"), reply.error());
  }

  @ParameterizedTest
  @CsvSource({
    "promt, promt",
    "definition.modle, definition.modle",
    "author.name, author.name",
    "Run, Run",
  })
  void anUnknownFieldIsNamedWithTheKnownOnes(String field, String named) {
    Reply reply = turn(with(turn(), field, "\"x\""));
    assertEquals(400, reply.status(), reply::toString);
    assertEquals(named, reply.field());
    assertTrue(reply.error().contains("known here are"), reply.error());
  }

  @ParameterizedTest
  @CsvSource({
    "session, continue",
    "scope, continue",
    "conversation, continue",
    "instanceId, run",
    "instanceId, path",
    "instanceId, agent",
    "tools, menu",
    "tools, allowed",
    "definition.cwd, cwd",
    "definition.cwd, Frame",
  })
  void aRetiredFieldIsRefusedWithWhatReplacedIt(String field, String replacement) {
    for (Reply reply :
        new Reply[] {
          turn(with(turn(), field, "\"x\"")),
          submission(with(Bodies.submission("Write it."), field, "\"x\"")),
        }) {
      assertEquals(400, reply.status(), reply::toString);
      assertEquals(field, reply.field());
      assertTrue(reply.error().contains("'" + field + "'"), reply.error());
      assertTrue(reply.error().contains(replacement), reply.error());
    }
  }

  @ParameterizedTest
  @CsvSource({"run", "path", "agent", "continue", "epoch", "expectHeld"})
  void anExactSubmissionTakesNoFieldThatItsPathSays(String field) {
    String json =
        switch (field) {
          case "continue", "expectHeld" -> "true";
          case "epoch" -> "0";
          default -> "\"x\"";
        };
    Reply reply = submission(with(Bodies.submission("Write it."), field, json));
    assertEquals(400, reply.status(), reply::toString);
    assertEquals(field, reply.field());
  }

  @Test
  void messageIsAnotherNameOfPromptForAnExactSubmissionAlone() {
    ObjectNode both = Bodies.submission("Write it.").put("message", "Write it.");
    assertEquals("message", submission(both).field());
    assertEquals(400, submission(both).status());
    assertEquals("message", turn(turn().put("message", "Write it.")).field());
    ObjectNode none = Bodies.submission("Write it.");
    none.remove("prompt");
    assertEquals("prompt", submission(none).field());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "definition.model | \"elsewhere/plain\" | model | elsewhere | test",
        "definition.model | \"test/huge\" | model | huge | plain",
        "model | \"elsewhere/plain\" | model | elsewhere | test",
        "model | \"test/huge\" | model | huge | plain",
        "model | \"plain\" | model | PROVIDER/MODEL | plain",
        "model | \"\" | model | PROVIDER/MODEL | model",
        "definition.model | \"/\" | definition.model | PROVIDER/MODEL | /",
        "thinkingLevel | \"huge\" | thinkingLevel | huge | xhigh",
        "definition.thinkingLevel | \"LOW\" | definition.thinkingLevel | LOW | low",
        "definition.workspace | \"all\" | definition.workspace | all | none",
        "definition.writes | \"later\" | definition.writes | later | suggest",
        "definition.approve | [\"write\",\"sell\"] | definition.approve | sell | shell",
        "delivery | \"later\" | delivery | later | join",
        "epoch | -1 | epoch | -1 | 0",
        "prompt | \" \\n\" | prompt | blank | prompt",
        "author.kind | \"robot\" | author.kind | robot | evaluator",
        "author | {\"kind\":\"user\"} | author.id | author.id | missing",
        "author | {\"kind\":\"user\",\"id\":\" \"} | author.id | blank | author.id",
        "author | {\"kind\":\"user\",\"id\":\"a\\nb\"} | author.id | control character | 1024",
        "author | {\"id\":\"alice\"} | author.kind | author.kind | missing",
        "author | {\"kind\":\"system\",\"id\":\"x\"} | author.id | system | id",
        "author | {\"kind\":\"user\",\"id\":\"a\",\"onBehalfOf\":{\"kind\":\"user\",\"id\":\"b\"}}"
            + " | author.onBehalfOf | user | onBehalfOf",
        "notices | [{\"kind\":\"rumour\",\"scope\":\"workspace\"}] | notices | rumour |"
            + " memory-limit",
        "notices | [{\"kind\":\"memory-limit\",\"scope\":\"workspace\",\"limit\":\"1g\"}] |"
            + " notices.agent | notices.agent | missing",
      })
  void whatIsUnknownIsNamedWithWhatThereIs(
      String field, String json, String named, String wrong, String known) {
    Reply reply = turn(with(turn(), field, json));
    assertEquals(400, reply.status(), reply::toString);
    assertAll(
        () -> assertEquals(named, reply.field()),
        () -> assertTrue(reply.error().contains(wrong), reply.error()),
        () -> assertTrue(reply.error().contains(known), reply.error()));
  }

  @Test
  void aThinkingLevelThatTheModelLacksIsRefusedAtAdmission() {
    Reply reply = turn(turn().put("model", "test/narrow").put("thinkingLevel", "high"));
    assertEquals(400, reply.status(), reply::toString);
    assertEquals("thinkingLevel", reply.field());
    assertTrue(reply.error().contains("test/narrow") && reply.error().contains("low"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "menu.[0].name | [{\"description\":\"D\",\"input\":{}}] | missing",
        "menu.[0].description | [{\"name\":\"a\",\"input\":{}}] | missing",
        "menu.[0].input | [{\"name\":\"a\",\"description\":\"D\"}] | missing",
        "menu.[0].input | [{\"name\":\"a\",\"description\":\"D\",\"input\":null}] | missing",
        "menu.[0].schema | [{\"name\":\"a\",\"description\":\"D\",\"schema\":{}}] | unknown",
        "menu.[0].name | [{\"name\":1,\"description\":\"D\",\"input\":{}}] | type",
        "menu.[0] | [{\"name\":\"a b\",\"description\":\"D\",\"input\":{}}] | 'a b'",
        "menu.[0] | [{\"name\":\"a\",\"description\":\" \",\"input\":{}}] | 'a'",
        "menu.[0] | [{\"name\":\"a\",\"description\":\"D\",\"input\":{\"type\":\"text\"}}] | 'a'",
        "menu.[0] | [{\"name\":\"a\",\"description\":\"D\",\"input\":{\"required\":1}}] | /required",
        "menu | [{\"name\":\"read\",\"description\":\"D\",\"input\":{}}] | Working tool",
        "menu | [{\"name\":\"shell_stop\",\"description\":\"D\",\"input\":{}}] | 'shell_stop'",
      })
  void aMenuThatCouldNotBeOfferedIsRefusedByName(String field, String menu, String words) {
    for (Reply reply : List.of(turn(with(turn(), "menu", menu)), mine("menu", menu))) {
      assertEquals(400, reply.status(), reply::toString);
      assertEquals(field, reply.field(), reply::toString);
      assertTrue(reply.error().contains(words), reply.error());
    }
  }

  private Reply mine(String field, String json) {
    return harness.post("/agents/coder/mine", with(Bodies.submission("Write it."), field, json));
  }

  private static final String FINISH =
      "{\"name\":\"finish\",\"description\":\"Ends.\",\"input\":{\"type\":\"object\"}}";

  @Test
  void twoMenuToolsOfOneNameAreRefused() {
    Reply reply = turn(with(turn(), "menu", "[" + FINISH + "," + FINISH + "]"));
    assertEquals(400, reply.status(), reply::toString);
    assertEquals("menu", reply.field());
    assertTrue(reply.error().contains("'finish'"), reply.error());
  }

  @Test
  void moreMenuToolsThanAnyModelTakesAreRefused() {
    String many =
        IntStream.rangeClosed(0, 64)
            .mapToObj(i -> FINISH.replace("finish", "finish" + i))
            .collect(Collectors.joining(",", "[", "]"));
    Reply reply = turn(with(turn(), "menu", many));
    assertEquals(400, reply.status(), reply::toString);
    assertEquals("menu", reply.field());
    assertTrue(reply.error().contains("64"), reply.error());
  }

  @ParameterizedTest
  @CsvSource({"[], finish", "[FINISH], dispute"})
  void anAllowedNameOutsideTheMenuIsRefused(String menu, String allowed) {
    for (String target : new String[] {"/turns", "/agents/coder/mine"}) {
      ObjectNode body = target.equals("/turns") ? turn() : Bodies.submission("Write it.");
      with(body, "menu", menu.replace("FINISH", FINISH)).putArray("allowed").add(allowed);
      Reply reply = harness.post(target, body);
      assertEquals(400, reply.status(), reply::toString);
      assertEquals("allowed", reply.field());
      assertTrue(reply.error().contains("'" + allowed + "'"), reply.error());
    }
    ObjectNode without = turn();
    without.putArray("allowed").add(allowed);
    assertEquals("allowed", turn(without).field());
  }

  @Test
  void anEmptyMenuIsTaken(@TempDir Path empty) throws Exception {
    ObjectNode body = turn();
    body.putArray("menu");
    body.putArray("allowed");
    ((ObjectNode) body.get("definition"))
        .put("writes", "direct")
        .put("description", 17)
        .putArray("approve");
    try (TestHarness other = TestHarness.start(empty)) {
      Reply reply = other.post("/turns", body);
      assertEquals("completed", other.awaitSettled(reply).path("outcome").asText());
    }
  }

  @Test
  void anOwnerIsRefusedWhereTheConversationHasNone() {
    ObjectNode body = turn();
    body.set("author", JsonNodeFactory.instance.objectNode().put("kind", "owner"));
    Reply reply = turn(body);
    assertEquals(403, reply.status(), reply::toString);
    assertTrue(reply.error().contains("no owner"), reply.error());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "with space"})
  void anIdempotencyKeyThatIsNoneIsRefused(String key) {
    Reply reply = harness.post("/turns", turn(), "Idempotency-Key", key);
    assertEquals(400, reply.status(), reply::toString);
    assertEquals("Idempotency-Key", reply.field());
  }

  @Test
  void anIdempotencyKeyIsAscii() throws Exception {
    try (RawConnection connection = harness.connect()) {
      Reply reply =
          connection.exchange("POST", "/turns", turn().toString(), "Idempotency-Key", "\u00fcber");
      assertEquals(400, reply.status(), reply::toString);
    }
  }

  @Test
  void anIdempotencyKeyHasAtMost255Characters() {
    Reply reply = harness.post("/turns", turn(), "Idempotency-Key", "k".repeat(256));
    assertEquals(400, reply.status(), reply::toString);
    assertTrue(reply.error().contains("255"), reply.error());
  }
}
