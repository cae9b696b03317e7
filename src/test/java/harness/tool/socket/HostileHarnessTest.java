package harness.tool.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.tool.FakeToolHost;
import harness.tool.Progress;
import harness.tool.ToolHost;
import harness.workspace.UnixSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a runner makes of somebody at its socket who is no Harness, such as an Agent's command. */
@Timeout(60)
class HostileHarnessTest {
  private static final String HELLO = "{\"type\":\"hello\",\"protocol\":3}";

  private final CountDownLatch parked = new CountDownLatch(1);
  private SocketFixture fixture;
  private Runner runner;

  @BeforeEach
  void open(@TempDir Path directory) throws IOException {
    fixture = SocketFixture.in(directory);
    runner =
        fixture.runner(
            () ->
                new FakeToolHost(
                    (call, _) -> {
                      if (call.name().equals("list")) {
                        try {
                          parked.await();
                        } catch (InterruptedException e) {
                          Thread.currentThread().interrupt();
                        }
                      }
                      return FakeToolHost.text("ok");
                    }));
  }

  @AfterEach
  void close() {
    runner.close();
  }

  private HostileRunner.Peer connect() throws IOException {
    SocketChannel channel = UnixSocket.connect(fixture.socket());
    channel.configureBlocking(true);
    return new HostileRunner.Peer(channel);
  }

  /** Sends the frames and waits until the runner has gone; a Harness is served all the same. */
  private void assertLeft(String... frames) throws IOException {
    HostileRunner.Peer peer = connect();
    try (SocketChannel _ = peer.channel()) {
      for (String frame : frames) {
        peer.frame(frame);
      }
      peer.drain();
    } catch (IOException e) {
      assertTrue(
          String.valueOf(e.getMessage()).matches("Broken pipe|Connection reset.*"), e::toString);
    }
    assertServed();
  }

  private void assertServed() {
    try (ToolHost host = fixture.host()) {
      assertEquals("ok", host.call(SocketFixture.call("read"), Progress.NONE).text());
    }
  }

  private static String call(long id) throws IOException {
    ByteBuffer frame = RequestCodec.encode(new Request.Call(id, SocketFixture.call("list")));
    byte[] json = new byte[frame.remaining() - Frames.HEADER_BYTES];
    frame.position(Frames.HEADER_BYTES).get(json);
    return new String(json, StandardCharsets.UTF_8);
  }

  @Test
  void whoBreaksTheProtocolIsLeft() throws IOException {
    assertLeft("garbage");
    assertLeft(HELLO, "{}");
    assertLeft(HELLO, HELLO);
    assertLeft(call(1));
    assertLeft(HELLO, "{\"type\":\"call\",\"id\":1}");
    assertLeft(HELLO, "{\"type\":\"ping\",\"id\":1,\"more\":" + "[".repeat(100_000));
    assertLeft(HELLO, call(1).replace("\"write\"", "\"all\""));
    assertLeft(HELLO, call(1).replace("\"direct\"", "\"later\""));
    assertLeft(HELLO, call(1).replace("run-1/task/coder", "run-1/../coder"));
    assertLeft(HELLO, call(1).replace("{}", "[".repeat(5_000)));
  }

  @Test
  void anotherProtocolIsLeft() throws IOException {
    assertLeft("{\"type\":\"hello\",\"protocol\":4,\"dialect\":{}}");
  }

  @Test
  void twoRequestsOfOneIdAreNone() throws IOException {
    assertLeft(HELLO, call(7), call(7));
  }

  @Test
  void noConnectionHasMoreOpenThanItsShare() throws IOException {
    List<String> frames = new ArrayList<>(List.of(HELLO));
    for (int id = 1; id <= Protocol.MAX_RUNNING + 1; id++) {
      frames.add(call(id));
    }
    assertLeft(frames.toArray(String[]::new));
  }

  @Test
  void whoSaysNothingIsLeft() throws IOException {
    assertLeft();
  }

  @Test
  void whoCancelsWhatDoesNotRunIsServed() throws IOException, ProtocolException {
    HostileRunner.Peer peer = connect();
    try (SocketChannel _ = peer.channel()) {
      peer.frame(HELLO);
      peer.frame("{\"type\":\"cancel\",\"id\":5}");
      peer.frame("{\"type\":\"ping\",\"id\":6}");
      assertTrue(AnswerCodec.decode(peer.frame()) instanceof Answer.Hello);
      assertEquals(new Answer.Done(6), AnswerCodec.decode(peer.frame()));
    }
  }

  @Test
  void moreConnectionsThanThereMayBeAreRefusedAndTheOthersStay() throws IOException {
    List<HostileRunner.Peer> peers = new ArrayList<>();
    for (int i = 0; i < Runner.MAX_SESSIONS; i++) {
      HostileRunner.Peer peer = connect();
      peer.frame(HELLO);
      byte[] _ = peer.frame();
      peers.add(peer);
    }
    HostileRunner.Peer refused = connect();
    refused.drain();
    refused.channel().close();
    for (HostileRunner.Peer peer : peers) {
      peer.frame("{\"type\":\"ping\",\"id\":1}");
      byte[] _ = peer.frame();
      peer.channel().close();
    }
    assertServed();
  }
}
