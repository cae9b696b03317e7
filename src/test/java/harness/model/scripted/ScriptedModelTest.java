package harness.model.scripted;

import static harness.model.Says.assertSays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import harness.model.Heard;
import harness.model.Message;
import harness.model.ModelException;
import harness.model.Part;
import harness.model.Reply;
import harness.model.Request;
import harness.model.Sleeper;
import harness.model.Usage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScriptedModelTest {
  private final Heard heard = new Heard();
  private final List<Duration> slept = new ArrayList<>();

  @Test
  void aTurnGoesThroughTheStepsOfItsRule() throws Exception {
    ScriptedModel model =
        model(
            """
            - steps:
                - think: let me see
                  text: I write.
                  calls: [ { name: write, input: { path: a } }, { name: list } ]
                  usage: { input: 7, cached: 3, output: 2 }
                - text: Done.
            """);

    Reply first = model.respond(request(user("go")), heard);
    Reply second =
        model.respond(request(user("go"), new Message.Assistant(first.parts()), results()), heard);

    Reply.Calls calls = assertInstanceOf(Reply.Calls.class, first);
    assertEquals(
        List.of("call-0-0-0", "call-0-0-1"),
        calls.calls().stream().map(Part.Call::callId).toList());
    assertEquals(new Usage(7, 3, 2), first.usage());
    assertEquals(new Reply.Text(List.of(new Part.Text("Done.")), Usage.NONE), second);
    assertEquals(List.of("I ", "write.", "Done."), heard.texts());
    assertEquals(List.of("let ", "me ", "see"), heard.thoughts());
  }

  @Test
  void theFirstRuleThatFitsIsFollowed() throws Exception {
    ScriptedModel model =
        model(
            """
            - { when: note, turn: 1, steps: [ { text: again } ] }
            - { when: note, steps: [ { text: note } ] }
            - { seen: secret, steps: [ { text: remembered } ] }
            - { turn: 0, steps: [ { text: first } ] }
            """);

    assertEquals("note", said(model, request(user("a note"))));
    assertEquals("again", said(model, request(user("x"), said("hi"), user("a note"))));
    assertEquals("remembered", said(model, request(user("the secret"), said("hi"), user("x"))));
    assertEquals("first", said(model, request(user("x"))));
    assertEquals(
        "first",
        said(model, request(new Message.User(List.of("x", "a note of the Harness's own")))));
  }

  @Test
  void callIdsOfOneConversationDiffer() throws Exception {
    ScriptedModel model =
        model("- steps: [ { calls: [ { name: a } ] }, { calls: [ { name: a } ] } ]");

    assertEquals("call-0-0-0", onlyCall(model, request(user("x"))));
    assertEquals("call-0-1-0", onlyCall(model, request(user("x"), said("y"), results())));
    assertEquals("call-1-0-0", onlyCall(model, request(user("x"), said("y"), user("z"))));
  }

  @Test
  void runningPastTheLastStepSaysThatTheScriptEnded() {
    ScriptedModel model = model("- steps: [ { text: once } ]");

    ModelException ended =
        assertThrows(
            ModelException.class,
            () -> model.respond(request(user("x"), said("once"), results()), heard));

    assertEquals(ModelException.Kind.BAD_REQUEST, ended.kind());
    assertSays("the script ended", ended);
  }

  @Test
  void aPromptThatNoRuleFitsIsNamed() {
    ScriptedModel model = model("- { when: note, steps: [ { text: once } ] }");

    ModelException lost =
        assertThrows(ModelException.class, () -> model.respond(request(user("other")), heard));

    assertSays("'other'", lost);
  }

  @Test
  void aStepFailsAfterWhatItSaid() {
    ScriptedModel model =
        model("- steps: [ { text: half, error: { kind: cut_off, message: gone } } ]");

    ModelException failed =
        assertThrows(ModelException.class, () -> model.respond(request(user("x")), heard));

    assertEquals(ModelException.Kind.CUT_OFF, failed.kind());
    assertEquals(List.of("half"), heard.texts());
  }

  @Test
  void aCutStepIsACutReply() throws Exception {
    ScriptedModel model = model("- steps: [ { text: half, cut: true } ]");

    assertInstanceOf(Reply.Cut.class, model.respond(request(user("x")), heard));
  }

  @Test
  void aStepWaitsBeforeItSpeaksAndBetweenItsPieces() throws Exception {
    ScriptedModel model = model("- steps: [ { text: a b c, delay-ms: 500, drip-ms: 20 } ]");

    model.respond(request(user("x")), heard);

    assertEquals(
        List.of(Duration.ofMillis(500), Duration.ofMillis(20), Duration.ofMillis(20)), slept);
  }

  @Test
  void aStepWaitsUntilItsFileIsThere(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("go");
    List<Boolean> spoken = new ArrayList<>();
    Sleeper makesTheFile =
        duration -> {
          slept.add(duration);
          spoken.add(!heard.texts().isEmpty());
          if (slept.size() == 3) {
            writeEmpty(file);
          }
        };
    ScriptedModel model =
        model("- steps: [ { text: on, wait-for-file: " + file + " } ]", makesTheFile);

    model.respond(request(user("x")), heard);

    assertEquals(List.of(false, false, false), spoken);
    assertEquals(List.of("on"), heard.texts());
  }

  @Test
  void aFileThatNeverComesEndsTheWait(@TempDir Path directory) {
    ScriptedModel model =
        model("- steps: [ { text: on, wait-for-file: " + directory.resolve("never") + " } ]");

    ModelException stalled =
        assertThrows(ModelException.class, () -> model.respond(request(user("x")), heard));

    assertEquals(ModelException.Kind.STALLED, stalled.kind());
    assertEquals(
        ScriptedModel.WAIT_FOR_FILE_AT_MOST, slept.stream().reduce(Duration.ZERO, Duration::plus));
  }

  @Test
  void anInterruptEndsADelayAndTheTalking() {
    ScriptedModel sleeping = model("- steps: [ { text: a, delay-ms: 3600000 } ]", Sleeper.real());
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> sleeping.respond(request(user("x")), heard));

    ScriptedModel talking = model("- steps: [ { text: a b } ]");
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> talking.respond(request(user("x")), heard));

    assertEquals(List.of(), heard.texts());
  }

  private ScriptedModel model(String rules) {
    return model(rules, slept::add);
  }

  private static ScriptedModel model(String rules, Sleeper sleeper) {
    try {
      Script script = Script.parse("models:\n  m:\n" + rules.indent(4), "test");
      return new ScriptedModel("lab/m", script.rules("m"), sleeper);
    } catch (ScriptException e) {
      throw new AssertionError(e);
    }
  }

  private String said(ScriptedModel model, Request request) throws Exception {
    return ((Part.Text) model.respond(request, heard).parts().get(0)).text();
  }

  private String onlyCall(ScriptedModel model, Request request) throws Exception {
    return ((Reply.Calls) model.respond(request, heard)).calls().get(0).callId();
  }

  private static Request request(Message... messages) {
    return new Request("be kind", List.of(), List.of(messages), Optional.empty());
  }

  private static Message.User user(String prompt) {
    return new Message.User(List.of(prompt, "cwd: /work"));
  }

  private static Message.Assistant said(String text) {
    return new Message.Assistant(List.of(new Part.Text(text)));
  }

  private static Message.Results results() {
    return new Message.Results(List.of(new Message.Result("c", "list", false, "nothing")));
  }

  private static void writeEmpty(Path file) {
    try {
      Files.createFile(file);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
