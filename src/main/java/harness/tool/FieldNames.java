package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Which field of a schema a model means by a name that it knows from other tools. */
final class FieldNames {
  /** Without case, dashes and underscores; of several the first that the schema has. */
  private static final Map<String, List<String>> ALIASES =
      Map.ofEntries(
          Map.entry("filepath", List.of("path")),
          Map.entry("filename", List.of("path")),
          Map.entry("file", List.of("path")),
          Map.entry("targetfile", List.of("path")),
          Map.entry("dir", List.of("path")),
          Map.entry("directory", List.of("path")),
          Map.entry("folder", List.of("path")),
          Map.entry("contents", List.of("content")),
          Map.entry("filetext", List.of("content")),
          Map.entry("text", List.of("content")),
          Map.entry("oldstring", List.of("old")),
          Map.entry("oldtext", List.of("old")),
          Map.entry("oldstr", List.of("old")),
          Map.entry("newstring", List.of("new")),
          Map.entry("newtext", List.of("new")),
          Map.entry("newstr", List.of("new")),
          Map.entry("source", List.of("from")),
          Map.entry("sourcepath", List.of("from")),
          Map.entry("oldpath", List.of("from")),
          Map.entry("destination", List.of("to")),
          Map.entry("destinationpath", List.of("to")),
          Map.entry("newpath", List.of("to")),
          Map.entry("diff", List.of("patch")),
          Map.entry("replaceall", List.of("all")),
          Map.entry("regex", List.of("pattern")),
          Map.entry("query", List.of("pattern")),
          Map.entry("include", List.of("glob")),
          Map.entry("outputmode", List.of("mode")),
          Map.entry("caseinsensitive", List.of("ignorecase")),
          Map.entry("i", List.of("ignorecase")),
          Map.entry("c", List.of("context")),
          Map.entry("literal", List.of("fixed")),
          Map.entry("startline", List.of("offset")),
          Map.entry("maxcount", List.of("max", "limit")),
          Map.entry("maxresults", List.of("limit", "max")),
          Map.entry("headlimit", List.of("limit", "max")));

  private FieldNames() {}

  /** The name as the schema's properties have it; empty where they have nothing like it. */
  static Optional<String> known(JsonNode properties, String name) {
    if (properties.has(name)) {
      return Optional.of(name);
    }
    String plain = plain(name);
    List<String> wanted = new ArrayList<>(List.of(plain));
    wanted.addAll(ALIASES.getOrDefault(plain, List.of()));
    for (String want : wanted) {
      for (Map.Entry<String, JsonNode> property : properties.properties()) {
        if (plain(property.getKey()).equals(want)) {
          return Optional.of(property.getKey());
        }
      }
    }
    return Optional.empty();
  }

  private static String plain(String name) {
    return name.replace("_", "").replace("-", "").toLowerCase(Locale.ROOT);
  }
}
