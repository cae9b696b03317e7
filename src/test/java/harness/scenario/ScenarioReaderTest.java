package harness.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScenarioReaderTest {
  private static void refused(String yaml, String... words) {
    String message =
        String.valueOf(
            assertThrows(ScenarioFormatException.class, () -> ScenarioReader.parse(yaml, "one"))
                .getMessage());
    for (String word : words) {
      assertTrue(message.contains(word), () -> "'" + word + "' is not in: " + message);
    }
  }

  @Test
  void readsStepsInOrder() throws ScenarioFormatException {
    Scenario scenario =
        ScenarioReader.parse(
            """
            scenario: A sentence
            steps:
              - admit: { body: { prompt: hi } }
              - changed: [ a, b ]
              - restart: {}
            """,
            "one");
    assertEquals("A sentence", scenario.title());
    assertEquals(new Step.Changed(List.of("a", "b")), scenario.steps().get(1));
    assertTrue(scenario.restarts());
  }

  @Test
  void whatIsMisspeltIsRefusedWithItsPlace() {
    refused("scenario: One\nstep: []", "unknown key 'step'", "steps");
    refused("scenario: One\nsteps: [ { asent: [ a ] } ]", "steps.1", "unknown step 'asent'");
    refused(
        "scenario: One\nsteps: [ { settled: { of: a, outcome: completed, eror: b } } ]",
        "steps.1",
        "unknown key 'eror'",
        "error");
    refused("scenario: One\nsteps: [ { restart: {}, absent: [ a ] } ]", "steps");
    refused("scenario: One\nsteps: [ { changed: a } ]", "steps.1");
    refused("scenario: One\nscenario: Two", "Duplicate");
    refused("scenario: One", "at least one of 'steps'");
    refused("scenario: [", "line");
  }

  @Test
  void aStepWithoutWhatItNeedsIsRefused() {
    refused("scenario: One\nsteps: [ { settled: { of: a } } ]", "settled needs an outcome");
    refused("scenario: One\nsteps: [ { settled: { outcome: completed } } ]", "settled needs 'of'");
    refused("scenario: One\nsteps: [ { admit: {} } ]", "admit needs a body");
    refused("scenario: One\nsteps: [ { request: { method: GET } } ]", "request needs");
  }

  @Test
  void aScriptThatIsNoneIsRefused() {
    refused(
        "scenario: One\nscript: [ { steps: [ { txt: a } ] } ]\nsteps: [ { restart: {} } ]",
        "unknown key 'txt'");
  }
}
