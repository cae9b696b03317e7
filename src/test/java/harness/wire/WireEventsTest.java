package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.author.Actor;
import harness.author.Authority;
import harness.author.Provenance;
import harness.briefing.Briefing;
import harness.conversation.Conversations;
import harness.conversation.Event;
import harness.conversation.Limits;
import harness.conversation.Recorded;
import harness.conversation.Tasks;
import harness.model.Image;
import harness.store.InMemoryEventStore;
import harness.tool.FakeToolHost;
import harness.tool.ToolBox;
import harness.tool.WorkingTools;
import harness.turn.Budget;
import harness.turn.TurnLoop;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WireEventsTest {
  private static String shown(Event event) {
    Instance coder = new Instance("coder", InstanceId.parse("run-1/task/coder"));
    InstantSource clock = InstantSource.fixed(Instant.EPOCH);
    ToolBox tools =
        new ToolBox(new FakeToolHost((_, _) -> FakeToolHost.text("unused")), WorkingTools.specs());
    Conversations conversations =
        new Conversations(
            new InMemoryEventStore(),
            clock,
            new Random(1),
            Tasks.virtual(),
            new Limits(1, 1, 1),
            new TurnLoop(
                _ -> {
                  throw new IllegalStateException("no model is asked");
                },
                tools,
                new Briefing(Optional.empty()),
                new Budget(1, 1, 0, 0),
                Authority.all(),
                clock));
    return new WireEvents(coder, conversations)
        .show(new Recorded(3, 0, Instant.EPOCH, event))
        .orElseThrow()
        .toString();
  }

  @Test
  void aCompactionIsShownByItsTokensAndNotByItsSummary() {
    assertEquals(
        "{\"type\":\"compacted\",\"conversationId\":\"run-1/task/coder\","
            + "\"position\":{\"batch\":3,\"index\":0},\"at\":\"1970-01-01T00:00:00Z\","
            + "\"submissionId\":\"s1\",\"tokensBefore\":50000,\"tokensAfter\":20000}",
        shown(new Event.Compacted("s1", "In short.", 3, 50_000, 20_000)));
  }

  @Test
  void whatACallReturnedIsShownWithoutItsTextPicturesAndVersions() {
    Event.ToolReturned returned =
        new Event.ToolReturned(
            "s1",
            "c-1-0",
            Event.Outcome.OK,
            "[a.png is a PNG image]",
            7,
            22,
            false,
            new Actor.Agent("coder", Optional.empty()),
            Provenance.OWNER,
            List.of(new Image("image/png", "iVBO")),
            Map.of("/work/a.png", "v1"));
    assertEquals(
        "{\"type\":\"tool-returned\",\"conversationId\":\"run-1/task/coder\","
            + "\"position\":{\"batch\":3,\"index\":0},\"at\":\"1970-01-01T00:00:00Z\","
            + "\"submissionId\":\"s1\",\"callId\":\"c-1-0\",\"outcome\":\"ok\",\"ms\":7,"
            + "\"bytes\":22,\"truncated\":false,"
            + "\"actor\":{\"kind\":\"agent\",\"id\":\"coder\",\"onBehalfOf\":null},"
            + "\"provenance\":\"owner\"}",
        shown(returned));
  }
}
