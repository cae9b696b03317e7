package harness.model.provider;

import harness.model.Image;
import harness.model.Message;
import harness.model.Model;
import harness.model.ModelException;
import harness.model.Reply;
import harness.model.Request;
import harness.model.Sink;
import java.util.List;

/**
 * A model that takes no images: where a result has some, it reads that they are left out. Which
 * model saw them before makes no difference, so that its earlier messages stay the same bytes.
 */
record WithoutImages(Model model) implements Model {
  @Override
  public Reply respond(Request request, Sink sink) throws ModelException, InterruptedException {
    List<Message> messages = request.messages().stream().map(WithoutImages::without).toList();
    return model.respond(
        new Request(request.system(), request.tools(), messages, request.thinkingLevel()), sink);
  }

  @Override
  public boolean ready() {
    return model.ready();
  }

  @Override
  public boolean takesImages() {
    return false;
  }

  private static Message without(Message message) {
    return switch (message) {
      case Message.User user -> user;
      case Message.Assistant assistant -> assistant;
      case Message.Results results ->
          new Message.Results(results.results().stream().map(WithoutImages::without).toList());
    };
  }

  private static Message.Result without(Message.Result result) {
    return result.images().isEmpty()
        ? result
        : new Message.Result(
            result.callId(), result.name(), result.error(), result.text() + "\n" + Image.LEFT_OUT);
  }
}
