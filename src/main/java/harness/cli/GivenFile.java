package harness.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * A file that a command was told to read.
 *
 * @param option what named it
 */
record GivenFile(String option, Path path) {
  /**
   * What it holds.
   *
   * @throws ConfigurationException where it can't be read, as the command line is then wrong
   */
  String text() {
    try {
      return Files.readString(path);
    } catch (NoSuchFileException e) {
      throw new ConfigurationException(
          List.of(option + ": " + path + " is not there; name a file that is"));
    } catch (IOException e) {
      throw new ConfigurationException(
          List.of(option + ": " + path + " can't be read as text (" + e + "); name one that can"));
    }
  }
}
