package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client that goes away changes nothing: not what was admitted, nor what runs. */
@Timeout(120)
class GoneClientIT {
  private static final String SCRIPT =
      """
      models:
        m:
          - when: hold
            steps: [ { text: Held., wait-for-file: HOLD } ]
          - steps: [ { text: Done., drip-ms: 1 } ]
      """;
  private static final String ID = "run-1/coder";
  private static final int CLIENTS = 20;

  @TempDir Path directory;

  @Test
  void whoeverGoesInTheMiddleOfARequestOrAStreamChangesNothing() throws Exception {
    Site site = Site.make(directory, SCRIPT);
    try (Child child = Child.start(site.configuration());
        Caller caller = new Caller(child.listens())) {
      URI uri = child.listens();
      assertEquals(200, caller.admit(body("hold on"), "key").status());
      List<JsonNode> _ = caller.until(ID, Told.has("turn-started", 1));

      for (int client = 0; client < CLIENTS; client++) {
        goInTheMiddleOfTheBody(uri);
        goInTheMiddleOfAStream(uri, caller);
        goInTheMiddleOfALongPoll(uri, caller);
      }
      for (int client = 0; client < CLIENTS; client++) {
        goBeforeTheAnswer(uri, "gone-" + client);
      }
      // Sent again because no answer was heard: it is the same Submission, admitted or not yet.
      for (int client = 0; client < CLIENTS; client++) {
        Caller.Answer answer = caller.admit(body("gone-" + client), "gone-" + client);
        assertEquals(200, answer.status(), answer::body);
      }

      site.letGo();
      List<JsonNode> events = caller.until(ID, Told.has("submission-settled", CLIENTS + 1));
      assertEquals(CLIENTS + 1, Told.of(events, "submission-admitted").size());
      assertEquals(Told.ids(events, "submission-admitted"), Told.ids(events, "submission-settled"));
      assertTrue(Told.outcomes(events).stream().allMatch("completed"::equals));
      assertEquals("Held.", Told.said(events).getFirst());
      assertTrue(child.isAlive());
    }
  }

  private static void goInTheMiddleOfTheBody(URI uri) throws Exception {
    try (Socket socket = connect(uri)) {
      String request = post("a body that stops in its middle", "half");
      send(socket, request.substring(0, request.length() - 10));
    }
  }

  private static void goBeforeTheAnswer(URI uri, String name) throws Exception {
    try (Socket socket = connect(uri)) {
      send(socket, post(name, name));
    }
  }

  private static void goInTheMiddleOfAStream(URI uri, Caller caller) throws Exception {
    try (InputStream stream = caller.stream(ID)) {
      assertTrue(stream.read() >= 0);
    }
    try (Socket socket = connect(uri)) {
      send(socket, "GET " + Caller.path(ID) + " HTTP/1.1\r\nAccept: text/event-stream\r\n");
      send(socket, "Host: h\r\n\r\n");
      assertTrue(socket.getInputStream().read() >= 0);
    }
  }

  private static void goInTheMiddleOfALongPoll(URI uri, Caller caller) throws Exception {
    String end = caller.updates(ID, "").header("stream-next-offset");
    try (Socket socket = connect(uri)) {
      String query = "?live=long-poll&offset=" + end;
      send(socket, "GET " + Caller.path(ID) + query + " HTTP/1.1\r\nHost: h\r\n\r\n");
    }
  }

  private static Socket connect(URI uri) throws Exception {
    Socket socket = new Socket(uri.getHost(), uri.getPort());
    // Closing then resets the connection, which is the rudest way to go.
    socket.setSoLinger(true, 0);
    return socket;
  }

  private static void send(Socket socket, String text) throws Exception {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }

  private static String post(String prompt, String key) {
    String body = body(prompt);
    return "POST /turns HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nIdempotency-Key: "
        + key
        + "\r\nContent-Length: "
        + body.getBytes(StandardCharsets.UTF_8).length
        + "\r\n\r\n"
        + body;
  }

  private static String body(String prompt) {
    return Caller.turn("run-1", true, "m", prompt);
  }
}
