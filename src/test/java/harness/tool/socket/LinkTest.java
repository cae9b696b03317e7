package harness.tool.socket;

import static org.junit.jupiter.api.Assertions.assertFalse;

import harness.tool.Timers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An end of a connection whose other side goes while much is sent. */
@Timeout(60)
class LinkTest {
  private static final int ROUNDS = 200;
  private static final int FRAME_BYTES = 1024 * 1024;

  private static final Link.Ear DEAF =
      new Link.Ear() {
        @Override
        public void hear(byte[] frame) {}

        @Override
        public void lost(String why) {}
      };

  @Test
  void whoSendsWhileTheOtherSideGoesIsToldThatItHasEnded(@TempDir Path directory) throws Exception {
    Timers timers = new Timers(InstantSource.system());
    UnixDomainSocketAddress place = UnixDomainSocketAddress.of(directory.toRealPath().resolve("s"));
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(place);
      for (int round = 0; round < ROUNDS; round++) {
        Link link = new Link(SocketChannel.open(place), timers, Duration.ofMinutes(1), DEAF);
        link.start("link of the test");
        try (SocketChannel far = server.accept()) {
          Thread leaver = Thread.ofPlatform().start(() -> leave(far));
          while (link.send(ByteBuffer.allocate(FRAME_BYTES))) {
            Thread.onSpinWait();
          }
          leaver.join();
        }
        assertFalse(link.ended().isEmpty());
      }
    }
  }

  private static void leave(SocketChannel far) {
    try (far) {
      far.write(ByteBuffer.allocate(Integer.BYTES).putInt(-1).flip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
