package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import harness.agent.Access;
import harness.agent.Definition;
import harness.model.ToolOffer;
import harness.workspace.Handles;
import harness.workspace.PathException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolBoxTest {
  private Workplace place;

  @BeforeEach
  void open(@TempDir Path base) throws IOException {
    place = Workplace.in(base);
  }

  /** A host that answers each call in the same way. */
  private static ToolBox over(Supplier<ToolResult> answer) {
    return new ToolBox(new FakeToolHost((_, _) -> answer.get()), WorkingTools.specs());
  }

  private ToolResult call(ToolBox box, String name) {
    return place.call(call -> box.call(call, Progress.NONE), name, Workplace.json("{}"));
  }

  private static List<String> names(List<ToolOffer> offers) {
    return offers.stream().map(ToolOffer::name).toList();
  }

  @Test
  void theOffersAreTheseBytes() throws IOException {
    ObjectMapper json = new ObjectMapper();
    StringBuilder offers = new StringBuilder();
    for (ToolOffer offer : place.tools.offers(Access.WRITE, Definition.Writes.DIRECT)) {
      ObjectNode node = json.createObjectNode();
      node.put("name", offer.name());
      node.put("description", offer.description());
      node.putRawValue("input", new RawValue(offer.inputSchema()));
      offers.append(json.writeValueAsString(node)).append('\n');
    }
    try (InputStream golden =
        Objects.requireNonNull(ToolBoxTest.class.getResourceAsStream("offers.jsonl"))) {
      assertEquals(
          new String(golden.readAllBytes(), StandardCharsets.UTF_8),
          offers.toString(),
          "a changed offer misses every provider's prefix cache once; if it is meant, put the new"
              + " bytes into offers.jsonl");
    }
  }

  @Test
  void readAccessWithholdsWhatWritesAndNoneWithholdsAll() {
    assertEquals(
        List.of("read", "list", "glob", "grep", "shell", "shell_output", "shell_stop"),
        names(place.tools.offers(Access.READ, Definition.Writes.DIRECT)).stream()
            .filter(n -> !n.startsWith("git_"))
            .toList());
    assertEquals(List.of(), place.tools.offers(Access.NONE, Definition.Writes.DIRECT));
  }

  @Test
  void aWithheldToolIsRefusedAndDoesNothing() {
    assertEquals(
        "write is withheld: this Agent's workspace access is read; it has "
            + String.join(", ", names(place.tools.offers(Access.READ, Definition.Writes.DIRECT))),
        place.with(Access.READ).error("write", "{path:'a.txt', content:'x'}"));
    assertTrue(
        place.with(Access.NONE).error("read", "{path:'a.txt'}").endsWith("none; it has none"));
    assertFalse(Files.exists(place.cwd.resolve("a.txt")));
  }

  @Test
  void aHostRefusesAWithheldToolToo() {
    ToolHost host =
        WorkingTools.inProcess(
            Handles.system(new Random(7)), place.work.toString(), InstantSource.system());
    ToolResult result =
        place
            .with(Access.READ)
            .call(
                call -> host.call(call, Progress.NONE),
                "write",
                Workplace.json("{path:'a', content:''}"));
    assertTrue(result.error());
    assertFalse(Files.exists(place.cwd.resolve("a")));
  }

  @Test
  void anUnknownToolIsToldTheKnownOnes() {
    assertEquals(
        "there is no tool 'bash'; there is "
            + String.join(", ", names(place.tools.offers(Access.WRITE, Definition.Writes.DIRECT))),
        place.error("bash", "{}"));
  }

  @Test
  void namesOfWorkingToolsAreKnownWhetherTheyAreBuiltOrNot() {
    assertTrue(ToolBox.isWorkingTool("read"));
    assertTrue(ToolBox.isWorkingTool("shell"));
    assertFalse(ToolBox.isWorkingTool("finish"));
    ToolSpec twice = WorkingTools.specs().getFirst();
    assertThrows(
        IllegalArgumentException.class,
        () -> new ToolBox(new FakeToolHost((_, _) -> ToolResult.of("")), List.of(twice, twice)));
  }

  @Test
  void aResultIsCappedInBytesAtAWholeCharacterAndSaysSo() {
    for (boolean error : List.of(false, true)) {
      String text = "x" + "\u20AC".repeat(50_000);
      ToolResult result =
          call(over(() -> error ? ToolResult.failure(text) : ToolResult.of(text)), "read");
      assertEquals(error, result.error());
      assertTrue(result.truncated());
      assertEquals(150_001, result.bytes());
      assertTrue(result.text().getBytes(StandardCharsets.UTF_8).length <= ToolBox.MAX_RESULT_BYTES);
      assertFalse(result.text().contains("\uFFFD"));
      assertTrue(
          result.text().contains("\n[cut: 65023 of 150001 bytes and 1 of 1 lines are shown"),
          result.text().substring(20_000));
    }
  }

  @Test
  void aResultIsCappedInLinesAndSaysSo() {
    ToolResult result = call(over(() -> ToolResult.of("x\n".repeat(5_000))), "read");
    assertTrue(result.truncated());
    assertEquals(ToolBox.MAX_RESULT_LINES, result.text().split("\n").length);
    assertTrue(result.text().contains("3999 of 5000 lines"), result.text().substring(7_000));
    assertEquals(
        "x\n".repeat(4_000), call(over(() -> ToolResult.of("x\n".repeat(4_000))), "read").text());
  }

  @Test
  void aBugBecomesAResultThatSaysSoAndIsLogged() {
    Logger logger = Logger.getLogger(ToolBox.class.getName());
    List<LogRecord> logged = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            logged.add(record);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try {
      ToolResult result =
          call(
              over(
                  () -> {
                    throw new IllegalStateException("broken");
                  }),
              "read");
      assertTrue(result.error());
      assertTrue(result.text().startsWith("read failed by a bug of the Harness"), result.text());
    } finally {
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
    }
    assertEquals(1, logged.size());
    assertEquals("broken", Objects.requireNonNull(logged.getFirst().getThrown()).getMessage());
  }

  /** A tool that fails as it is told to. */
  private record Failing(Callable<ToolResult> how) implements WorkingTool {
    @Override
    public ToolSpec spec() {
      return new ToolSpec("read", "", Schema.object().build(), false);
    }

    @Override
    public ToolResult call(JsonNode input, Seat seat)
        throws ToolException, IOException, InterruptedException {
      try {
        return how.call();
      } catch (ToolException | IOException | InterruptedException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  private ToolResult failing(Callable<ToolResult> how) {
    var host =
        new InProcessToolHost(
            Handles.system(new Random(7)),
            place.work.toString(),
            Commands.refused("no"),
            List.of(new Failing(how)),
            new Workers(InstantSource.system()),
            InstantSource.system());
    return place.call(call -> host.call(call, Progress.NONE), "read", Workplace.json("{}"));
  }

  @Test
  void whatAToolFailsWithIsAResultForTheModel() {
    assertEquals(
        ToolResult.failure("no"),
        failing(
            () -> {
              throw new ToolException("no");
            }));
    assertEquals(
        ToolResult.failure("'x' is not there"),
        failing(
            () -> {
              throw new PathException(PathException.Kind.NOT_FOUND, "'x' is not there");
            }));
    assertEquals(
        ToolResult.failure("read failed: no space"),
        failing(
            () -> {
              throw new IOException("no space");
            }));
    assertTrue(
        failing(
                () -> {
                  throw new StackOverflowError("deep");
                })
            .text()
            .contains("by a bug of the Harness"));
  }

  @Test
  void anInterruptOfTheCallerReachesTheToolAndIsKept() {
    Thread caller = Thread.currentThread();
    ToolResult cancelled =
        failing(
            () -> {
              caller.interrupt();
              new java.util.concurrent.CountDownLatch(1).await();
              throw new IllegalStateException("nobody opens the latch");
            });
    assertTrue(Thread.interrupted(), "the interrupt status is kept");
    assertTrue(cancelled.error());
    assertTrue(cancelled.text().startsWith("cancelled"));
  }

  @Test
  void aWorkingDirectoryIsCheckedByTheHost() throws PathException {
    ToolHost host =
        WorkingTools.inProcess(
            Handles.system(new Random(7)), place.work.toString(), InstantSource.system());
    host.checkDirectory(place.cwd.toString());
    assertThrows(PathException.class, () -> host.checkDirectory(place.outside.toString()));
    assertThrows(PathException.class, () -> host.checkDirectory("target/feature-x"));
    assertThrows(PathException.class, () -> host.checkDirectory(place.cwd + "/missing"));
  }
}
