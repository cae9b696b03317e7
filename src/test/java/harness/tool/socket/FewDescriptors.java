package harness.tool.socket;

import harness.tool.Timers;
import harness.workspace.UnixSocket;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;

/** A process that has descriptors for connections and none for what makes them usable. */
final class FewDescriptors {
  private static final Timers TIMERS = new Timers(InstantSource.system());

  private FewDescriptors() {}

  /** Its argument is the socket; says of some connections whether they were given back. */
  public static void main(String[] arguments) throws IOException {
    Path socket = Path.of(arguments[0]);
    // What is needed of Java is there before descriptors run out.
    RunnerLink.over(UnixSocket.connect(socket), "a runner", Timing.USUAL, TIMERS)
        .end("it was looked at");
    System.out.println(told(UnixSocket.connect(socket), 0));
    System.out.println(told(UnixSocket.connect(socket), 1));
  }

  private static String told(SocketChannel channel, int free) throws IOException {
    Deque<FileInputStream> all = takeAll();
    try {
      for (int i = 0; i < free; i++) {
        all.pop().close();
      }
      RunnerLink.over(channel, "a runner", Timing.USUAL, TIMERS);
      return "made";
    } catch (IOException e) {
      return channel.isOpen() ? "left open" : "given back";
    } finally {
      for (FileInputStream one : all) {
        one.close();
      }
    }
  }

  private static Deque<FileInputStream> takeAll() {
    Deque<FileInputStream> all = new ArrayDeque<>();
    while (true) {
      try {
        all.push(new FileInputStream("/dev/null"));
      } catch (IOException full) {
        return all;
      }
    }
  }
}
