package harness.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.agent.Access;
import harness.agent.Definition;
import harness.agent.Dials;
import harness.briefing.Briefing;
import harness.fault.RefusedException;
import harness.model.Message;
import harness.model.Model;
import harness.model.ModelException;
import harness.model.Models;
import harness.model.Part;
import harness.model.Reply;
import harness.model.Request;
import harness.model.Sink;
import harness.model.TokenLimits;
import harness.model.ToolOffer;
import harness.model.Usage;
import harness.tool.FakeToolHost;
import harness.tool.ToolBox;
import harness.tool.WorkingTools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** A model that says, calls, waits, fails and is deaf as the seed wants it. */
final class LabModel implements Models, Model {
  static final String PLANNED = "planned by the seed";

  /** What each summary begins with; the prompt of its Turn follows. */
  static final String SUMMARY = "in short: ";

  static final Message ASK = new Message.User(List.of(Briefing.ASK_FOR_SUMMARY));

  /** System text and tools, in bytes; a window has to hold them before anything is said. */
  private static final int HEAD_BYTES =
      new ToolBox(new FakeToolHost((_, _) -> FakeToolHost.text("")), WorkingTools.specs())
          .offers(Access.WRITE, Definition.Writes.DIRECT)
          .toString()
          .length();

  private final Scheduler scheduler;
  private final Chance chance;
  private final Seats seats;
  private final TokenLimits limits;
  private boolean calm;

  LabModel(Scheduler scheduler, Chance chance, Seats seats) {
    this.scheduler = scheduler;
    this.chance = chance;
    this.seats = seats;
    this.limits =
        chance.oneIn(2)
            ? new TokenLimits(
                OptionalInt.of(3 * (HEAD_BYTES / 4 + 60 + chance.below(240)) / 2),
                OptionalInt.empty())
            : TokenLimits.UNKNOWN;
  }

  @Override
  public TokenLimits limits() {
    return limits;
  }

  /** From now on it answers soon and without a call. */
  void calm() {
    calm = true;
  }

  @Override
  public Model find(Dials dials) {
    if (dials.model().model().equals("unknown")) {
      throw RefusedException.invalid("there is no such model", "model");
    }
    return this;
  }

  @Override
  public Reply respond(Request request, Sink sink) throws ModelException, InterruptedException {
    boolean summary = request.messages().contains(ASK);
    Fate fate = summary ? seats.askedForSummary(request) : seats.asked(request);
    try {
      scheduler.step();
      return summary ? summary(request, fate) : reply(request, fate, sink);
    } finally {
      seats.leave(fate);
    }
  }

  private Reply summary(Request request, Fate fate) throws ModelException, InterruptedException {
    seats.wait(
        "for a summary", calm ? Duration.ofMillis(1) : Duration.ofSeconds(30), chance.oneIn(3));
    fate.summary = SUMMARY + fate.prompt();
    List<Part> said = List.of(new Part.Text(fate.summary));
    return switch (calm ? 0 : chance.below(16)) {
      case 1 -> throw new ModelException(ModelException.Kind.SERVER, PLANNED);
      case 2 -> new Reply.Cut(said, Usage.NONE);
      case 3 -> new Reply.Text(List.of(), Usage.NONE);
      case 4, 5, 6 ->
          new Reply.Calls(List.of(new Part.Call("call", tool(request), input(false))), Usage.NONE);
      default -> new Reply.Text(said, new Usage(10, 1, 5));
    };
  }

  private Reply reply(Request request, Fate fate, Sink sink)
      throws ModelException, InterruptedException {
    boolean deaf = chance.oneIn(3);
    List<Part> parts = new ArrayList<>();
    for (int pieces = chance.below(chance.oneIn(4) ? 12 : 4); pieces > 0; pieces--) {
      String piece = "word" + chance.below(1000) + " ";
      fate.streamed.append(piece);
      sink.text(piece);
      seats.wait("for its model", calm ? Duration.ofMillis(1) : Duration.ofSeconds(30), deaf);
    }
    if (!fate.streamed.isEmpty()) {
      parts.add(new Part.Text(fate.streamed.toString()));
    }
    Usage usage = usage(request);
    switch (calm ? 0 : chance.below(24)) {
      case 16 -> throw new ModelException(ModelException.Kind.CONTEXT_LENGTH, PLANNED);
      case 1 -> throw new ModelException(ModelException.Kind.SERVER, PLANNED);
      case 2 -> throw new IllegalStateException(PLANNED);
      case 3 -> throw new StackOverflowError(PLANNED);
      case 4 -> {
        return new Reply.Cut(parts, usage);
      }
      case 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 -> {
        boolean obsessed = chance.oneIn(4);
        for (int calls = 1 + chance.below(3); calls > 0; calls--) {
          parts.add(new Part.Call("call", obsessed ? "read" : tool(request), input(obsessed)));
        }
        return new Reply.Calls(parts, usage);
      }
      default -> {
        return new Reply.Text(parts, usage);
      }
    }
  }

  /** Of a model with a window it says how long the context is, or nothing. */
  private Usage usage(Request request) {
    if (limits.contextWindow().isEmpty()) {
      return new Usage(10, 1, 5);
    }
    return chance.oneIn(2)
        ? Usage.NONE
        : new Usage((HEAD_BYTES + request.messages().toString().length()) / 4, 1, 5);
  }

  /** One of those that it is offered last, among which are all picks, or one of a few others. */
  private String tool(Request request) {
    List<ToolOffer> offers = request.tools();
    return chance.oneIn(3)
        ? offers.get(offers.size() - 1 - chance.below(2)).name()
        : chance.of(List.of("read", "write", "list", "unknown"));
  }

  private ObjectNode input(boolean obsessed) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("path", obsessed ? LabTools.SAME : "path" + chance.below(5));
  }
}
