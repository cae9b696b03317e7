package harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a Harness runs in a test: a configuration, a workspace and a state that outlives each of
 * its processes. Its scripted models are those of {@code lab}.
 */
record Site(Path directory) {
  /**
   * @param script what the models of {@code lab} say; {@code HOLD} in it is a file that is not
   *     there until {@link #letGo}
   * @param limits further lines under {@code limits}, such as {@code queue: 8}
   */
  static Site make(Path directory, String script, String... limits) throws IOException {
    Site site = new Site(directory.toRealPath());
    Files.createDirectories(site.work());
    Files.writeString(
        site.directory.resolve("script.yaml"), script.replace("HOLD", site.hold().toString()));
    site.write(site.configuration(), "127.0.0.1:0", limits);
    return site;
  }

  /** Another configuration over the same state. */
  Path configuration(String name, String listen) throws IOException {
    Path file = directory.resolve(name);
    write(file, listen);
    return file;
  }

  /** The same, with the tools in a runner. */
  Path configuration(Path socket) throws IOException {
    String usual = Files.readString(configuration());
    return Files.writeString(
        directory.resolve("behind.yaml"),
        usual.replace("  auth: none\n", "  auth: none\n  tool-host: unix:" + socket + "\n"));
  }

  private void write(Path file, String listen, String... limits) throws IOException {
    Files.writeString(
        file,
        """
        harness:
          listen: %s
          auth: none
          state: %s
          workspace: { root: %s }
          limits: { %s }
          providers: [ { id: lab, api: scripted, script: %s } ]
        """
            .formatted(
                listen,
                state(),
                work(),
                String.join(", ", limits),
                directory.resolve("script.yaml")));
  }

  Path configuration() {
    return directory.resolve("harness.yaml");
  }

  Path state() {
    return directory.resolve("state");
  }

  Path work() {
    return directory.resolve("work");
  }

  private Path hold() {
    return directory.resolve("hold");
  }

  /** Lets a Turn go on that waits for {@code HOLD}. */
  void letGo() throws IOException {
    Files.createFile(hold());
  }
}
