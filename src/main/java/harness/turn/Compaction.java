package harness.turn;

import harness.briefing.Briefing;
import harness.conversation.Attempt;
import harness.conversation.Context;
import harness.conversation.Context.Measured;
import harness.conversation.EndedException;
import harness.conversation.Event;
import harness.model.Message;
import harness.model.Model;
import harness.model.ModelException;
import harness.model.ModelException.Kind;
import harness.model.Reply;
import harness.model.Request;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Keeps what a model is asked within its window: a summary takes the place of the older messages
 * where they are too long. One for each try at a Turn.
 */
final class Compaction {
  private final Attempt attempt;
  private final Briefing briefing;
  private final Asking asking;
  private final Optional<Window> window;
  private final Tokens tokens;
  private Optional<Measured> last = Optional.empty();

  Compaction(Model model, Attempt attempt, Briefing briefing, Asking asking) {
    this.attempt = attempt;
    this.briefing = briefing;
    this.asking = asking;
    this.window = Window.of(model.limits());
    this.tokens = new Tokens(model.takesImages());
  }

  /**
   * The model's next reply. A provider that finds the context too long all the same, before it said
   * anything, is asked once more with less of it.
   *
   * @param request what the model is asked, as the conversation is when it is taken
   * @throws ModelException where the model failed, or nothing of the context can be left out
   */
  Reply reply(Supplier<Request> request)
      throws ModelException, EndedException, InterruptedException {
    if (window.isEmpty()) {
      return asking.ask(request.get(), attempt.sink());
    }
    while (length(request.get()) > window.get().limit()) {
      if (!compact(request.get(), window.get())) {
        throw failed("nothing older than its newest messages is left to summarise", request.get());
      }
    }
    try {
      return ask(request.get());
    } catch (ModelException e) {
      if (e.kind() != Kind.CONTEXT_LENGTH
          || attempt.told()
          || !compact(request.get(), window.get())) {
        throw e;
      }
      return ask(request.get());
    }
  }

  private Reply ask(Request request) throws ModelException, EndedException, InterruptedException {
    Reply reply = asking.ask(request, attempt.sink());
    last = Measured.of(reply.usage(), request.messages().size() + 1);
    return reply;
  }

  /** What was counted last, and an estimate of what came since. */
  private long length(Request request) {
    List<Message> messages = request.messages();
    Optional<Measured> known = last.or(() -> attempt.context().measured());
    if (known.isEmpty()) {
      return tokens.ofHead(request) + tokens.of(messages);
    }
    int since = Math.min(known.get().messages(), messages.size());
    return known.get().tokens() + tokens.of(messages.subList(since, messages.size()));
  }

  /** Whether there was anything that a summary could take the place of. */
  private boolean compact(Request request, Window window)
      throws ModelException, EndedException, InterruptedException {
    Context context = attempt.context();
    List<Message> messages = context.messages();
    long head = tokens.ofHead(request);
    long before = length(request);
    long prompt = tokens.of(messages.get(context.opening()));
    // Of the estimate of messages, so that a provider that counts otherwise keeps as much.
    double counted = Math.max(0.5, (double) (before - head) / tokens.of(messages));
    long recent = (long) (window.recent(head + (long) (prompt * counted)) / counted);
    int boundary = new Boundary(context, tokens).older(recent, window.limit() - head);
    if (boundary == 0) {
      return false;
    }
    List<Message> older = messages.subList(0, boundary);
    String summary = briefing.summary(summary(request, older));
    long freed = tokens.of(older) - tokens.of(new Message.User(List.of(summary)));
    freed -= context.opening() < boundary ? prompt : 0;
    if (freed <= 0) {
      throw failed("the summary of its older messages is no shorter than they are", request);
    }
    long after = head + tokens.of(messages) - freed;
    String id = attempt.submission().submissionId();
    int kept = messages.size() - boundary;
    attempt.append(List.of(new Event.Compacted(id, summary, kept, before, after)));
    last = Optional.empty();
    return true;
  }

  private String summary(Request request, List<Message> older)
      throws ModelException, EndedException, InterruptedException {
    try {
      return new Summary(asking)
          .of(new Request(request.system(), request.tools(), older, request.thinkingLevel()));
    } catch (ModelException e) {
      throw new ModelException(
          e.kind(), "the older messages could not be summarised: " + e.getMessage(), e);
    }
  }

  private ModelException failed(String why, Request request) {
    return new ModelException(
        Kind.CONTEXT_LENGTH,
        "the conversation of about "
            + length(request)
            + " tokens is too long for "
            + attempt.submission().dials().model()
            + window.map(one -> " and its window of " + one.size()).orElse("")
            + ", and "
            + why
            + "; ask for less at once, or take a model with a larger window");
  }
}
