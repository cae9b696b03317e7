package harness.turn;

import harness.conversation.Context;
import harness.model.Message;
import java.util.List;

/**
 * Where the older messages end that a summary takes the place of. It stands before a reply or a
 * message of a user, never before results, so that calls and results stay together.
 */
final class Boundary {
  private final Context context;
  private final Tokens tokens;

  Boundary(Context context, Tokens tokens) {
    this.context = context;
    this.tokens = tokens;
  }

  /**
   * How many messages are older; 0 where a summary would take the place of nothing that was said.
   *
   * @param recent how many tokens of the newest messages stay; the very newest stays in any case
   * @param readable how many tokens of the older ones the model can read at once
   */
  int older(long recent, long readable) {
    int boundary = start(context.messages().size() - 1);
    long kept = length(boundary, context.messages().size());
    while (boundary > 0) {
      int earlier = start(boundary - 1);
      kept += length(earlier, boundary);
      if (kept > recent) {
        break;
      }
      boundary = earlier;
    }
    while (boundary > 0 && tokens.of(context.messages().subList(0, boundary)) > readable) {
      boundary = start(boundary - 1);
    }
    return boundary > staying(boundary) ? boundary : 0;
  }

  /** Of the older ones, the summary and the prompt, which say nothing that can be left out. */
  private int staying(int boundary) {
    return (context.summarised() ? 1 : 0) + (context.opening() < boundary ? 1 : 0);
  }

  /** The first message of the exchange that one is of. */
  private int start(int message) {
    return context.messages().get(message) instanceof Message.Results ? message - 1 : message;
  }

  /** The prompt does not count: it stays wherever the boundary is. */
  private long length(int from, int to) {
    List<Message> messages = context.messages();
    long length = tokens.of(messages.subList(from, to));
    boolean prompt = from <= context.opening() && context.opening() < to;
    return prompt ? length - tokens.of(messages.get(context.opening())) : length;
  }
}
