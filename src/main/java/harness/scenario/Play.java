package harness.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** One play of one scenario: its steps over what it has reached. */
final class Play {
  private final Names names;
  private final Requests requests;
  private final Repositories repositories;
  private final Stage stage;
  private final Duration patience;
  private final Tree root;
  private final Tree outside;
  private Wire wire;

  Play(
      Names names,
      Requests requests,
      Repositories repositories,
      Stage stage,
      Wire wire,
      Duration patience)
      throws IOException {
    this.names = names;
    this.requests = requests;
    this.repositories = repositories;
    this.stage = stage;
    this.wire = wire;
    this.patience = patience;
    this.root = Tree.of(stage.root());
    this.outside = Tree.of(stage.outside());
  }

  void step(Step step) throws ScenarioFailure, IOException, InterruptedException {
    switch (step) {
      case Step.Admit admit -> requests.admit(wire, admit);
      case Step.Request request -> requests.request(wire, request);
      case Step.Settled settled -> settled(settled);
      case Step.Event event -> event(event);
      case Step.Events events -> events(events);
      case Step.Calls calls -> calls(calls);
      case Step.History history -> history(history);
      case Step.Reread reread -> reread(reread);
      case Step.Files files -> files(files);
      case Step.Absent absent -> absent(absent);
      case Step.Changed changed -> changed(changed);
      case Step.Git git -> git(git);
      case Step.Rights rights -> stage.rights(names.fill(rights.file()));
      case Step.Restart _ -> wire = stage.restart();
    }
  }

  private void settled(Step.Settled settled)
      throws ScenarioFailure, IOException, InterruptedException {
    SubmissionLog log = requests.submission(settled.of());
    JsonNode event = log.awaitSettlement(wire, patience);
    String name = "'" + settled.of() + "'";
    same("the outcome of " + name, settled.outcome(), event.path("outcome").asText());
    same(
        "the error of " + name,
        settled.error().orElse("none"),
        textOrNone(event.path("error").path("type")));
    same(
        "the fault of " + name,
        settled.fault().orElse("none"),
        textOrNone(event.path("fault").path("class")));
    if (settled.says().isPresent()) {
      same("what " + name + " says", names.fill(settled.says().get()), said(log.events()));
    }
  }

  private static String textOrNone(JsonNode node) {
    return node.isTextual() ? node.textValue() : "none";
  }

  private static String said(List<JsonNode> events) {
    String last = "";
    for (JsonNode event : events) {
      JsonNode message = event.path("message");
      if (message.path("role").asText().equals("assistant")) {
        StringBuilder text = new StringBuilder();
        message.path("parts").forEach(part -> text.append(part.path("text").asText()));
        last = text.toString();
      }
    }
    return last;
  }

  private void event(Step.Event event) throws ScenarioFailure, IOException, InterruptedException {
    JsonNode holds = names.fill(event.holds());
    JsonNode found =
        requests
            .submission(event.of())
            .await(
                wire,
                "the event " + event.type() + (holds.isObject() ? " with " + holds : ""),
                patience,
                each ->
                    each.path("type").asText().equals(event.type()) && Holding.holds(holds, each));
    if (found.path("callId").isTextual()) {
      names.put(event.of() + ".callId", found.path("callId").textValue());
    }
  }

  private List<JsonNode> whole(String of)
      throws ScenarioFailure, IOException, InterruptedException {
    SubmissionLog log = requests.submission(of);
    log.awaitSettlement(wire, patience);
    return log.events();
  }

  private void events(Step.Events events)
      throws ScenarioFailure, IOException, InterruptedException {
    List<String> types =
        whole(events.of()).stream().map(event -> event.path("type").asText()).toList();
    same("the events of '" + events.of() + "'", events.types(), types);
  }

  private void calls(Step.Calls calls) throws ScenarioFailure, IOException, InterruptedException {
    Map<String, String> returned = new LinkedHashMap<>();
    for (JsonNode event : whole(calls.of())) {
      String call = event.path("callId").asText();
      switch (event.path("type").asText()) {
        case "tool-called" -> returned.put(call, event.path("name").asText());
        case "tool-returned" ->
            returned.merge(call, event.path("outcome").asText(), (name, how) -> name + " " + how);
        default -> {}
      }
    }
    same(
        "the tool calls of '" + calls.of() + "'", calls.returned(), List.copyOf(returned.values()));
  }

  private void history(Step.History history)
      throws ScenarioFailure, IOException, InterruptedException {
    String path = requests.submission(history.of()).path() + "?view=history";
    Wire.Answer answer = wire.get(path, patience);
    List<String> messages = new ArrayList<>();
    for (JsonNode message : answer.json().path("messages")) {
      messages.add(message.path("role").asText() + ": " + message.path("text").asText());
    }
    List<String> expected = new ArrayList<>();
    for (String message : history.messages()) {
      expected.add(names.fill(message));
    }
    same("GET " + path + " (" + answer.status() + "): the messages", expected, messages);
  }

  private void reread(Step.Reread reread)
      throws ScenarioFailure, IOException, InterruptedException {
    SubmissionLog.Reread both = requests.submission(reread.of()).reread(wire, patience);
    if (!both.same()) {
      throw ScenarioFailure.expected(
          "what was read before of '" + reread.of() + "' reads the same",
          both.before(),
          both.now());
    }
  }

  private Path path(String text) throws ScenarioFailure {
    return stage.root().resolve(names.fill(text));
  }

  private void files(Step.Files files) throws ScenarioFailure, IOException {
    for (Map.Entry<String, String> file : files.contents().entrySet()) {
      Path path = path(file.getKey());
      String expected = names.fill(file.getValue());
      if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
        throw ScenarioFailure.expected(path.toString(), "a file with " + quoted(expected), "none");
      }
      String actual = new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
      same("the content of " + path, quoted(expected), quoted(actual));
    }
  }

  private static String quoted(String text) {
    return "\"" + text.replace("\r", "\\r").replace("\n", "\\n") + "\"";
  }

  private void absent(Step.Absent absent) throws ScenarioFailure {
    for (String text : absent.paths()) {
      Path path = path(text);
      if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        throw ScenarioFailure.expected(path.toString(), "nothing there", "something is there");
      }
    }
  }

  private void changed(Step.Changed changed) throws ScenarioFailure, IOException {
    SortedSet<String> actual = new TreeSet<>(root.changed(Tree.of(stage.root())));
    outside.changed(Tree.of(stage.outside())).forEach(path -> actual.add("outside/" + path));
    SortedSet<String> expected = new TreeSet<>();
    for (String path : changed.paths()) {
      expected.add(names.fill(path));
    }
    same("what changed since the scenario began", expected, actual);
  }

  private void git(Step.Git git) throws ScenarioFailure, IOException, InterruptedException {
    for (Map.Entry<String, Step.Git.State> checkout : git.checkouts().entrySet()) {
      Repositories.State actual = repositories.state(path(checkout.getKey()));
      Step.Git.State expected = checkout.getValue();
      same("the branch of " + checkout.getKey(), expected.branch(), actual.branch());
      same("the git status of " + checkout.getKey(), expected.status(), actual.status());
    }
  }

  private static void same(String what, Object expected, Object actual) throws ScenarioFailure {
    if (!expected.equals(actual)) {
      throw ScenarioFailure.expected(what, expected, actual);
    }
  }
}
