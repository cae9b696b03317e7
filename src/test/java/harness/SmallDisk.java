package harness;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file system in memory that can be full; whoever may not mount one skips its test. */
final class SmallDisk implements AutoCloseable {
  private static final int MEGABYTES = 32;
  private static final int BLOCK_BYTES = 4_096;

  private final Path directory;

  private SmallDisk(Path directory) {
    this.directory = directory;
  }

  static SmallDisk mount(Path directory) throws IOException, InterruptedException {
    Files.createDirectories(directory);
    String option = "size=" + MEGABYTES + "m";
    String said = run("mount", "-t", "tmpfs", "-o", option, "harness-test", directory.toString());
    assumeTrue(said.isEmpty(), () -> "this process may mount no tmpfs: " + said);
    return new SmallDisk(directory);
  }

  /** Takes all the room there is. */
  void fill() throws IOException {
    try (OutputStream out = Files.newOutputStream(directory.resolve("filler"))) {
      while (true) {
        out.write(new byte[BLOCK_BYTES]);
      }
    } catch (IOException full) {
      if (Files.getFileStore(directory).getUsableSpace() >= BLOCK_BYTES) {
        throw full;
      }
    }
  }

  void makeRoom() throws IOException {
    Files.deleteIfExists(directory.resolve("filler"));
  }

  /** What the program said that went wrong; empty where nothing did. */
  private static String run(String... command) throws IOException, InterruptedException {
    Process process;
    try {
      process = new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
    } catch (IOException missing) {
      return String.valueOf(missing.getMessage());
    }
    String said = new String(process.getInputStream().readAllBytes()).strip();
    int code = process.waitFor();
    return code == 0 ? "" : "exit code " + code + ": " + said;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    String said = run("umount", "--lazy", directory.toString());
    if (!said.isEmpty()) {
      throw new IOException(directory + " stays mounted: " + said);
    }
  }
}
