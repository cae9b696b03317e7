package harness.turn;

import harness.model.Message;
import harness.model.Part;
import harness.model.Request;
import harness.model.ToolOffer;
import java.util.List;

/**
 * How many tokens a model reads, by an estimate: a token for each four bytes of UTF-8, which is
 * four letters of English and less than two of most other scripts, and a few for what is around
 * each piece. It is off by a third for some texts; what a provider counted is taken where it is
 * there.
 *
 * @param images whether the model looks at pictures
 */
record Tokens(boolean images) {
  private static final int BYTES = 4;
  private static final int AROUND = 4;

  /** What the largest picture costs that providers do not make smaller. */
  private static final int IMAGE = 1_600;

  /** System text and tools: what each request of a Turn begins with. */
  long ofHead(Request request) {
    long tokens = of(request.system());
    for (ToolOffer tool : request.tools()) {
      tokens += of(tool.name()) + of(tool.description()) + of(tool.inputSchema());
    }
    return tokens;
  }

  long of(List<Message> messages) {
    return messages.stream().mapToLong(this::of).sum();
  }

  long of(Message message) {
    return switch (message) {
      case Message.User user -> user.blocks().stream().mapToLong(Tokens::of).sum();
      case Message.Assistant said -> said.parts().stream().mapToLong(Tokens::of).sum();
      case Message.Results results -> results.results().stream().mapToLong(this::of).sum();
    };
  }

  private long of(Message.Result result) {
    return of(result.text()) + (images ? (long) IMAGE * result.images().size() : 0);
  }

  private static long of(Part part) {
    return switch (part) {
      case Part.Text said -> of(said.text());
      case Part.Thinking thought -> of(thought.text()) + of(thought.signature());
      case Part.Redacted hidden -> of(hidden.data());
      case Part.Call call -> of(call.name()) + of(call.input().toString());
    };
  }

  private static long of(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      // A surrogate is half of four bytes.
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return AROUND + (bytes + BYTES - 1) / BYTES;
  }
}
