package harness.workspace;

import java.io.IOException;
import java.util.random.RandomGenerator;

/** The calls of Linux itself, through {@code java.lang.foreign}: names are bytes. */
final class LinuxHandles implements Handles {
  private final RandomGenerator names;

  LinuxHandles(RandomGenerator names) {
    this.names = names;
  }

  /** Whether this machine is one whose numbers {@link Libc} knows. */
  static boolean fits() {
    String machine = System.getProperty("os.arch", "");
    return System.getProperty("os.name", "").equals("Linux")
        && (machine.equals("amd64") || machine.equals("aarch64"));
  }

  @Override
  public OpenDirectory top() throws IOException {
    return LinuxDirectory.top(names);
  }
}
