package harness.menu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MenuTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static JsonNode json(String text) throws Exception {
    return JSON.readTree(text);
  }

  private static MenuTool tool(String name, String schema) throws Exception {
    return MenuTool.of(name, "Says it.", json(schema));
  }

  private static String refused(String schema) {
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> tool("finish", schema))
                .getMessage());
    assertTrue(message.contains("'finish'"), message);
    return message;
  }

  private static Optional<String> said(String schema, String input) throws Exception {
    Menu menu = Menu.of(List.of(tool("finish", schema)));
    return menu.refusal(menu.tools().getFirst(), json(input));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[] | \"type\": \"object\"",
        "true | \"type\": \"object\"",
        "\"object\" | \"type\": \"object\"",
        "{\"type\":\"string\"} | \"type\": \"object\"",
        "{\"type\":[\"object\"]} | \"type\": \"object\"",
        "{\"type\":\"object\",\"properties\":[]} | /properties",
        "{\"type\":\"object\",\"required\":\"summary\"} | /required",
        "{\"properties\":{\"a\":{\"type\":\"text\"}}} | /properties/a/type",
        "{\"properties\":{\"a\":{\"minLength\":-1}}} | /properties/a/minLength",
        "{\"properties\":{\"a\":{\"pattern\":\"[\"}}} | look-around",
        "{\"properties\":{\"a\":{\"pattern\":\"(?=x)\"}}} | look-around",
        "{\"patternProperties\":{\"(a)\\\\1\":{}}} | look-around",
        "{\"properties\":{\"a\":{\"$ref\":\"http://127.0.0.1/a\"}}} | nothing is fetched",
        "{\"properties\":{\"a\":{\"$ref\":\"classpath:a.json\"}}} | nothing is fetched",
        "{\"$id\":\"http://127.0.0.1/a\"} | $id",
        "{\"$schema\":\"http://127.0.0.1/a\"} | $schema",
        "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/none\"}}} | cannot be resolved",
        "{\"$ref\":\"#\"} | without end",
      })
  void whatIsNoSchemaThatCanBeUsedIsRefusedWithWhatIsWrong(String schema, String words) {
    String message = refused(schema);
    assertTrue(message.contains(words), message);
  }

  @Test
  void aSchemaThatIsTooLargeOrTooDeepIsRefused() {
    assertTrue(refused("{\"title\":\"" + "x".repeat(65_536) + "\"}").contains("bytes"));
    assertTrue(refused("{\"not\":".repeat(70) + "{}" + "}".repeat(70)).contains("deeper"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"type\":\"object\"}",
        "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"type\":\"object\"}",
        "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\"}",
        "{\"properties\":{\"$ref\":{\"type\":\"string\"},\"pattern\":{\"type\":\"string\"}}}",
      })
  void anySchemaOfAnObjectIsTakenAndOfferedAsOne(String schema) throws Exception {
    MenuTool tool = tool("finish", schema);
    assertEquals("object", tool.schema().path("type").asText());
    assertEquals(Optional.empty(), said(schema, "{}"));
    assertTrue(said(schema, "\"text\"").orElse("").contains("object"));
  }

  @Test
  void aSchemaMayReferToItsOwnParts() throws Exception {
    String schema =
        "{\"properties\":{\"tree\":{\"$ref\":\"#/$defs/node\"}},\"$defs\":{\"node\":{\"type\":"
            + "\"object\",\"properties\":{\"left\":{\"$ref\":\"#/$defs/node\"},\"value\":"
            + "{\"type\":\"integer\"}}}}}";
    assertEquals(Optional.empty(), said(schema, "{\"tree\":{\"left\":{\"value\":1}}}"));
    String wrong = said(schema, "{\"tree\":{\"left\":{\"value\":\"one\"}}}").orElseThrow();
    assertTrue(wrong.contains("/tree/left/value"), wrong);
  }

  @Test
  void whatIsWrongWithAnInputIsBounded() throws Exception {
    String schema = "{\"additionalProperties\":{\"enum\":[1]}}";
    StringBuilder input = new StringBuilder("{\"z\":\"" + "long ".repeat(10_000) + "\"");
    for (int i = 0; i < 1_000; i++) {
      input.append(",\"field").append(i).append("\":2");
    }
    String wrong = said(schema, input + "}").orElseThrow();
    assertTrue(wrong.length() < 5_000, () -> wrong.length() + " characters");
    assertTrue(wrong.contains("more"), wrong);
  }

  @Test
  void anExpressionIsMatchedInLinearTime() throws Exception {
    String schema = "{\"properties\":{\"a\":{\"pattern\":\"^(a+)+$\"}}}";
    String input = "{\"a\":\"" + "a".repeat(50_000) + "!\"}";
    assertTrue(
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> said(schema, input)).isPresent());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "two words", "é", "a.b"})
  void aNameThatNoProviderTakesIsRefused(String name) {
    assertThrows(IllegalArgumentException.class, () -> tool(name, "{}"));
    assertThrows(IllegalArgumentException.class, () -> tool("a".repeat(65), "{}"));
  }

  @Test
  void aMenuNamesEachToolOnceAndHasAFewOfThem() throws Exception {
    MenuTool finish = tool("finish", "{}");
    assertThrows(IllegalArgumentException.class, () -> Menu.of(List.of(finish, finish)));
    List<MenuTool> many = new ArrayList<>();
    for (int i = 0; i <= Menu.MAX_TOOLS; i++) {
      many.add(tool("t" + i, "{}"));
    }
    assertThrows(IllegalArgumentException.class, () -> Menu.of(many));
    assertEquals(Menu.MAX_TOOLS, Menu.of(many.subList(1, many.size())).tools().size());
  }

  @Test
  void withNothingSaidAllOfAMenuIsAllowed() throws Exception {
    Menu menu = Menu.of(List.of(tool("finish", "{}"), tool("dispute", "{}")));
    assertEquals(List.of("dispute", "finish"), menu.allowed());
    assertEquals(List.of("finish"), menu.allowing(List.of("finish")).allowed());
    assertFalse(menu.allowing(List.of()).wantsPick());
    assertThrows(IllegalArgumentException.class, () -> menu.allowing(List.of("stop")));
    assertThrows(IllegalArgumentException.class, () -> menu.allowing(List.of("finish", "finish")));
  }
}
