package harness.model.http;

import harness.model.Request;
import harness.model.Sink;
import java.util.Map;
import java.util.Optional;

/** How one API is spoken over HTTP with server-sent events; without state. */
interface Dialect {
  /**
   * What is asked.
   *
   * @param label the model as callers name it: what marks the thinking that it signed
   * @param model the server's own name of it
   * @param traits what is known of the model
   */
  record Question(String label, String model, Traits traits, Request request) {}

  /** What stands behind the base URL. */
  String path();

  /** The headers that carry the key, and what else the API asks for. */
  Map<String, String> headers(Optional<String> key);

  /**
   * The body. The same question gives the same bytes, and a conversation that grew gives bytes that
   * begin with those of before: settings, then tools, then the system text, then the messages.
   */
  byte[] encode(Question question);

  /** A reply that is yet to grow. */
  GrowingReply reply(Question question, Sink sink);
}
