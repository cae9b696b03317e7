package harness.tool.socket;

import harness.tool.WorkingTools;
import harness.workspace.UnixSocket;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** Listens where a runner should, and does on each connection what a test says. */
final class HostileRunner implements AutoCloseable {
  /** What it does on a connection; what it fails by ends the connection. */
  interface Deed {
    void on(Peer peer) throws Exception;
  }

  private final UnixSocket socket;
  private final AtomicInteger connections = new AtomicInteger();

  private HostileRunner(UnixSocket socket) {
    this.socket = socket;
  }

  static HostileRunner at(SocketFixture fixture, Deed deed) throws IOException {
    return at(fixture.socket(), deed);
  }

  static HostileRunner at(Path socket, Deed deed) throws IOException {
    HostileRunner runner = new HostileRunner(UnixSocket.listen(socket, new Random(7)));
    Thread.ofPlatform().daemon().name("hostile accept").start(() -> runner.accept(deed));
    return runner;
  }

  private void accept(Deed deed) {
    while (true) {
      try {
        SocketChannel channel = socket.channel().accept();
        connections.incrementAndGet();
        Thread.ofPlatform()
            .daemon()
            .name("hostile runner")
            .start(
                () -> {
                  try (channel) {
                    deed.on(new Peer(channel));
                  } catch (Exception e) {
                    // The Harness went away, or the test did.
                    return;
                  }
                });
      } catch (IOException e) {
        return;
      }
    }
  }

  int connections() {
    return connections.get();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** The other end of a connection. */
  record Peer(SocketChannel channel) {
    /** Says hello as an honest one does. */
    void hello() throws IOException {
      channel.write(
          AnswerCodec.encode(
              new Answer.Hello(
                  Protocol.VERSION, SocketFixture.ROOT, Offers.digests(WorkingTools.specs()))));
    }

    /** Waits for the next request that is no hello. */
    Request next() throws Exception {
      Request request = RequestCodec.decode(frame());
      return request instanceof Request.Hello ? next() : request;
    }

    /** Waits for a call or a check; its id. */
    long request() throws Exception {
      return switch (next()) {
        case Request.Call(long id, var _) -> id;
        case Request.Check(long id, var _) -> id;
        case Request other -> throw new AssertionError("not to be expected: " + other);
      };
    }

    byte[] frame() throws IOException {
      int length = ByteBuffer.wrap(bytes(Frames.HEADER_BYTES)).getInt();
      return bytes(length);
    }

    private byte[] bytes(int count) throws IOException {
      ByteBuffer buffer = ByteBuffer.allocate(count);
      while (buffer.hasRemaining()) {
        if (channel.read(buffer) < 0) {
          throw new EOFException();
        }
      }
      return buffer.array();
    }

    void frame(String json) throws IOException {
      byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
      raw(ByteBuffer.allocate(Frames.HEADER_BYTES + bytes.length).putInt(bytes.length).put(bytes));
    }

    /** Sends what was put into the buffer. */
    void raw(ByteBuffer buffer) throws IOException {
      buffer.flip();
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    }

    void answer(Answer answer) throws IOException {
      channel.write(AnswerCodec.encode(answer));
    }

    /** Takes what comes until the Harness goes. */
    void drain() throws IOException {
      ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
      while (channel.read(buffer.clear()) >= 0) {
        continue;
      }
    }
  }
}
