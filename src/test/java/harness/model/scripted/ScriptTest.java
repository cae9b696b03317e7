package harness.model.scripted;

import static harness.model.Says.assertSays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import harness.model.ModelException;
import harness.model.scripted.Script.Rule;
import harness.model.scripted.Script.Step;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptTest {
  @Test
  void everyKeyOfAScriptIsRead() throws ScriptException {
    Script script =
        Script.parse(
            """
            models:
              demo:
                - when: write
                  turn: 2
                  seen: earlier
                  steps:
                    - wait-for-file: /tmp/go
                      delay-ms: 10
                      drip-ms: 5
                      think: hm
                      text: words
                      calls:
                        - { name: write, input: { path: a.txt } }
                        - { name: list }
                      cut: true
                      usage: { input: 3, cached: 2, output: 1 }
                    - error: { kind: overload, message: busy }
            """,
            "test");

    Rule rule = script.rules("demo").get(0);
    assertEquals(Optional.of("write"), rule.when());
    assertEquals(Optional.of(2), rule.turn());
    assertEquals(Optional.of("earlier"), rule.seen());
    Step step = rule.steps().get(0);
    assertEquals(Optional.of(Path.of("/tmp/go")), step.waitForFile());
    assertEquals(10, step.delayMs());
    assertEquals(5, step.dripMs());
    assertEquals(Optional.of("hm"), step.think());
    assertEquals(Optional.of("words"), step.text());
    assertEquals("{\"path\":\"a.txt\"}", step.calls().get(0).input().toString());
    assertEquals("{}", step.calls().get(1).input().toString());
    assertTrue(step.cut());
    assertEquals(Optional.of(new Script.Tokens(3, 2, 1)), step.usage());
    assertEquals(
        Optional.of(new Script.Failure(ModelException.Kind.OVERLOAD, "busy")),
        rule.steps().get(1).error());
  }

  @Test
  void whatAScriptLeavesOutIsEmpty() throws ScriptException {
    Script script = Script.parse("models: { demo: [ { steps: [ { text: hi } ] } ] }", "test");

    Rule rule = script.rules("demo").get(0);
    assertEquals(
        new Rule(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of(
                new Step(
                    Optional.empty(),
                    0,
                    0,
                    Optional.empty(),
                    Optional.of("hi"),
                    List.of(),
                    Optional.empty(),
                    false,
                    Optional.empty()))),
        rule);
  }

  @Test
  void aScriptInsideAnotherDocumentIsTheSameScript() throws Exception {
    String json = "{\"models\":{\"demo\":[{\"steps\":[{\"text\":\"hi\",\"delay-ms\":3}]}]}}";

    assertEquals(Script.parse(json, "a"), Script.of(new JsonMapper().readTree(json), "b"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          models: { demo: [ { steps: [ { tex: hi } ] } ] }            | unknown key 'tex'; known here: calls, cut, delay-ms
          models: { demo: [ { steps: [ { text: a, text: b } ] } ] }   | Duplicate field 'text'
          models: { demo: [ { steps: [ { delay-ms: soon } ] } ] }     | models.demo.0.steps.0.delay-ms
          models: { demo: [ { steps: [ { delay-ms: -1 } ] } ] }       | 'delay-ms' is from 0 to 3600000 milliseconds, not -1
          models: { demo: [ { steps: [ { calls: [ {} ] } ] } ] }      | Missing required creator property 'name'
          models: { demo: [ { steps: [ { calls: [ { name: } ] } ] } ] } | a call's 'name' is that of a tool
          models: { demo: [ { steps: [ { error: { message: m } } ] } ] } | Missing required creator property 'kind'
          models: { demo: [ { steps: [ { error: { kind: bad } } ] } ] } | unknown value 'bad'; known here: BAD_REQUEST, AUTH
          models: { demo: [ { steps: [ { cut: true, error: { kind: rate, message: m } } ] } ] } | neither 'calls' nor 'cut'
          models: { demo: [ { steps: [ { wait-for-file: "a\\0b" } ] } ] } | Nul character not allowed
          models: { demo: [ { steps: [] } ] }                         | a rule needs 'steps'
          models: { demo: [] }                                        | model 'demo' needs at least one rule
          models: { }                                                 | a script needs 'models'
          model: { }                                                  | a script needs 'models'
          """)
  void whatIsNoScriptIsRefusedNamingThePlace(String yaml, String says) {
    ScriptException refused =
        assertThrows(ScriptException.class, () -> Script.parse(yaml, "demo.yaml"));

    assertSays(says, refused);
    assertSays("the script demo.yaml", refused);
  }

  @Test
  void whatIsNoYamlIsRefusedNamingTheLine() {
    ScriptException refused =
        assertThrows(ScriptException.class, () -> Script.parse("models:\n  demo: [ {\n", "x"));

    assertSays("the script x", refused);
    assertSays("line 3", refused);
  }

  @Test
  void aScriptIsReadFromAFile(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("script.yaml");
    Files.writeString(file, "models: { demo: [ { steps: [ { text: hé } ] } ] }");

    assertEquals(Optional.of("hé"), Script.read(file).rules("demo").get(0).steps().get(0).text());
    assertThrows(ScriptException.class, () -> Script.read(directory.resolve("none.yaml")));
  }
}
