package harness.author;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import harness.fault.Nearest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the text of a file of rights; all that is wrong with it is told at once. */
final class GrantsReader {
  private static final Map<String, Permission> PERMISSIONS =
      Arrays.stream(Permission.values())
          .collect(Collectors.toMap(Permission::wire, Function.identity()));

  private static final Set<String> KINDS =
      Set.of("user", "external-agent", "agent", "evaluator", "system");

  private static final Set<String> RECIPIENTS =
      Set.of("user", "group", "external-agent", "agent", "kind");

  private static final ObjectMapper YAML =
      new ObjectMapper(
          YAMLFactory.builder()
              .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
              // A person may be called 'no'.
              .enable(YAMLParser.Feature.PARSE_BOOLEAN_LIKE_WORDS_AS_STRINGS)
              .build());

  private final String name;
  private final List<String> faults = new ArrayList<>();

  private GrantsReader(String name) {
    this.name = name;
  }

  /**
   * @param name how messages name the file
   */
  static Rights read(String yaml, String name) throws GrantsException {
    GrantsReader reader = new GrantsReader(name);
    Rights rights = reader.rights(reader.document(yaml));
    if (!reader.faults.isEmpty()) {
      throw new GrantsException(reader.faults);
    }
    return rights;
  }

  private JsonNode document(String yaml) throws GrantsException {
    try {
      @Nullable JsonNode document = YAML.readTree(yaml);
      return document == null ? MissingNode.getInstance() : document;
    } catch (JsonProcessingException broken) {
      int line = broken.getLocation() == null ? 1 : broken.getLocation().getLineNr();
      throw new GrantsException(
          List.of(
              name
                  + " is no YAML that can be read: line "
                  + line
                  + ": "
                  + broken.getOriginalMessage()));
    }
  }

  private void fault(String where, String sentence) {
    faults.add(name + ": " + where + " " + sentence);
  }

  private Rights rights(JsonNode document) {
    if (!document.isObject()) {
      fault("the file", "must be a mapping with the keys groups and grants");
      return new Rights(Map.of(), List.of());
    }
    known(document, "", Set.of("groups", "grants"));
    Map<String, Set<String>> groups = new HashMap<>();
    JsonNode written = document.path("groups");
    if (!written.isObject() && !empty(written)) {
      fault("groups", "must be a mapping of names to lists of user IDs");
    }
    for (Map.Entry<String, JsonNode> group : written.properties()) {
      groups.put(
          group.getKey(), new HashSet<>(texts(group.getValue(), "groups." + group.getKey())));
    }
    List<Grant> grants = new ArrayList<>();
    JsonNode list = document.path("grants");
    if (!list.isArray() && !empty(list)) {
      fault("grants", "must be a list of { to, on, may }");
    }
    if (list.isArray()) {
      int number = 0;
      for (JsonNode grant : list) {
        grant(grant, "grants." + ++number, groups.keySet()).ifPresent(grants::add);
      }
    }
    return new Rights(groups, grants);
  }

  private Optional<Grant> grant(JsonNode node, String where, Set<String> groups) {
    if (!node.isObject()) {
      fault(where, "must be a mapping with the keys to, on and may");
      return Optional.empty();
    }
    known(node, where + ".", Set.of("to", "on", "may"));
    Optional<String> to = text(node.path("to"), where + ".to");
    to.ifPresent(recipient -> checkRecipient(recipient, where + ".to", groups));
    Optional<String> on = text(node.path("on"), where + ".on");
    on.filter(pattern -> List.of(pattern.split("/", -1)).contains(""))
        .ifPresent(
            pattern ->
                fault(
                    where + ".on",
                    "is '"
                        + pattern
                        + "', which no Instance ID can match: none has an empty segment"));
    Set<Permission> may = EnumSet.noneOf(Permission.class);
    for (String permission : texts(node.path("may"), where + ".may")) {
      Optional.ofNullable(PERMISSIONS.get(permission))
          .ifPresentOrElse(
              may::add,
              () -> unknown(where + ".may", permission, "permission", PERMISSIONS.keySet()));
    }
    return to.flatMap(
        recipient -> on.map(pattern -> new Grant(recipient, Grant.pattern(pattern), may)));
  }

  private void checkRecipient(String to, String where, Set<String> groups) {
    int colon = to.indexOf(':');
    String kind = colon < 0 ? to : to.substring(0, colon);
    String id = to.substring(colon + 1);
    if (!RECIPIENTS.contains(kind)) {
      unknown(
          where, to, "user:ID, group:NAME, external-agent:ID, agent:NAME or kind:KIND", RECIPIENTS);
    } else if (colon < 0 || id.isBlank()) {
      fault(where, "is '" + to + "', which names no one; write " + kind + ":NAME");
    } else if (kind.equals("group") && !groups.contains(id)) {
      unknown(where, id, "group", groups);
    } else if (kind.equals("kind") && !KINDS.contains(id)) {
      unknown(where, id, "kind", KINDS);
    }
  }

  private void unknown(String where, String got, String what, Set<String> known) {
    fault(
        where,
        "has '"
            + got
            + "', which is no "
            + what
            + Nearest.of(got, known).map(near -> "; did you mean '" + near + "'?").orElse(""));
  }

  private void known(JsonNode node, String where, Set<String> keys) {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (!keys.contains(field.getKey())) {
        unknown(where + field.getKey(), field.getKey(), "key here", keys);
      }
    }
  }

  private Optional<String> text(JsonNode node, String where) {
    if (node.isTextual() && !node.textValue().isBlank()) {
      return Optional.of(node.textValue());
    }
    fault(where, empty(node) ? "is missing" : "must be text, in quotes if need be");
    return Optional.empty();
  }

  private List<String> texts(JsonNode node, String where) {
    if (!node.isArray()) {
      fault(where, empty(node) ? "is missing" : "must be a list of texts");
      return List.of();
    }
    List<String> texts = new ArrayList<>();
    for (JsonNode item : node) {
      text(item, where).ifPresent(texts::add);
    }
    return texts;
  }

  private static boolean empty(JsonNode node) {
    return node.isMissingNode()
        || node.isNull()
        || (node.isTextual() && node.textValue().isEmpty());
  }
}
