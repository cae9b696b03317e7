package harness.wire;

import com.fasterxml.jackson.databind.JsonNode;
import harness.admission.AdmissionRequest;
import harness.admission.AdmissionRequest.Destination;
import harness.agent.Access;
import harness.agent.Address;
import harness.agent.Definition;
import harness.agent.Instance;
import harness.agent.ModelName;
import harness.agent.ThinkingLevel;
import harness.api.AdmissionBody;
import harness.briefing.Notice;
import harness.conversation.Delivery;
import harness.fault.RefusedException;
import harness.tool.ToolBox;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * From the JSON of an admission to a request, or to the refusal of its first field that is wrong.
 */
final class AdmissionCodec {
  /** The longest idempotency key, in characters. */
  private static final int MAX_KEY_CHARS = 255;

  private static final Map<String, String> RETIRED =
      Map.of(
          "session", "'continue'",
          "scope", "'continue'",
          "conversation", "'continue'",
          "instanceId", "'run', 'path' and 'agent'",
          "tools", "'menu' and 'allowed'");

  private AdmissionCodec() {}

  /** {@code POST /turns}. */
  static AdmissionRequest turn(Body body, Optional<String> key) {
    AdmissionBody in = parse(body);
    if (in.message().isPresent()) {
      throw RefusedException.invalid("field 'message' is unknown here; send 'prompt'", "message");
    }
    Address address =
        field(
            "run, path and agent",
            "run",
            () ->
                Address.of(
                    required(in.run(), "run"),
                    in.path().orElse(""),
                    required(in.agent(), "agent")));
    int epoch = in.epoch().orElse(0);
    if (epoch < 0 || epoch > Address.MAX_EPOCH) {
      throw RefusedException.invalid(
          "field 'epoch' is " + epoch + "; it is from 0 to " + Address.MAX_EPOCH, "epoch");
    }
    Destination to =
        new Destination.Structural(
            address, in.continues().orElse(false), epoch, in.expectHeld().orElse(false));
    return request(in, to, required(in.prompt(), "prompt"), key(body, key));
  }

  /** {@code POST /agents/AGENT/INSTANCE-ID}. */
  static AdmissionRequest submission(Instance instance, Body body, Optional<String> key) {
    AdmissionBody in = parse(body);
    for (String field : List.of("run", "path", "agent", "continue", "epoch", "expectHeld")) {
      if (body.json().has(field)) {
        throw RefusedException.invalid(
            "field '" + field + "' is not taken here: the path names the conversation", field);
      }
    }
    if (in.prompt().isPresent() && in.message().isPresent()) {
      throw RefusedException.invalid(
          "'message' is another name of 'prompt'; send one of them", "message");
    }
    String prompt = required(in.prompt().or(in::message), "prompt");
    return request(in, new Destination.Exact(instance), prompt, key(body, key));
  }

  private static AdmissionBody parse(Body body) {
    JsonNode json = body.json();
    RETIRED.forEach(
        (field, instead) -> {
          if (json.has(field)) {
            throw RefusedException.invalid(
                "field '" + field + "' was retired; " + instead + " replaced it", field);
          }
        });
    if (json.path("definition").has("cwd")) {
      throw RefusedException.invalid(
          "field 'definition.cwd' was retired; the Frame's 'cwd' replaced it", "definition.cwd");
    }
    return body.as(AdmissionBody.class);
  }

  private static AdmissionRequest request(
      AdmissionBody in,
      Destination to,
      String prompt,
      Optional<AdmissionRequest.IdempotencyKey> key) {
    if (prompt.isBlank()) {
      throw RefusedException.invalid(
          "field 'prompt' is blank; say what the Turn is about", "prompt");
    }
    return new AdmissionRequest(
        to,
        definition(in),
        prompt,
        in.cwd(),
        in.model().map(model -> field("model", "model", () -> ModelName.parse(model))),
        in.thinkingLevel().map(level -> level(level, "thinkingLevel")),
        in.author().map(author -> Authors.actor(author, "author")).orElseGet(Authors::system),
        in.notices().orElse(List.of()).stream().map(AdmissionCodec::notice).toList(),
        MenuCodec.menu(in),
        oneOf(Delivery.values(), in.delivery().orElse("queue"), "delivery"),
        key);
  }

