package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which version of a file a conversation last read or wrote. A file goes by the path that the call
 * named, made absolute as text: through a link it is another file here, which costs a second read
 * and never an overwrite, because the version tells whether it is the same content.
 *
 * @param versions the version by path; a version is opaque and equal for equal content
 */
public record Seen(Map<String, String> versions) {
  /** The longest path argument that can be one. */
  private static final int MAX_PATH_CHARS = 4_096;

  /** Nothing. */
  public static final Seen NOTHING = new Seen(Map.of());

  public Seen {
    versions = Map.copyOf(versions);
  }

  /** One file in one version. */
  static Seen of(String cwd, String path, String version) {
    return new Seen(Map.of(key(cwd, path), version));
  }

  /** The version of the file that a path argument names; empty where it was not seen. */
  Optional<String> version(String cwd, String path) {
    return Optional.ofNullable(versions.get(key(cwd, path)));
  }

  /** What of all that a conversation has seen a call may ask for. */
  public static Seen of(Map<String, String> all, String cwd, JsonNode input) {
    Map<String, String> named = new LinkedHashMap<>();
    for (JsonNode value : input) {
      if (value.isTextual()) {
        String text = value.textValue();
        // A text of lines may also be a patch, which names files in its headers.
        add(all, cwd, text, named);
        if (text.indexOf('\n') >= 0) {
          PatchPath.named(text).forEach(path -> add(all, cwd, path, named));
        }
      }
    }
    return new Seen(named);
  }

  private static void add(
      Map<String, String> all, String cwd, String path, Map<String, String> named) {
    if (path.length() <= MAX_PATH_CHARS) {
      String key = key(cwd, path);
      Optional.ofNullable(all.get(key)).ifPresent(version -> named.put(key, version));
    }
  }

  private static String key(String cwd, String path) {
    Deque<String> names = new ArrayDeque<>();
    String meant = Shown.argument(path);
    for (String name : (meant.startsWith("/") ? meant : cwd + "/" + meant).split("/")) {
      if (name.equals("..")) {
        names.pollLast();
      } else if (!name.isEmpty() && !name.equals(".")) {
        names.add(name);
      }
    }
    return "/" + String.join("/", names);
  }
}
