package harness.turn;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import harness.agent.Access;
import harness.agent.Definition;
import harness.agent.Dials;
import harness.agent.Frame;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.agent.ModelName;
import harness.author.Actor;
import harness.author.Authority;
import harness.author.Decision;
import harness.briefing.Briefing;
import harness.briefing.Notice;
import harness.conversation.Admitted;
import harness.conversation.Conversations;
import harness.conversation.Delivery;
import harness.conversation.Event;
import harness.conversation.Limits;
import harness.conversation.Recorded;
import harness.conversation.Settlement;
import harness.conversation.Submission;
import harness.conversation.Subscription;
import harness.conversation.Tasks;
import harness.menu.Menu;
import harness.model.Model;
import harness.model.ModelException;
import harness.model.Part;
import harness.model.Reply;
import harness.model.Request;
import harness.model.Sink;
import harness.model.TokenLimits;
import harness.model.Usage;
import harness.store.InMemoryEventStore;
import harness.tool.FakeToolHost;
import harness.tool.Progress;
import harness.tool.ToolBox;
import harness.tool.ToolCall;
import harness.tool.ToolResult;
import harness.tool.WorkingTools;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/** Turns of one Agent over a model that says what a test tells it. */
abstract class TurnLoopFixture {
  static final Instance CODER = new Instance("coder", InstanceId.parse("run-1/task/coder"));
  static final Duration DEADLINE = Duration.ofSeconds(20);
  static final Actor ALICE = new Actor.User("alice");

  /** How long the result of a {@code big} call is. */
  static final int BIG_TOKENS = 6_000;

  final SayingModel model = new SayingModel();

  /** Answers each call with a text of its own. */
  final FakeToolHost host = new FakeToolHost(this::answer);

  final Conversations conversations = conversations(new Budget(8, 3, 2, 1));
  private int submissions;

  /** Tools whose calls wait until they are answered, with that. */
  List<String> approve = List.of();

  Decision decision = Decision.ACCEPT;
  Definition.Writes writes = Definition.Writes.DIRECT;

  private Conversations conversations(Budget budget) {
    InstantSource clock = InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));
    return new Conversations(
        new InMemoryEventStore(),
        clock,
        new Random(42),
        Tasks.virtual(),
        new Limits(16, 64, 4096),
        new TurnLoop(
            _ -> model,
            new ToolBox(host, WorkingTools.specs()),
            new Briefing(Optional.empty()),
            budget,
            Authority.all(),
            clock));
  }

  private ToolResult answer(ToolCall call, Progress progress) {
    String path = call.input().get("path").textValue();
    String text = "result of " + path + (path.equals("growing") ? host.calls().size() : "");
    if (path.startsWith("big")) {
      return FakeToolHost.text(text + " word".repeat(BIG_TOKENS * 4 / 5));
    }
    return switch (path) {
      case "broken" -> FakeToolHost.error(text);
      case "seen" -> FakeToolHost.seeing(text, "/work/target/seen", "v1");
      case "picture" -> FakeToolHost.picture(text, "iVBO");
      case "poster" -> FakeToolHost.picture(text, "iVBO".repeat(1 << 20));
      case "loud" -> {
        progress.output("half of it");
        yield FakeToolHost.text(text);
      }
      default -> FakeToolHost.text(text);
    };
  }

  final Settlement turn(Access access, String prompt, Notice... notices) throws Exception {
    return turn(CODER, access, Menu.NONE, true, prompt, notices);
  }

  final Settlement turn(
      Instance instance, Access access, Menu menu, boolean minted, String prompt, Notice... notices)
      throws Exception {
    String id = "s" + submissions++;
    ModelName name = ModelName.parse("lab/one");
    Submission submission =
        new Submission(
            id,
            ALICE,
            new Definition(name, "You code.", access, Optional.empty(), writes, approve),
            new Frame(
                prompt, access == Access.NONE ? Optional.empty() : Optional.of("/work/target")),
            new Dials(name, Optional.empty()),
            List.of(notices),
            Optional.of(menu).filter(Menu::hasTools),
            Delivery.QUEUE,
            minted);
    while (conversations.open(instance).admit(_ -> submission, _ -> List.of(), Optional.empty())
        instanceof Admitted.Asleep) {
      Thread.onSpinWait();
    }
    try (Subscription ear = conversations.subscribe(instance, false)) {
      while (true) {
        for (Event event : events(instance)) {
          if (event instanceof Event.SubmissionSettled e && e.submissionId().equals(id)) {
            return e.settlement();
          }
          if (event instanceof Event.AwaitingAnswer e) {
            conversations.answer(instance, e.callId(), decision, Optional.empty(), ALICE);
          }
        }
        assertTrue(!(ear.await(DEADLINE) instanceof Subscription.Signal.Quiet), "no end in time");
      }
    }
  }

  final List<Event> events() {
    return events(CODER);
  }

  final List<Event> events(Instance instance) {
    List<Event> all = new ArrayList<>();
    List<Recorded> page = conversations.read(instance, 0, 10_000);
    while (!page.isEmpty()) {
      page.forEach(recorded -> all.add(recorded.event()));
      page = conversations.read(instance, all.size(), 10_000);
    }
    return all;
  }

  final <E extends Event> List<E> events(Class<E> type) {
    return events().stream().filter(type::isInstance).map(type::cast).toList();
  }

  static Reply says(String text) {
    return new Reply.Text(List.of(new Part.Text(text)), new Usage(10, 1, 2));
  }

  static Part.Call call(String id, String path) {
    return new Part.Call(id, "read", JsonNodeFactory.instance.objectNode().put("path", path));
  }

  static Reply calls(Part.Call... calls) {
    return new Reply.Calls(
        Stream.<Part>concat(Stream.of(new Part.Text("I look.")), Stream.of(calls)).toList(),
        new Usage(100, 10, 20));
  }

  /** Says what it is told, and remembers what it was asked. */
  static final class SayingModel implements Model {
    /** What it does when it is asked. */
    private interface Answer {
      Reply give(Sink sink) throws ModelException;
    }

    final List<Request> requests = new ArrayList<>();
    private final Deque<Answer> answers = new ArrayDeque<>();
    TokenLimits limits = TokenLimits.UNKNOWN;
    private Optional<ModelException> failure = Optional.empty();
    boolean takesImages = true;

    @Override
    public boolean takesImages() {
      return takesImages;
    }

    @Override
    public TokenLimits limits() {
      return limits;
    }

    void next(Reply... more) {
      for (Reply reply : more) {
        answers.add(_ -> reply);
      }
    }

    /** Next it fails once, in the middle of its reply. */
    void speaksThenFails(String words, ModelException.Kind with) {
      answers.add(
          sink -> {
            sink.text(words);
            throw new ModelException(with, "lab is unwell: " + with);
          });
    }

    /** Next it fails once. */
    void nextFails(ModelException.Kind with) {
      answers.add(
          _ -> {
            throw new ModelException(with, "lab is unwell: " + with);
          });
    }

    void fail(ModelException with) {
      failure = Optional.of(with);
    }

    @Override
    public Reply respond(Request request, Sink sink) throws ModelException {
      requests.add(request);
      if (failure.isPresent()) {
        throw failure.get();
      }
      Reply reply = answers.remove().give(sink);
      for (Part part : reply.parts()) {
        if (part instanceof Part.Text text) {
          sink.text(text.text());
        }
      }
      return reply;
    }
  }
}
