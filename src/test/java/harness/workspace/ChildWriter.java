package harness.workspace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** A second process that writes files until it is killed. */
final class ChildWriter {
  /** The names of the files that it changes together. */
  static final List<String> FILES = List.of("one", "two", "d/three");

  private ChildWriter() {}

  static Process start(Path work, Path cwd, String what) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx64m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            ChildWriter.class.getName(),
            work.toString(),
            cwd.toString(),
            what);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("LC_ALL", "C.UTF-8");
    return builder.start();
  }

  /**
   * Arguments: the roots, then {@code stage} to stage a file, say so and wait for the end of its
   * input, or {@code commit} to change files together again and again.
   */
  public static void main(String[] arguments) throws Exception {
    Handles handles = new LinuxHandles(new Random());
    try (Root root = Root.open(handles, arguments[0], arguments[1])) {
      if (arguments[2].equals("stage")) {
        try (Target target = root.target("new")) {
          target.stage(new byte[1000]);
          System.out.println("staged");
          int unused = System.in.read();
        }
        return;
      }
      commit(root, 0);
      System.out.println("begins");
      for (int round = 1; ; round++) {
        commit(root, round);
      }
    }
  }

  private static void commit(Root root, int round) throws IOException {
    try (Targets targets = root.targets(FILES, List.of())) {
      for (Target target : targets.all()) {
        target.current();
        target.stage(content(round));
      }
      targets.commit();
    }
  }

  static byte[] content(int round) {
    return (round + "\n").repeat(3000).getBytes(StandardCharsets.US_ASCII);
  }
}
