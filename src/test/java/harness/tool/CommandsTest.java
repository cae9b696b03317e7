package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.workspace.Handles;
import harness.workspace.Root;
import harness.workspace.command.Command;
import harness.workspace.command.Order;
import harness.workspace.command.Sandboxes;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The bounds of what a host runs and keeps. */
@Timeout(120)
class CommandsTest {
  private static final int MEGABYTES = 50;

  private final Commands commands =
      Commands.of(Sandboxes.none(Map.of("PATH", System.getenv("PATH"))));
  private Root root;

  @BeforeEach
  void open(@TempDir Path directory) throws Exception {
    String work = Files.createDirectories(directory.toRealPath().resolve("work")).toString();
    root = Root.open(Handles.system(new Random(7)), work, work);
  }

  @AfterEach
  void close() {
    commands.close();
    root.close();
  }

  private static Instance instance(String name) {
    return new Instance("coder", InstanceId.parse("run-1/" + name));
  }

  private static Order order(String line) {
    return new Order(line, true, Optional.empty(), _ -> true, _ -> {});
  }

  private Commands.Kept run(Commands.Visit visit, String name, String line) throws Exception {
    Commands.Kept kept = visit.start(root, name, order(line), false);
    kept.command().await();
    return kept;
  }

  @Test
  void whatIsStartedWhileItsConversationIsReleasedDoesNotRun() {
    try (Commands.Visit visit = commands.enter(instance("a"))) {
      commands.release(instance("a"));
      String mark = "98765432.1";
      assertThrows(
          InterruptedException.class,
          () -> visit.start(root, "c-1-0", order("exec sleep " + mark), true));
      assertEquals(List.of(), Processes.running("sleep", mark));
    }
    try (Commands.Visit next = commands.enter(instance("a"))) {
      assertEquals("c-2-0", run(next, "c-2-0", "true").name(), "a later call is none of it");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aHostRunsOnlySoManyAtOnce() throws Exception {
    List<Commands.Visit> visits = new ArrayList<>();
    for (int i = 0; i < Commands.MAX_RUNNING; i++) {
      Commands.Visit visit = commands.enter(instance("of-" + i));
      visits.add(visit);
      visit.start(root, "c-1-0", order("exec sleep 1000"), true);
    }
    try (Commands.Visit one = commands.enter(instance("one-more"))) {
      String refusal =
          String.valueOf(
              assertThrows(
                      ToolException.class, () -> one.start(root, "c-1-0", order("true"), false))
                  .getMessage());
      assertTrue(refusal.startsWith(Commands.MAX_RUNNING + " commands run in this tool host"));
      commands.release(instance("of-0"));
      assertEquals("c-2-0", run(one, "c-2-0", "true").name());
    }
    visits.forEach(Commands.Visit::close);
  }

  @Test
  void theOldestOutputGoesWhereThereAreManyOrWhereTheyAreLarge() throws Exception {
    for (int i = 0; i <= Commands.MAX_KEPT; i++) {
      run("c-" + i, "echo " + i);
    }
    assertForgotten("c-0");
    assertKept("c-1");
    long bytes = 0;
    for (int i = 0; bytes <= Commands.MAX_KEPT_BYTES; i++) {
      bytes += run("d-" + i, "yes | head -c " + MEGABYTES + "M");
    }
    assertForgotten("d-0");
    assertKept("d-1");
  }

  /** Runs one in a call of its own; how much it wrote. */
  private long run(String name, String line) throws Exception {
    try (Commands.Visit visit = commands.enter(instance("a"))) {
      return run(visit, name, line).command().outputBytes();
    }
  }

  private void assertForgotten(String name) {
    try (Commands.Visit visit = commands.enter(instance("a"))) {
      assertThrows(ToolException.class, () -> visit.find(name));
    }
  }

  private void assertKept(String name) throws Exception {
    try (Commands.Visit visit = commands.enter(instance("a"))) {
      assertEquals(name, visit.find(name).name());
    }
  }

  @Test
  void anOutputStaysOpenForTheCallThatReadsItHoweverManyOthersCome() throws Exception {
    Commands.Visit reader = commands.enter(instance("a"));
    Commands.Kept read = run(reader, "c-read", "echo text");
    for (int i = 0; i <= Commands.MAX_KEPT; i++) {
      run("c-" + i, "echo " + i);
    }
    ByteBuffer text = ByteBuffer.allocate(16);
    assertEquals(5, read.command().output().read(text, 0));
    reader.close();
    run("c-last", "true");
    assertForgotten("c-read");
  }

  @Test
  void aCommandWhoseThreadMeetsAnErrorIsEndedAndSaysSo() throws Exception {
    String mark = "9" + ProcessHandle.current().pid() + ".02";
    Order order =
        new Order(
            "echo text; exec sleep " + mark,
            true,
            Optional.empty(),
            _ -> true,
            _ -> {
              throw new OutOfMemoryError("of the test");
            });
    try (Commands.Visit visit = commands.enter(instance("a"))) {
      Command command = visit.start(root, "c-1-0", order, false).command();
      command.awaitEnd(Duration.ofSeconds(20));
      assertEquals(
          Optional.of(
              new Command.End.Failed(
                  "it was ended because the tool host met a fault: java.lang.OutOfMemoryError: of"
                      + " the test")),
          command.end());
      assertEquals(List.of(), command.survivors());
    }
    assertEquals(List.of(), Processes.running("sleep", mark));
  }

  @Test
  void anOutputIsOfItsConversationAlone() throws Exception {
    try (Commands.Visit a = commands.enter(instance("a"));
        Commands.Visit b = commands.enter(instance("b"))) {
      run(a, "c-1-0", "echo secret");
      String refusal =
          String.valueOf(assertThrows(ToolException.class, () -> b.output("c-1-0")).getMessage());
      assertTrue(refusal.contains("none is kept of it"), refusal);
      a.output("c-1-0").close();
      assertEquals(7, a.output("c-1-0").status().size(), "closing it leaves it to others");
    }
  }
}
