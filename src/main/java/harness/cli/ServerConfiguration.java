package harness.cli;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.scenario.Host;
import harness.scenario.ScenarioRunner;

/** The configuration of a server that is started for a scenario or the demo. */
final class ServerConfiguration {
  private static final JsonMapper JSON = new JsonMapper();

  private ServerConfiguration() {}

  /** The text of its file: JSON, which is YAML too. */
  static String of(Host.Setup setup) {
    ObjectNode document = JSON.createObjectNode();
    ObjectNode harness = document.putObject("harness");
    harness.put("listen", "127.0.0.1:0").put("auth", "none").put("log", "off");
    harness.put("state", setup.state().toString());
    ObjectNode workspace = harness.putObject("workspace");
    workspace.put("root", setup.workspace().toString());
    ObjectNode slots = workspace.putObject("slots");
    setup.slots().forEach(slots::put);
    ObjectNode limits = harness.putObject("limits");
    setup.limits().forEach(limits::put);
    setup.rights().ifPresent(file -> harness.put("authority", file.toString()));
    ObjectNode provider = harness.putArray("providers").addObject();
    provider
        .put("id", ScenarioRunner.PROVIDER)
        .put("api", "scripted")
        .put("script", setup.script().toString());
    ObjectNode models = provider.putObject("models");
    setup
        .contextWindows()
        .forEach((model, tokens) -> models.putObject(model).put("context-window", tokens));
    return document.toPrettyString() + "\n";
  }
}
