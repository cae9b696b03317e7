package harness.workspace.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds out who has a file open, where Linux tells it. */
final class LockHolder {
  private static final Path PROCESSES = Path.of("/proc");
  private static final int MAX_PROCESSES = 4_096;
  private static final int MAX_FILES_OF_ONE = 1_024;
  private static final int MAX_NAME_BYTES = 64;

  private LockHolder() {}

  /**
   * A process that has the file open, such as {@code process 4711 (git)}; empty where none shows.
   */
  static Optional<String> of(String path) {
    int looked = 0;
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
      for (Path process : processes) {
        if (looked++ == MAX_PROCESSES) {
          return Optional.empty();
        }
        if (hasOpen(process, path)) {
          return Optional.of("process " + process.getFileName() + name(process));
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // No such system, or none that may be looked at.
      return Optional.empty();
    }
    return Optional.empty();
  }

  private static boolean hasOpen(Path process, String path) {
    int looked = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path file : files) {
        if (looked++ == MAX_FILES_OF_ONE) {
          return false;
        }
        if (leadsTo(file, path)) {
          return true;
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // Another user's, or gone by now.
      return false;
    }
    return false;
  }

  private static boolean leadsTo(Path file, String path) {
    try {
      return Files.readSymbolicLink(file).toString().equals(path);
    } catch (IOException e) {
      // Closed by now.
      return false;
    }
  }

  private static String name(Path process) {
    try (var in = Files.newInputStream(process.resolve("comm"))) {
      return " (" + new String(in.readNBytes(MAX_NAME_BYTES), StandardCharsets.UTF_8).strip() + ")";
    } catch (IOException e) {
      return "";
    }
  }
}
