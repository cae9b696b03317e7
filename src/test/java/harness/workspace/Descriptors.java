package harness.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What this process has open. */
public final class Descriptors {
  private Descriptors() {}

  /** Where the open files and directories under a directory are, and those that are the top. */
  public static List<String> under(Path base) throws IOException {
    List<String> open = new ArrayList<>();
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      for (Path descriptor : (Iterable<Path>) descriptors::iterator) {
        try {
          String target = Files.readSymbolicLink(descriptor).toString();
          if (target.equals("/") || target.startsWith(base.toString())) {
            open.add(target);
          }
        } catch (NoSuchFileException e) {
          continue;
        }
      }
    }
    return open;
  }
}
