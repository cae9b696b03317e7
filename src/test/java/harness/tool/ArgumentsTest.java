package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
  private static final ToolSpec SPEC =
      new ToolSpec(
          "tool",
          "",
          Schema.object()
              .required("path", Schema.text(""))
              .optional("offset", Schema.wholeNumber(""))
              .optional("ignore_case", Schema.flag(""))
              .optional("mode", Schema.choice("", "content", "files"))
              .optional("paths", Schema.list("", Schema.text("")))
              .build(),
          false);

  private static final String KNOWN = "path, offset?, ignore_case?, mode?, paths?";

  private static Arguments read(String json) throws ToolException {
    return Arguments.of(SPEC, Workplace.json(json));
  }

  private static void assertRefused(
      String message, org.junit.jupiter.api.function.Executable reading) {
    assertEquals(message, assertThrows(ToolException.class, reading).getMessage());
  }

  @Test
  void aMissingFieldIsNamedWithWhatIsKnown() {
    assertRefused("tool: the field 'path' is missing; it takes " + KNOWN, () -> read("{}"));
    assertRefused("tool: the field 'path' is missing; it takes " + KNOWN, () -> read("null"));
    assertRefused(
        "tool: the field 'path' is missing; it takes " + KNOWN, () -> read("{path:null}"));
  }

  @Test
  void anUnknownFieldIsNamedWithWhatIsKnown() {
    assertRefused(
        "tool: there is no field 'colour'; it takes " + KNOWN,
        () -> read("{path:'a', colour:'red'}"));
    assertRefused(
        "tool: 'file_path' gives 'path' a second time", () -> read("{path:'a', file_path:'b'}"));
  }

  @Test
  void aMistypedFieldIsNamed() throws ToolException {
    Arguments arguments =
        read("{path:{}, offset:'five', ignore_case:'maybe', mode:'all', paths:[[1]]}");
    assertRefused("tool: 'path' takes a text, not {}", () -> arguments.text("path"));
    assertRefused(
        "tool: 'offset' takes a whole number, not \"five\"",
        () -> arguments.number("offset", 1, 1, 9));
    assertRefused(
        "tool: 'ignore_case' takes true or false, not \"maybe\"",
        () -> arguments.flag("ignore_case"));
    assertRefused(
        "tool: 'mode' takes one of content, files, not \"all\"",
        () -> arguments.choice("mode", "content", "content", "files"));
    assertRefused("tool: 'paths[0]' takes a text, not [1]", () -> arguments.texts("paths"));
    assertRefused("tool takes an object with " + KNOWN + ", not [1]", () -> read("[1]"));
    assertRefused("tool takes an object with " + KNOWN + ", not \"x\"", () -> read("'x'"));
  }

  @Test
  void numbersHaveBounds() throws ToolException {
    assertRefused(
        "tool: 'offset' is at least 1, not 0",
        () -> read("{path:'a', offset:0}").number("offset", 1, 1, 9));
    assertRefused(
        "tool: 'offset' is at least 1, not \"-1e300\"",
        () -> read("{path:'a', offset:'-1e300'}").number("offset", 1, 1, 9));
    assertRefused(
        "tool: 'offset' takes a whole number, not 1.5",
        () -> read("{path:'a', offset:1.5}").number("offset", 1, 1, 9));
    assertEquals(9, read("{path:'a', offset:1e300}").number("offset", 1, 1, 9));
    assertEquals(3, read("{path:'a'}").number("offset", 3, 1, 9));
  }

  @Test
  void whatIsNearlyRightIsTaken() throws ToolException {
    assertEquals(5, read("{path:'a', offset:'5'}").number("offset", 1, 1, 9));
    assertEquals(5, read("{path:'a', offset:5.0}").number("offset", 1, 1, 9));
    assertEquals("a", read("{file_path:'a'}").text("path"));
    assertEquals("a", read("{filePath:'a'}").text("path"));
    assertEquals("5", read("{path:5}").text("path"));
    assertTrue(read("{path:'a', ignoreCase:'True'}").flag("ignore_case"));
    assertFalse(read("{path:'a', ignore_case:0}").flag("ignore_case"));
    assertEquals(List.of("b"), read("{path:'a', paths:'b'}").texts("paths"));
    assertEquals(List.of("b", "c"), read("{path:'a', paths:'[\"b\",\"c\"]'}").texts("paths"));
    assertEquals("a", read("'{\"path\":\"a\"}'").text("path"));
    assertEquals("a", read("{path:'a', nothing:null}").text("path"));
  }

  @Test
  void halfACharacterIsRefused() throws ToolException {
    Arguments arguments = read("{path:'a\\ud83d'}");
    assertRefused(
        "tool: 'path' holds half a character (an unpaired surrogate) at position 1; send the whole"
            + " one",
        () -> arguments.text("path"));
    assertEquals("\uD83D\uDE00", read("{path:'\\ud83d\\ude00'}").text("path"));
  }
}
