package harness.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import harness.agent.Access;
import harness.agent.Definition;
import harness.agent.Dials;
import harness.agent.Frame;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.agent.ModelName;
import harness.author.Actor;
import harness.author.Provenance;
import harness.conversation.Delivery;
import harness.conversation.Event;
import harness.conversation.Settlement;
import harness.conversation.Submission;
import harness.model.Part;
import harness.model.Usage;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ConversationLogTest {
  private static final Instance CODER =
      new Instance("coder", InstanceId.parse("run-42/task/coder"));
  private static final Actor.Agent ACTOR = new Actor.Agent("run-42/task/coder", Optional.empty());
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z"));

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private List<String> lines(LogFormat format, Event... events) {
    PrintStream out = new PrintStream(printed, false, StandardCharsets.UTF_8);
    try (ConversationLog log = ConversationLog.to(out, format, CLOCK)) {
      log.stored(CODER, List.of(events));
    }
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static Event prompt(Actor author, String prompt) {
    return new Event.SubmissionAdmitted(
        new Submission(
            "s-1",
            author,
            new Definition(
                ModelName.parse("lab/coder"),
                "Be brief.",
                Access.WRITE,
                Optional.empty(),
                Definition.Writes.DIRECT,
                List.of()),
            new Frame(prompt, Optional.of("/work")),
            new Dials(ModelName.parse("lab/coder"), Optional.empty()),
            List.of(),
            Optional.empty(),
            Delivery.QUEUE,
            true));
  }

  private static Event said(Part... parts) {
    return new Event.ReplyAppended(
        "s-1", "m-1", List.of(parts), false, Usage.NONE, ACTOR, Provenance.OWNER);
  }

  private static JsonNode json(String text) {
    try {
      return new JsonMapper().readTree(text.replace('\'', '"'));
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void eachThingThatHappensIsOneLineWithItsConversation() {
    assertEquals(
        List.of(
            "[coder] [run-42/task/coder] [prompt] user:alice: Look,\\nthen write.",
            "[coder] [run-42/task/coder] [turn] s-1 begins",
            "[coder] [run-42/task/coder] [thinking] Hm.",
            "[coder] [run-42/task/coder] [text] I look.",
            "[coder] [run-42/task/coder] [call] read {\"path\":\"a.txt\"}",
            "[coder] [run-42/task/coder] [settled] s-1 completed"),
        lines(
            LogFormat.TEXT,
            prompt(new Actor.User("alice"), "Look,\nthen write."),
            new Event.TurnStarted("s-1", 0, 1, ACTOR),
            said(new Part.Thinking("Hm."), new Part.Text("I look.")),
            new Event.ToolCalled("s-1", "c-1", "read", json("{'path':'a.txt'}"), ACTOR),
            new Event.SubmissionSettled("s-1", new Settlement.Completed(), Usage.NONE)));
  }

  @Test
  void whatAToolAnsweredIsNeverPrinted() {
    List<String> lines =
        lines(
            LogFormat.TEXT,
            new Event.ToolReturned(
                "s-1",
                "c-1",
                Event.Outcome.OK,
                "PASSWORD=hunter2",
                31,
                16,
                false,
                ACTOR,
                Provenance.OWNER));

    assertEquals(List.of("[coder] [run-42/task/coder] [result] c-1 ok, 16 bytes in 31 ms"), lines);
  }

  @Test
  void ofACompactionItsLengthsArePrintedAndNotItsSummary() {
    assertEquals(
        List.of("[coder] [run-42/task/coder] [compaction] 50000 tokens became 20000"),
        lines(LogFormat.TEXT, new Event.Compacted("s-1", "The key is sesame.", 3, 50_000, 20_000)));
  }

  @Test
  void theTextsOfACallAreShortenedEachByItself() {
    String content = "x".repeat(200);
    List<String> lines =
        lines(
            LogFormat.TEXT,
            new Event.ToolCalled(
                "s-1",
                "c-1",
                "write",
                json("{'content':'" + content + "','path':'a.txt'}"),
                ACTOR));

    assertTrue(lines.getFirst().contains("x".repeat(80) + "... 120 more"), lines.getFirst());
    assertTrue(lines.getFirst().contains("\"path\":\"a.txt\""), lines.getFirst());
    assertFalse(lines.getFirst().contains("x".repeat(81)), lines.getFirst());
  }

  @Test
  void nothingThatIsSaidMovesATerminal() {
    String line = lines(LogFormat.TEXT, said(new Part.Text("a\u001b[2Jb\u202ec\r"))).getFirst();

    assertTrue(line.endsWith("a\\u001b[2Jb\\u202ec\\u000d"), line);
  }

  @Test
  void shippersGetAnObjectALine() {
    JsonNode line = json(lines(LogFormat.JSON, said(new Part.Text("I\nlook."))).getFirst());

    assertEquals("2026-01-02T03:04:05Z", line.path("at").textValue());
    assertEquals("coder", line.path("agent").textValue());
    assertEquals("run-42/task/coder", line.path("instance").textValue());
    assertEquals("text", line.path("kind").textValue());
    assertEquals("I\nlook.", line.path("text").textValue());
  }

  @Test
  @Timeout(120)
  void aReaderThatStandsStillHoldsUpNoTurn() throws Exception {
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    OutputStream stuck =
        new OutputStream() {
          @Override
          public void write(int b) {
            blocked.countDown();
            boolean waiting = true;
            while (waiting) {
              try {
                goOn.await();
                waiting = false;
              } catch (InterruptedException _) {
                // A pipe whose reader stands still hears no interrupt either.
              }
            }
          }
        };
    Event event = said(new Part.Text("I look."));
    try (ConversationLog log = ConversationLog.to(new PrintStream(stuck), LogFormat.TEXT, CLOCK)) {
      log.stored(CODER, List.of(event));
      assertTrue(blocked.await(60, TimeUnit.SECONDS));
      log.stored(CODER, Collections.nCopies(2 * ConversationLog.MAX_WAITING_LINES, event));
      goOn.countDown();
    }
  }

  @Test
  void nothingIsPrintedWhereTheLogIsOff() {
    assertEquals(List.of(), lines(LogFormat.OFF, said(new Part.Text("I look."))));
  }
}
