package harness.turn;

import harness.briefing.Briefing;
import harness.conversation.EndedException;
import harness.model.Message;
import harness.model.ModelException;
import harness.model.Part;
import harness.model.Reply;
import harness.model.Request;
import harness.model.Sink;
import java.util.ArrayList;
import java.util.List;

/**
 * What a model says of the older messages. It is asked with the same tools, system text and
 * messages as before, so that the provider has them in its cache; only the question is new.
 */
final class Summary {
  private final Asking asking;

  Summary(Asking asking) {
    this.asking = asking;
  }

  /**
   * Asks for it; a model that calls tools instead is asked once more.
   *
   * @param older the request, with the older messages alone
   * @throws ModelException where the model failed or gave none
   */
  String of(Request older) throws ModelException, EndedException, InterruptedException {
    List<Message> messages = new ArrayList<>(older.messages());
    messages.add(new Message.User(List.of(Briefing.ASK_FOR_SUMMARY)));
    Reply reply = ask(older, messages);
    if (reply instanceof Reply.Calls calls) {
      refuse(calls, messages);
      reply = ask(older, messages);
    }
    return switch (reply) {
      case Reply.Text text -> words(text);
      case Reply.Cut _ ->
          throw none("it was cut by its length limit; raise the provider's max-tokens");
      case Reply.Calls _ -> throw none("the model called tools instead, twice");
    };
  }

  private Reply ask(Request older, List<Message> messages)
      throws ModelException, EndedException, InterruptedException {
    return asking.ask(
        new Request(older.system(), older.tools(), messages, older.thinkingLevel()), Sink.SILENT);
  }

  /** None of them is run. */
  private static void refuse(Reply.Calls reply, List<Message> messages) {
    List<Part> said = new ArrayList<>();
    List<Message.Result> results = new ArrayList<>();
    for (Part part : reply.parts()) {
      if (part instanceof Part.Call call) {
        String id = "c-summary-" + results.size();
        said.add(new Part.Call(id, call.name(), call.input()));
        results.add(
            new Message.Result(
                id, call.name(), true, "not run: answer with the summary as text, and no call"));
      } else {
        said.add(part);
      }
    }
    messages.add(new Message.Assistant(said));
    messages.add(new Message.Results(results));
  }

  private static String words(Reply.Text reply) throws ModelException {
    StringBuilder words = new StringBuilder();
    for (Part part : reply.parts()) {
      if (part instanceof Part.Text text) {
        words.append(text.text());
      }
    }
    if (words.toString().isBlank()) {
      throw none("it was empty; lower the thinking level, or take another model");
    }
    return words.toString();
  }

  private static ModelException none(String why) {
    return new ModelException(ModelException.Kind.CONTEXT_LENGTH, "there is no summary: " + why);
  }
}
