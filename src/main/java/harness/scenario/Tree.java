package harness.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What lies under a directory, byte for byte and without following a link, so that a write anywhere
 * in it shows. Git's own files are left out: git may touch them by reading.
 */
public record Tree(Map<String, String> entries) {
  /** What lies there now. */
  public static Tree of(Path directory) throws IOException {
    Map<String, String> entries = new TreeMap<>();
    if (Files.exists(directory)) {
      try (Stream<Path> all = Files.walk(directory)) {
        all.filter(path -> !path.equals(directory))
            .filter(path -> !inGit(directory.relativize(path)))
            .forEach(path -> entries.put(directory.relativize(path).toString(), entry(path)));
      } catch (UncheckedIOException unread) {
        throw unread.getCause();
      }
    }
    return new Tree(entries);
  }

  private static boolean inGit(Path relative) {
    for (Path name : relative) {
      if (name.toString().equals(".git")) {
        return true;
      }
    }
    return false;
  }

  private static String entry(Path path) {
    try {
      if (Files.isSymbolicLink(path)) {
        return "link " + Files.readSymbolicLink(path);
      }
      if (Files.isDirectory(path)) {
        return "directory";
      }
      return "file " + Base64.getEncoder().encodeToString(Files.readAllBytes(path));
    } catch (IOException unread) {
      throw new UncheckedIOException(unread);
    }
  }

  /** The paths that differ in another state of the same directory. */
  public SortedSet<String> changed(Tree now) {
    SortedSet<String> changed = new TreeSet<>(entries.keySet());
    changed.addAll(now.entries.keySet());
    changed.removeIf(path -> Objects.equals(entries.get(path), now.entries.get(path)));
    return changed;
  }
}
