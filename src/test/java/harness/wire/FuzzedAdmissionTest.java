package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.Seed;
import harness.fault.Refusal;
import harness.fault.RefusedException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of a body that is refused is in words of the wire, whatever is wrong with it. */
class FuzzedAdmissionTest {
  private static final int BODIES = 20_000;

  private static final String WHOLE =
      """
      {"run":"run-1","path":"task","agent":"coder","continue":true,"epoch":1,"expectHeld":false,
       "definition":{"model":"lab/one","instructions":"You code.","workspace":"write",
         "thinkingLevel":"low","approve":["write"],"writes":"suggest"},
       "prompt":"Write it.","cwd":"/work","model":"lab/one","thinkingLevel":"low",
       "menu":[{"name":"finish","description":"Ends it.","input":{"type":"object","properties":
         {"path":{"type":"string","pattern":"^a+$","minLength":1}},"required":["path"]}}],
       "allowed":["finish"],"delivery":"join",
       "author":{"kind":"agent","id":"a","onBehalfOf":{"kind":"user","id":"alice"}},
       "notices":[{"kind":"memory-limit","scope":"workspace","agent":"coder","limit":"8Gi"}]}
      """;

  /** Of the library and the language that this is written in. */
  private static final List<String> NOT_OURS =
      List.of(
          "com.fasterxml",
          "harness.",
          "java.",
          "[Source:",
          "Jackson",
          "Optional",
          "JsonToken",
          "Deserializ",
          "through reference",
          "Exception");

  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "0",
          "-1",
          "1.5",
          "1e999",
          "99999999999999999999",
          "\"\"",
          "\"x\"",
          "[]",
          "{}",
          "[null]",
          "[[]]",
          "[1]",
          "{\"x\":1}",
          "[{}]",
          "\"\\u0000\"");

  private static final List<String> SCRAPS =
      List.of(
          "{",
          "}",
          "[",
          "]",
          ",",
          ":",
          "\"",
          "\\",
          "'",
          "null",
          "nul",
          "01",
          "-",
          "/*",
          "\u00e9",
          "\\ud800",
          "\t",
          "NaN",
          "\"run\":1,");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final long seed = Seed.get(FuzzedAdmissionTest.class);
  private final Random random = new Random(seed);

  private static void admit(String body) {
    AdmissionCodec.turn(
        Body.read(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8))),
        Optional.empty());
  }

  private static Refusal.Invalid refused(String body) {
    return (Refusal.Invalid)
        assertThrows(RefusedException.class, () -> admit(body), body).refusal();
  }

  @Test
  void noRefusalIsInWordsOfTheLibrary() throws Exception {
    admit(WHOLE);
    int refused = 0;
    for (int i = 0; i < BODIES; i++) {
      String body = random.nextInt(3) == 0 ? scrap() : replaced();
      try {
        admit(body);
      } catch (RefusedException e) {
        refused++;
        String told = ((Refusal.Invalid) e.refusal()).message();
        for (String word : NOT_OURS) {
          // A name that the body itself holds may be said again.
          assertFalse(
              told.contains(word) && !body.contains(word),
              () -> "seed " + seed + ": " + told + "\nof " + body);
        }
      }
    }
    assertTrue(refused > BODIES / 2, "hardly any body was refused: " + refused);
  }

  /** A body with some text put in, or in the place of another. */
  private String scrap() {
    String body = WHOLE;
    for (int left = 1 + random.nextInt(2); left > 0; left--) {
      int at = random.nextInt(body.length());
      int to = Math.min(body.length(), at + random.nextInt(6));
      body = body.substring(0, at) + any(SCRAPS) + body.substring(random.nextBoolean() ? at : to);
    }
    return body;
  }

  /** A body with another value somewhere. */
  private String replaced() throws Exception {
    JsonNode body = JSON.readTree(WHOLE);
    JsonNode at = body;
    while (true) {
      JsonNode child = null;
      JsonNode value = JSON.readTree(any(VALUES));
      if (at instanceof ObjectNode object) {
        String name =
            object.isEmpty() || random.nextInt(10) == 0
                ? "other"
                : List.copyOf(object.properties()).get(random.nextInt(object.size())).getKey();
        child = object.path(name);
        if (!child.isContainerNode() || random.nextBoolean()) {
          object.set(name, value);
          return body.toString();
        }
      } else {
        ArrayNode array = (ArrayNode) at;
        int index = random.nextInt(array.size());
        child = array.get(index);
        if (!child.isContainerNode() || random.nextBoolean()) {
          array.set(index, value);
          return body.toString();
        }
      }
      at = child;
    }
  }

  private <T> T any(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"run\":1} | run | a text",
        "{\"epoch\":\"x\"} | epoch | whole number",
        "{\"epoch\":99999999999} | epoch | whole number",
        "{\"continue\":\"x\"} | continue | true or false",
        "{\"definition\":[]} | definition | an object",
        "{\"definition\":{\"model\":{}}} | definition.model | a text",
        "{\"definition\":{\"approve\":\"x\"}} | definition.approve | a list",
        "{\"menu\":[{\"name\":7}]} | menu.[0].name | a text",
        "{\"other\":1} | other | known here are",
        "{\"run\":\"a\",\"run\":\"b\"} | `` | 'run': the field is there twice",
        "{\"run\":\"a\" | `` | ends in its middle",
        "{\"run\": x} | `` | (line 1, column 9), at the field 'run': something else stands there",
      })
  void aRefusalSaysWhatWasExpectedWhere(String body, String field, String says) {
    Refusal.Invalid refusal = refused(body);
    assertEquals(field, refusal.field());
    assertTrue(refusal.message().contains(says), refusal.message());
  }
}
