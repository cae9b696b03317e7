package harness.model.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A provider of the tests: a real HTTP server of a page that can misbehave at any moment, because
 * it writes raw bytes. What it says in each API is in {@link Tongue}.
 */
public final class ProviderServer implements AutoCloseable {
  private static final Pattern MODEL = Pattern.compile("\"model\":\"([^\"]*)\"");

  /** What it does with one request. */
  public interface Answer {
    void give(Exchange exchange) throws IOException;
  }

  /**
   * A request as it came.
   *
   * @param key for whom it is: the first segment of its path, and the model
   */
  public record Received(String head, byte[] body, String key) {
    Received(String head, byte[] body) {
      this(head, body, key(head, body));
    }

    public String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    private static String key(String head, byte[] body) {
      Matcher model = MODEL.matcher(new String(body, StandardCharsets.ISO_8859_1));
      return head.split("/", 3)[1] + " " + (model.find() ? model.group(1) : "");
    }
  }

  private final ServerSocket listener;
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final Map<String, Queue<Answer>> scripts = new ConcurrentHashMap<>();
  private final List<Received> received = Collections.synchronizedList(new ArrayList<>());
  private final List<Socket> sockets = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch clientLeft = new CountDownLatch(1);

  public ProviderServer() throws IOException {
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  URI baseUrl() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/v1/");
  }

  void then(Answer answer) {
    answers.add(answer);
  }

  /** The address of a provider of its own within this server, for {@link #when}. */
  public URI baseUrl(String name) {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/" + name + "/v1");
  }

  /** One model of one of those answers so, in this order; the last one again and again. */
  public void when(String name, String model, Answer... script) {
    scripts.put(name + " " + model, new ConcurrentLinkedQueue<>(List.of(script)));
  }

  /** What came for one model of one of those. */
  public List<Received> received(String name, String model) {
    return received().stream().filter(one -> one.key().equals(name + " " + model)).toList();
  }

  private Answer answer(Received request) {
    Queue<Answer> script = scripts.getOrDefault(request.key(), answers);
    Answer answer = script.size() > 1 || script == answers ? script.poll() : script.peek();
    if (answer == null) {
      throw new AssertionError("no answer is left for " + request.head());
    }
    return answer;
  }

  public List<Received> received() {
    return List.copyOf(received);
  }

  int connections() {
    return sockets.size();
  }

  /** Whether a client went away before its answer was whole, or from a connection that waited. */
  boolean clientLeft() throws InterruptedException {
    return clientLeft.await(10, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : List.copyOf(sockets)) {
      socket.close();
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException e) {
      if (!listener.isClosed()) {
        throw new AssertionError(e);
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      Exchange exchange = new Exchange(socket, in);
      while (exchange.keepAlive) {
        String head = readHead(in);
        if (head.isEmpty()) {
          clientLeft.countDown();
          return;
        }
        Received request = new Received(head, in.readNBytes(length(head)));
        received.add(request);
        exchange.keepAlive = false;
        answer(request).give(exchange);
      }
    } catch (IOException e) {
      // The client may leave at any moment: a test looks at what the client says of it.
      clientLeft.countDown();
    }
  }

  private static String readHead(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        return "";
      }
      head.write(next);
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  private static int length(String head) {
    for (String line : head.split("\r\n")) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        return Integer.parseInt(line.substring("content-length:".length()).strip());
      }
    }
    return 0;
  }

  /** One request's answer, byte by byte. */
  public final class Exchange {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private boolean keepAlive = true;

    Exchange(Socket socket, InputStream in) throws IOException {
      this.socket = socket;
      this.in = in;
      this.out = socket.getOutputStream();
    }

    public void raw(String text) throws IOException {
      raw(text.getBytes(StandardCharsets.UTF_8));
    }

    public void raw(byte[] bytes) throws IOException {
      out.write(bytes);
      out.flush();
    }

    /** A whole answer. */
    public void answer(int status, String headers, String body) throws IOException {
      raw(
          "HTTP/1.1 "
              + status
              + " Whatever\r\nConnection: close\r\n"
              + headers
              + "Content-Length: "
              + body.getBytes(StandardCharsets.UTF_8).length
              + "\r\n\r\n"
              + body);
    }

    /** Begins a stream that ends when the connection does. */
    public void stream() throws IOException {
      raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
    }

    /** Begins a stream in chunks, after which the connection can serve again. */
    public void chunkedStream() throws IOException {
      raw(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
    }

    public void chunk(String text) throws IOException {
      int length = text.getBytes(StandardCharsets.UTF_8).length;
      raw(Integer.toHexString(length) + "\r\n" + text + "\r\n");
    }

    void keepAlive() {
      keepAlive = true;
    }

    void event(String data) throws IOException {
      raw("data: " + data + "\n\n");
    }

    void delta(String delta) throws IOException {
      event("{\"choices\":[{\"index\":0,\"delta\":" + delta + ",\"finish_reason\":null}]}");
    }

    void finish(String reason) throws IOException {
      event("{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"" + reason + "\"}]}");
    }

    /** A short reply from beginning to end. */
    void says(String text) throws IOException {
      stream();
      delta("{\"role\":\"assistant\",\"content\":\"" + text + "\"}");
      finish("stop");
      event("[DONE]");
    }

    /** Says nothing more until the client goes away. */
    public void hang() throws IOException {
      while (in.read() >= 0) {}
      clientLeft.countDown();
    }

    /** Ends the connection as a crash does. */
    public void reset() throws IOException {
      socket.setSoLinger(true, 0);
      socket.close();
    }
  }
}
