package harness.turn;

import harness.conversation.EndedException;
import harness.model.ModelException;
import harness.model.Reply;
import harness.model.Request;
import harness.model.Sink;

/** Makes a request of the Turn's model. */
@FunctionalInterface
interface Asking {
  Reply ask(Request request, Sink sink) throws ModelException, EndedException, InterruptedException;
}
