package harness.model.http;

import com.fasterxml.jackson.databind.JsonNode;
import harness.model.Reply;

/** A reply that grows event by event until it is whole. */
interface GrowingReply {
  /**
   * Takes one event.
   *
   * @throws AttemptException where the event says that the call failed
   */
  void add(JsonNode event, Failures failures) throws AttemptException;

  /** Whether a first token came. */
  boolean begun();

  /** Whether the sink heard something. */
  boolean shown();

  /** Whether its end came, after which only the count of its tokens may. */
  boolean finished();

  /** Whether nothing follows. */
  boolean complete();

  /**
   * The whole reply. Arguments of a call that are no JSON are handed on as a JSON text, which no
   * tool takes: its error then tells the model. Where the length limit cut the reply, a last call
   * that is no whole JSON object is left out.
   *
   * @throws AttemptException where the reply ended early, was refused or given up
   */
  Reply end(Failures failures) throws AttemptException;
}
