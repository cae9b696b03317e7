package harness.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.MissingNode;
import harness.fault.Nearest;
import java.nio.file.FileSystem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * One mapping of the configuration, read key by key with what is set from outside over it. A fault
 * is noted and reading goes on with the default, so that one run shows them all.
 */
final class Section {
  private final String path;
  private final JsonNode node;
  private final Overrides overrides;
  private final List<String> faults;
  private final Set<String> known = new TreeSet<>();

  Section(String path, JsonNode node, Overrides overrides, List<String> faults) {
    this.path = path;
    this.overrides = overrides;
    this.faults = faults;
    boolean mapping = node.isObject() || empty(node);
    if (!mapping) {
      faults.add(path + " must be a mapping of keys to values; got " + shown(node));
    }
    this.node = mapping ? node : MissingNode.getInstance();
  }

  /** A text as it was written, and the words that name it in a message. */
  private record Written(String name, String text) {}

  private String full(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  void fault(String key, String sentence) {
    faults.add(full(key) + ": " + sentence);
  }

  /** Whether the key is there, whatever its value. */
  boolean has(String key) {
    known.add(key);
    return node.has(key) || overrides.find(full(key)).isPresent();
  }

  Optional<String> text(String key) {
    return scalar(key, false).map(Written::text);
  }

  /** An absolute path without {@code ..}. */
  Optional<Path> path(String key, FileSystem files) {
    return text(key).flatMap(text -> absolute(key, text, files));
  }

  /** The text as such a path; a fault of the key where it is none. */
  Optional<Path> absolute(String key, String text, FileSystem files) {
    try {
      Path path = files.getPath(text);
      if (path.isAbsolute() && path.equals(path.normalize())) {
        return Optional.of(path);
      }
      fault(key, "must be an absolute path without '..'; got '" + text + "'");
    } catch (InvalidPathException none) {
      fault(key, "is no path: " + none.getMessage());
    }
    return Optional.empty();
  }

  <T> T choice(String key, T fallback, Map<String, T> choices) {
    return parsed(
        key,
        fallback,
        text -> Optional.ofNullable(choices.get(text)),
        "must be one of " + String.join(", ", new TreeSet<>(choices.keySet())));
  }

  /** A whole number within bounds, both included. */
  int count(String key, int fallback, int least, int most) {
    return parsed(
        key,
        fallback,
        text -> whole(text).filter(number -> number >= least && number <= most),
        "must be a whole number from " + least + " to " + most);
  }

  private static Optional<Integer> whole(String text) {
    return text.matches("[0-9]{1,9}") ? Optional.of(Integer.valueOf(text)) : Optional.empty();
  }

  /** A duration within bounds, both included. */
  Duration duration(String key, Duration fallback, Duration least, Duration most) {
    return parsed(
        key,
        fallback,
        text ->
            DurationText.parse(text)
                .filter(time -> time.compareTo(least) >= 0 && time.compareTo(most) <= 0),
        "must be a duration like 500ms, 10s or 5m, from "
            + DurationText.of(least)
            + " to "
            + DurationText.of(most));
  }

  <T> T parsed(String key, T fallback, Function<String, Optional<T>> parse, String rule) {
    Optional<Written> written = scalar(key, true);
    if (written.isEmpty()) {
      return fallback;
    }
    Optional<T> value = parse.apply(written.get().text());
    if (value.isEmpty()) {
      faults.add(written.get().name() + " " + rule + "; got '" + written.get().text() + "'");
    }
    return value.orElse(fallback);
  }

  /** A list of texts; from outside they are separated by commas. */
  List<String> texts(String key) {
    known.add(key);
    Optional<Overrides.Setting> set = overrides.find(full(key));
    if (set.isPresent()) {
      return Arrays.stream(set.get().value().split(",", -1))
          .map(String::strip)
          .filter(text -> !text.isEmpty())
          .toList();
    }
    JsonNode value = node.path(key);
    if (empty(value)) {
      return List.of();
    }
    List<String> texts = new ArrayList<>();
    for (JsonNode item : value.isArray() ? value : List.of(value)) {
      if (item.isTextual()) {
        texts.add(item.textValue());
      } else {
        fault(key, "must be a list of texts; got " + shown(item));
      }
    }
    return List.copyOf(texts);
  }

  /** Free names with texts; from outside {@code NAME=TEXT} separated by commas. */
  Map<String, String> named(String key) {
    known.add(key);
    Map<String, String> named = new LinkedHashMap<>();
    Optional<Overrides.Setting> set = overrides.find(full(key));
    if (set.isPresent()) {
      for (String pair : set.get().value().split(",", -1)) {
        int equals = pair.indexOf('=');
        if (equals < 1) {
          faults.add(set.get().origin() + " must be NAME=VALUE,NAME=VALUE; got '" + pair + "'");
        } else {
          named.put(pair.substring(0, equals).strip(), pair.substring(equals + 1).strip());
        }
      }
      return named;
    }
    Section inner = section(key);
    for (String name : inner.keys()) {
      inner.text(name).ifPresent(text -> named.put(name, text));
    }
    return named;
  }

  Set<String> keys() {
    Set<String> keys = new TreeSet<>();
    node.fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  Section section(String key) {
    known.add(key);
    overrides.enter(full(key));
    return new Section(full(key), node.path(key), overrides, faults);
  }

  /** The mappings of a list, each named in its path by what its key {@code id} says. */
  List<Section> sections(String key, String id) {
    known.add(key);
    overrides.enter(full(key));
    JsonNode list = node.path(key);
    if (empty(list)) {
      return List.of();
    }
    if (!list.isArray()) {
      fault(key, "must be a list; got " + shown(list));
      return List.of();
    }
    List<Section> sections = new ArrayList<>();
    for (JsonNode item : list) {
      String name = item.path(id).asText(Integer.toString(sections.size() + 1));
      sections.add(new Section(full(key) + "." + name, item, overrides, faults));
    }
    return sections;
  }

  /** Notes each key of the file that nothing asked for. */
  void end() {
    for (String key : keys()) {
      if (!known.contains(key)) {
        fault(
            key,
            "is no key of the configuration; did you mean '"
                + Nearest.of(key, known).orElse("")
                + "'?");
      }
    }
  }

  private Optional<Written> scalar(String key, boolean number) {
    known.add(key);
    Optional<Overrides.Setting> set = overrides.find(full(key));
    if (set.isPresent()) {
      return set.map(found -> new Written(full(key) + " (" + found.origin() + ")", found.value()));
    }
    JsonNode value = node.path(key);
    if (empty(value)) {
      return Optional.empty();
    }
    if (value.isTextual() || (number && value.isValueNode())) {
      return Optional.of(new Written(full(key), value.asText()));
    }
    fault(key, "must be text, in quotes if need be; got " + shown(value));
    return Optional.empty();
  }

  private static boolean empty(JsonNode node) {
    return node.isMissingNode() || node.isNull();
  }

  private static String shown(JsonNode node) {
    JsonNodeType type = node.getNodeType();
    return switch (type) {
      case ARRAY -> "a list";
      case OBJECT, POJO -> "a mapping";
      case STRING, NUMBER, BOOLEAN -> "'" + node.asText() + "'";
      case BINARY -> "binary data";
      case NULL, MISSING -> "nothing";
    };
  }
}
