package harness.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.agent.Dials;
import harness.fault.RefusedException;
import harness.model.Model;
import harness.model.ModelException;
import harness.model.Models;
import harness.model.Part;
import harness.model.Reply;
import harness.model.Request;
import harness.model.Sink;
import harness.model.ToolOffer;
import harness.model.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A model that says, calls, waits, fails and is deaf as the seed wants it. */
final class LabModel implements Models, Model {
  static final String PLANNED = "planned by the seed";

  private final Scheduler scheduler;
  private final Chance chance;
  private final Seats seats;
  private boolean calm;

  LabModel(Scheduler scheduler, Chance chance, Seats seats) {
    this.scheduler = scheduler;
    this.chance = chance;
    this.seats = seats;
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
    Fate fate = seats.asked(request);
    try {
      scheduler.step();
      return reply(request, fate, sink);
    } finally {
      seats.leave(fate);
    }
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
    Usage usage = new Usage(10, 1, 5);
    switch (calm ? 0 : chance.below(24)) {
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
