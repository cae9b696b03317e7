package harness.client;

import harness.client.Transport.Exchange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** Says what it was told to, an exchange a request, and the last one again and again. */
final class ScriptedTransport implements Transport {
  static final Exchange REFUSED_CONNECTION = new Exchange.Undelivered("connection refused");
  static final Exchange CUT = new Exchange.Unanswered("connection reset");

  private final Deque<Exchange> script = new ArrayDeque<>();
  private final List<Request> sent = new ArrayList<>();

  ScriptedTransport then(Exchange... next) {
    script.addAll(Arrays.asList(next));
    return this;
  }

  @Override
  public Exchange send(Request request) {
    sent.add(request);
    if (script.isEmpty()) {
      throw new AssertionError("nothing is scripted for " + request);
    }
    return script.size() == 1 ? script.getFirst() : script.removeFirst();
  }

  List<Request> sent() {
    return List.copyOf(sent);
  }

  /** Each request as its method and target. */
  List<String> targets() {
    return sent.stream().map(request -> request.method() + " " + request.target()).toList();
  }

  static Exchange answer(int status, String body) {
    return new Exchange.Answered(status, Map.of(), body);
  }

  static Exchange refusal(int status, String message) {
    return answer(status, "{\"error\":\"" + message + "\"}");
  }

  static Exchange admitted(String instanceId, int epoch, String submissionId) {
    return answer(
        200,
        """
        {"instanceId":"%s","epoch":%d,"new":true,"submissionId":"%s","streamUrl":"http://x/y","offset":"l-0","ahead":0}
        """
            .formatted(instanceId, epoch, submissionId));
  }

  /** A page of events. */
  static Exchange page(String next, String... events) {
    return new Exchange.Answered(
        events.length == 0 ? 204 : 200,
        Map.of("stream-next-offset", next, "stream-up-to-date", "true"),
        events.length == 0 ? "" : "[" + String.join(",", events) + "]");
  }

  static String event(String type, String submissionId, String more) {
    return "{\"type\":\"%s\",\"submissionId\":\"%s\"%s}".formatted(type, submissionId, more);
  }

  static String said(String submissionId, String text) {
    return event(
        "message-appended",
        submissionId,
        ",\"message\":{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"text\":\"%s\"}]}"
            .formatted(text));
  }

  static String settled(String submissionId, String more) {
    return event("submission-settled", submissionId, "," + more);
  }
}
