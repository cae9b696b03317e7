package harness;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One connection that admits, over a bare socket, so that the client costs little beside. */
final class BenchmarkClient implements AutoCloseable {
  private static final String LENGTH = "content-length:";
  private static final String OFFSET = "stream-next-offset:";

  private final Socket socket;
  private final InputStream in;
  private final String authority;

  BenchmarkClient(URI uri) throws IOException {
    this.socket = new Socket(uri.getHost(), uri.getPort());
    this.socket.setTcpNoDelay(true);
    this.in = new BufferedInputStream(socket.getInputStream());
    this.authority = uri.getAuthority();
  }

  /** Sends one admission and reads its answer, which must be 200. */
  void admit(String body) throws IOException {
    byte[] content = body.getBytes(StandardCharsets.UTF_8);
    byte[] head =
        head("POST /turns", "Content-Type: application/json\r\nContent-Length: " + content.length);
    byte[] request = new byte[head.length + content.length];
    System.arraycopy(head, 0, request, 0, head.length);
    System.arraycopy(content, 0, request, head.length, content.length);
    socket.getOutputStream().write(request);
    String unused = answer(LENGTH);
  }

  /** Reads events of a conversation, parked until there are some; says where to read on. */
  String read(String target) throws IOException {
    socket.getOutputStream().write(head("GET " + target, "Accept: application/json"));
    return answer(OFFSET);
  }

  private byte[] head(String what, String headers) {
    return (what + " HTTP/1.1\r\nHost: " + authority + "\r\n" + headers + "\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** The value of a header of an answer that must be 200; empty where it has none. */
  private String answer(String wanted) throws IOException {
    String status = line();
    int length = 0;
    String value = "";
    for (String header = line(); !header.isEmpty(); header = line()) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith(LENGTH)) {
        length = Integer.parseInt(lower.substring(LENGTH.length()).strip());
      }
      if (lower.startsWith(wanted)) {
        value = header.substring(wanted.length()).strip();
      }
    }
    byte[] answer = in.readNBytes(length);
    if (!status.startsWith("HTTP/1.1 200")) {
      throw new IOException(status + ": " + new String(answer, StandardCharsets.UTF_8));
    }
    return value;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the connection ended");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
