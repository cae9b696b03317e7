package harness;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A connection that sends bytes as they are, and reads answers one after the other. */
public final class RawConnection implements AutoCloseable {
  private static final int READ_TIMEOUT_MS = 30_000;

  private final Socket socket;
  private final InputStream in;
  private final String host;

  RawConnection(URI uri) throws IOException {
    socket = new Socket(uri.getHost(), uri.getPort());
    socket.setSoTimeout(READ_TIMEOUT_MS);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
    host = uri.getAuthority();
  }

  /** Sends a request with a body of a known length and reads its answer. */
  public Reply exchange(String method, String target, String body, String... headers)
      throws IOException {
    send(request(method, target, body, headers));
    return read(method);
  }

  /** The text of a request, its target as it is. */
  public String request(String method, String target, String body, String... headers) {
    StringBuilder text =
        new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\n");
    for (int i = 0; i < headers.length; i += 2) {
      text.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
    }
    if (!body.isEmpty()) {
      int length = body.getBytes(StandardCharsets.UTF_8).length;
      text.append("Content-Length: ").append(length).append("\r\n");
    }
    return text + "\r\n" + body;
  }

  public void send(String text) throws IOException {
    send(text.getBytes(StandardCharsets.UTF_8));
  }

  public void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** Says that nothing more will be sent. */
  public void finish() throws IOException {
    socket.shutdownOutput();
  }

  /**
   * Reads one answer.
   *
   * @param method of the request that it answers: one to HEAD has no body
   */
  public Reply read(String method) throws IOException {
    String status = line();
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    int code = Integer.parseInt(status.split(" ", 3)[1]);
    if (code == 100) {
      return read(method);
    }
    byte[] body = method.equals("HEAD") || code == 204 ? new byte[0] : body(headers);
    return new Reply(code, headers, new String(body, StandardCharsets.UTF_8));
  }

  private byte[] body(Map<String, String> headers) throws IOException {
    String length = headers.get("content-length");
    if (length != null) {
      return exactly(Integer.parseInt(length));
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    if (Optional.ofNullable(headers.get("transfer-encoding")).orElse("").equals("chunked")) {
      for (int size = size(); size > 0; size = size()) {
        body.write(exactly(size));
        line();
      }
      line();
    }
    return body.toByteArray();
  }

  private int size() throws IOException {
    return Integer.parseInt(line().strip(), 16);
  }

  private byte[] exactly(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("the answer ended in its middle");
    }
    return bytes;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the connection was closed");
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  /** Whether the server has closed its side, and has nothing more to say. */
  public boolean awaitClosed() throws IOException {
    return in.read() < 0;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
