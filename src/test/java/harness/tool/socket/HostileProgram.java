package harness.tool.socket;

import harness.workspace.git.Placed;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

/**
 * A hostile runner as a program, for a pod: it takes what is admitted and then does to each call
 * what its second argument names.
 */
final class HostileProgram {
  private static final long GIBIBYTE = 1L << 30;

  private HostileProgram() {}

  public static void main(String[] arguments) throws Exception {
    String deed = arguments[1];
    HostileRunner.at(Path.of(arguments[0]), peer -> serve(peer, deed));
    System.out.println("hostile: " + deed);
    new CountDownLatch(1).await();
  }

  private static void serve(HostileRunner.Peer peer, String deed) throws Exception {
    peer.hello();
    while (!deed.equals("mute")) {
      switch (peer.next()) {
        case Request.Call(long id, var _) -> harm(peer, deed, id);
        case Request.Check(long id, var _) -> peer.answer(new Answer.Checked(id));
        case Request.Place(long id, var _) -> peer.answer(new Answer.Placed(id, new Placed(true)));
        case Request.Release(long id, var _) -> peer.answer(new Answer.Done(id));
        case Request.End(long id) -> peer.answer(new Answer.Done(id));
        case Request.Ping(long id) when !deed.equals("never") -> peer.answer(new Answer.Done(id));
        case Request.Ping _, Request.Hello _, Request.Cancel _, Request.Branch _ -> {}
      }
    }
    peer.drain();
  }

  private static void harm(HostileRunner.Peer peer, String deed, long id) throws Exception {
    switch (deed) {
      case "garbage" -> {
        byte[] garbage = new byte[64 * 1024];
        new Random(7).nextBytes(garbage);
        peer.raw(ByteBuffer.allocate(garbage.length).put(garbage));
      }
      case "gigabytes" -> flood(peer, id);
      case "paths" ->
          peer.frame(
              returned(
                  id,
                  "[\"/etc/harness-keys/lab\",\"v\"],[\"/work/../etc/harness-keys/lab\",\"v\"]"));
      case "never" -> {}
      default -> throw new IllegalArgumentException("no such deed: " + deed);
    }
  }

  /** First as much output as is taken, then a frame as large as may be, without end. */
  private static void flood(HostileRunner.Peer peer, long id) throws Exception {
    long sent = 0;
    try {
      String piece = "x".repeat(Protocol.MAX_PIECE_CHARS);
      for (int i = 0; i * (long) piece.length() < Protocol.MAX_OUTPUT_CHARS; i++) {
        peer.answer(new Answer.Output(id, piece));
        sent += piece.length();
      }
      byte[] block = "y".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
      String begin = returned(id, "").split("x\",\"bytes")[0];
      byte[] head = begin.getBytes(StandardCharsets.US_ASCII);
      while (sent < 4 * GIBIBYTE) {
        peer.raw(ByteBuffer.allocate(4).putInt(Frames.MAX_BYTES));
        peer.raw(ByteBuffer.allocate(head.length).put(head));
        for (int i = 0; i < Frames.MAX_BYTES; i += block.length) {
          peer.raw(ByteBuffer.allocate(block.length).put(block));
          sent += block.length;
        }
      }
    } finally {
      System.out.println("sent " + (sent >> 20) + " MiB");
    }
  }

  private static String returned(long id, String seen) {
    return "{\"type\":\"returned\",\"id\":"
        + id
        + ",\"error\":false,\"text\":\"x\",\"bytes\":1,\"truncated\":false,\"images\":[],\"seen\":["
        + seen
        + "],\"proposed\":[],\"from\":[],\"peak\":0,\"limit\":0}";
  }
}