  private static Definition definition(AdmissionBody in) {
    AdmissionBody.DefinitionBody definition =
        in.definition()
            .orElseThrow(
                () -> RefusedException.invalid("field 'definition' is missing", "definition"));
    String instructions = required(definition.instructions(), "definition.instructions");
    String model = required(definition.model(), "definition.model");
    return new Definition(
        field("definition.model", "definition.model", () -> ModelName.parse(model)),
        instructions,
        oneOf(Access.values(), definition.workspace().orElse("write"), "definition.workspace"),
        definition.thinkingLevel().map(level -> level(level, "definition.thinkingLevel")),
        oneOf(
            Definition.Writes.values(), definition.writes().orElse("direct"), "definition.writes"),
        approved(definition));
  }

  private static List<String> approved(AdmissionBody.DefinitionBody definition) {
    List<String> names = definition.approve().orElse(List.of());
    for (String name : names) {
      if (!ToolBox.isWorkingTool(name)) {
        throw RefusedException.invalid(
            "field 'definition.approve' names '"
                + name
                + "', which is no Working tool; there are "
                + String.join(", ", ToolBox.NAMES),
            "definition.approve");
      }
    }
    return names;
  }

  private static ThinkingLevel level(String text, String field) {
    return oneOf(ThinkingLevel.values(), text, field);
  }

  private static Notice notice(AdmissionBody.NoticeBody in) {
    String kind = required(in.kind(), "notices.kind");
    String scope = required(in.scope(), "notices.scope");
    Optional<String> wanted =
        switch (kind) {
          case "memory-limit" -> Optional.of("workspace");
          case "conversation-new" -> Optional.of("conversation");
          default -> Optional.empty();
        };
    if (!wanted.equals(Optional.of(scope))) {
      throw RefusedException.invalid(
          "a notice of kind '"
              + kind
              + "' and scope '"
              + scope
              + "' is unknown; there are memory-limit (workspace) and conversation-new"
              + " (conversation)",
          "notices");
    }
    if (kind.equals("memory-limit")) {
      required(in.agent(), "notices.agent");
      required(in.limit(), "notices.limit");
    } else {
      required(in.reason(), "notices.reason");
    }
    return new Notice(kind, scope, in.agent(), in.peak(), in.limit(), in.reason());
  }

  private static Optional<AdmissionRequest.IdempotencyKey> key(Body body, Optional<String> key) {
    return key.map(
        value -> {
          if (value.isEmpty()
              || value.length() > MAX_KEY_CHARS
              || !value.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
            throw RefusedException.invalid(
                "the Idempotency-Key is 1 to "
                    + MAX_KEY_CHARS
                    + " characters of printable ASCII without spaces",
                "Idempotency-Key");
          }
          return new AdmissionRequest.IdempotencyKey(value, body.digest());
        });
  }

  static <E extends Enum<E>> E oneOf(E[] values, String text, String field) {
    return Arrays.stream(values)
        .filter(value -> value.name().toLowerCase(Locale.ROOT).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                RefusedException.invalid(
                    "field '"
                        + field
                        + "' is '"
                        + text
                        + "'; it is one of "
                        + Arrays.stream(values)
                            .map(value -> value.name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", ")),
                    field));
  }

  static String required(Optional<String> value, String field) {
    return value.orElseThrow(
        () -> RefusedException.invalid("field '" + field + "' is missing", field));
  }

  static <T> T field(String what, String field, Supplier<T> parse) {
    try {
      return parse.get();
    } catch (IllegalArgumentException e) {
      throw RefusedException.invalid(what + ": " + e.getMessage(), field);
    }
  }
}
