package harness.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Sends the requests of a scenario and keeps what their answers name. */
final class Requests {
  private final Scenario scenario;
  private final Names names;
  private final InstantSource clock;
  private final Map<String, SubmissionLog> submissions = new LinkedHashMap<>();

  Requests(Scenario scenario, Names names, InstantSource clock) {
    this.scenario = scenario;
    this.names = names;
    this.clock = clock;
  }

  SubmissionLog submission(String name) throws ScenarioFailure {
    SubmissionLog log = submissions.get(name);
    if (log == null) {
      throw new ScenarioFailure(
          "no step before is 'as: " + name + "'; known: " + submissions.keySet());
    }
    return log;
  }

  void admit(Wire wire, Step.Admit admit)
      throws ScenarioFailure, IOException, InterruptedException {
    ObjectNode body = Wire.JSON.createObjectNode();
    body.put("run", names.fill("{{run}}")).put("path", "task").put("agent", "coder");
    ObjectNode definition = body.putObject("definition");
    definition
        .put("model", ScenarioRunner.PROVIDER + "/" + scenario.name())
        .put("instructions", "You are a coder.");
    ObjectNode given = (ObjectNode) names.fill(admit.body());
    if (given.remove("definition") instanceof ObjectNode own) {
      definition.setAll(own);
    }
    body.setAll(given);
    Wire.Answer answer =
        wire.send("POST", "/turns", filled(admit.headers()), Optional.of(body.toString()));
    check("POST /turns", admit.expected(), answer);
    keep(admit.as(), answer);
  }

  void request(Wire wire, Step.Request request)
      throws ScenarioFailure, IOException, InterruptedException {
    String path = names.fill(request.path());
    Optional<String> body =
        request.text().isPresent()
            ? Optional.of(names.fill(request.text().get()))
            : request.body().isObject() || request.body().isArray()
                ? Optional.of(names.fill(request.body()).toString())
                : Optional.empty();
    Wire.Answer answer = wire.send(request.method(), path, filled(request.headers()), body);
    check(request.method() + " " + path, request.expected(), answer);
    keep(request.as(), answer);
  }

  private Map<String, String> filled(Map<String, String> headers) throws ScenarioFailure {
    Map<String, String> filled = new LinkedHashMap<>();
    for (Map.Entry<String, String> header : headers.entrySet()) {
      filled.put(header.getKey(), names.fill(header.getValue()));
    }
    return filled;
  }

  private void check(String request, Step.Expected expected, Wire.Answer answer)
      throws ScenarioFailure {
    if (answer.status() != expected.status()) {
      throw ScenarioFailure.expected(
          request + ": the status", expected.status(), answer.status() + " " + answer.body());
    }
    String error = answer.json().path("error").asText();
    for (String words : expected.error()) {
      String filled = names.fill(words);
      if (!error.contains(filled)) {
        throw ScenarioFailure.expected(request + ": words of the error", filled, answer.body());
      }
    }
    Holding.check(request + ": the answer", names.fill(expected.answer()), answer.json());
  }

  private void keep(Optional<String> as, Wire.Answer answer) throws ScenarioFailure {
    if (as.isEmpty()) {
      return;
    }
    String name = as.get();
    JsonNode json = answer.json();
    for (String field : new String[] {"instanceId", "submissionId", "offset", "streamUrl"}) {
      if (!json.path(field).isTextual()) {
        throw ScenarioFailure.expected(
            "the answer of '" + name + "'", "a text under " + field, answer.body());
      }
      names.put(name + "." + field, json.path(field).textValue());
    }
    String path = URI.create(json.path("streamUrl").textValue()).getRawPath();
    names.put(name + ".path", path);
    submissions.put(
        name,
        new SubmissionLog(
            path, json.path("submissionId").textValue(), json.path("offset").textValue(), clock));
  }
}
