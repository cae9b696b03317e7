package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.agent.Access;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.workspace.Handles;
import harness.workspace.Root;
import harness.workspace.command.Command;
import harness.workspace.command.CommandRunner;
import harness.workspace.command.Order;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What holds for commands with and without a sandbox. */
@Timeout(120)
abstract class ShellContract {
  private static final int ROUNDS = Integer.getInteger("rounds", 50);
  private static final AtomicInteger MARKS = new AtomicInteger();

  /** What the tests' own process is given, as if it were a Harness. */
  static final Map<String, String> ENVIRONMENT =
      Map.of(
          "PATH", System.getenv("PATH"),
          "HOME", System.getProperty("user.home"),
          "LC_ALL", "C.UTF-8",
          "PROVIDER_KEY", "sk-secret",
          "LC_KEY", "sk-secret");

  Path base;
  Workplace place;
  Commands commands;

  /** A duration to sleep for that no other process sleeps for. */
  final String mark = "9" + ProcessHandle.current().pid() + "." + MARKS.incrementAndGet();

  abstract CommandRunner runner() throws Exception;

  @BeforeEach
  void open(@TempDir Path directory) throws Exception {
    base = directory.toRealPath();
    Files.createDirectories(base.resolve("work"));
    commands = Commands.of(runner());
    place =
        Workplace.over(
            base,
            () ->
                WorkingTools.inProcess(
                    Handles.system(new Random(7)),
                    base.resolve("work").toString(),
                    InstantSource.system(),
                    commands));
  }

  @AfterEach
  void close() {
    // A skipped test has none.
    if (commands != null) {
      commands.close();
    }
  }

  String shell(String command) {
    return place.ok("shell", Map.of("command", command));
  }

  String failing(String command) {
    return place.error("shell", Map.of("command", command));
  }

  private String background(String command) {
    String begun = place.ok("shell", Map.of("command", command, "background", true));
    assertTrue(begun.contains("is its handle"), begun);
    return begun.substring(1, begun.indexOf(' '));
  }

  private List<String> sleepers() {
    return Processes.running("sleep", mark);
  }

  private void awaitSleepers(int count) {
    Processes.await(() -> sleepers().size() == count, count + " processes that sleep");
  }

  @Test
  void aCommandLineRunsInTheWorkingDirectory() {
    assertEquals(place.cwd + "\n[exit code 0]", shell("pwd"));
    assertEquals("[no output; exit code 0]", shell("echo text > file.txt"));
    assertTrue(Files.exists(place.cwd.resolve("file.txt")));
  }

  @Test
  void theDirectoryIsTheOneThatWasOpenedWhateverItsNameIsNow() throws Exception {
    Path moved = place.work.resolve("moved");
    Files.createDirectories(place.outside.resolve("feature-x"));
    shell("mkdir sub");
    try (var root =
        Root.open(Handles.system(new Random(7)), place.work.toString(), place.cwd + "/sub")) {
      Files.move(place.cwd.resolve("sub"), moved);
      Files.createSymbolicLink(place.cwd.resolve("sub"), place.outside);
      try (Command command = run(root, "echo text > file.txt; stat -c %F .")) {
        assertEquals(new Command.End.Exited(0), command.awaitUninterruptibly());
      }
    }
    assertTrue(Files.exists(moved.resolve("file.txt")));
    assertFalse(Files.exists(place.outside.resolve("file.txt")));
  }

  private Command run(Root root, String line) throws Exception {
    return run(runner(), root, line);
  }

  static Command run(CommandRunner runner, Root root, String line) throws IOException {
    return runner.start(root, new Order(line, true, Optional.empty(), _ -> true, _ -> {}));
  }

  @Test
  void aDirectoryThatIsSwappedWhileACommandStartsLeadsItNowhereElse() throws Exception {
    Path aside = place.work.resolve("aside");
    Path swapped = Files.createDirectories(place.cwd.resolve("sub"));
    AtomicBoolean over = new AtomicBoolean();
    Thread attacker =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    while (!over.get()) {
                      Files.move(swapped, aside);
                      Files.createSymbolicLink(swapped, place.outside);
                      Files.delete(swapped);
                      Files.move(aside, swapped);
                    }
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
    for (int round = 0; round < ROUNDS; round++) {
      place.at("sub").call("shell", Workplace.json("{command: 'echo x > written'}"));
    }
    over.set(true);
    attacker.join();
    assertFalse(Files.exists(place.outside.resolve("written")));
  }

  @Test
  void bothOutputsComeInTheOrderInWhichTheyWereWritten() {
    assertEquals("1\n2\n3\n4\n[exit code 0]", shell("echo 1; echo 2 >&2; echo 3; echo 4 1>&2"));
  }

  @Test
  void nothingIsLostWhereAProgramOpensItsOutputAnew() {
    assertEquals(
        "one\ntwo\nthree\nthree\nfour\n[exit code 0]",
        shell("echo one; echo two > /dev/stderr; echo three | tee /dev/stderr; echo four"));
  }

  @Test
  void thereIsNoInputAndNoLogin() {
    assertEquals("end\nno\n[exit code 0]", shell("cat; echo end; shopt -q login_shell || echo no"));
  }

  @Test
  void aCommandThatStartsWithADashIsNoOption() {
    assertTrue(shell("-x 2>/dev/null").endsWith("[no output; exit code 127]"));
  }

  @Test
  void anExitCodeIsSaidAndIsNoErrorOfTheTool() {
    assertEquals("half\n[exit code 3]", shell("printf half; exit 3"));
  }

  @Test
  void aCommandKilledByASignalIsAnErrorThatNamesIt() {
    assertEquals("begun\n[killed by SIGSEGV, exit code 139]", failing("echo begun; kill -SEGV $$"));
    assertTrue(failing("sh -c 'kill -TERM $$'; exit $?").contains("SIGTERM"));
    assertTrue(failing("kill -9 $$").contains("killed by SIGKILL"));
  }

  @Test
  void aTimeLimitSaysSoKeepsTheOutputAndEndsAll() {
    String text =
        place.error(
            "shell",
            Map.of(
                "command",
                "echo before; setsid sleep " + mark + " & sleep " + mark,
                "timeout_seconds",
                1));
    assertTrue(text.startsWith("before\n[ended at its time limit of 1 s; give"), text);
    assertEquals(List.of(), sleepers());
  }

  @Test
  void whatIsLeftRunningDoesNotHoldTheCallOpenAndIsEndedWithIt() {
    long begin = System.nanoTime();
    assertEquals(
        "x\n[exit code 0]",
        shell(
            "sleep MARK & setsid sleep MARK & nohup sleep MARK > /dev/null & (setsid nohup sleep MARK &) & echo x"
                .replace("MARK", mark)));
    assertEquals(List.of(), sleepers());
    assertTrue(System.nanoTime() - begin < Duration.ofSeconds(20).toNanos());
  }

  @Test
  void aProcessWithoutEnvironmentIsEndedByItsOpenOutput() {
    shell("(setsid env -i sleep " + mark + " &) ; (env -i setsid sleep " + mark + " &)");
    assertEquals(List.of(), sleepers());
  }

  @Test
  void aProcessWithoutOutputIsEndedByItsEnvironment() {
    shell("(setsid sleep " + mark + " > /dev/null 2>&1 &)");
    assertEquals(List.of(), sleepers());
  }

  @Test
  void aCrowdOfSessionsIsEnded() {
    shell("for i in $(seq 60); do setsid sleep " + mark + " & done > /dev/null 2>&1");
    assertEquals(List.of(), sleepers());
  }

  @Test
  void aChainOfProcessesThatEachStartTheNextInASessionOfItsOwnIsEnded() throws Exception {
    shell("mkfifo held");
    CompletableFuture<Boolean> over =
        CompletableFuture.supplyAsync(
            () -> {
              // Its other end is open as long as one of the chain is there.
              try (InputStream held = Files.newInputStream(place.cwd.resolve("held"))) {
                return held.read() < 0;
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            task -> Thread.ofPlatform().daemon().start(task));
    long begin = System.nanoTime();
    shell(
        "exec 3> held; for i in 1 2 3 4 5 6; do perl -MPOSIX -e '$end = time + 60;"
            + " while (time < $end) { fork and POSIX::_exit(0); POSIX::setsid() }'"
            + " > /dev/null 2>&1 & done; sleep 0.5");
    assertTrue(over.get(10, TimeUnit.SECONDS));
    assertTrue(System.nanoTime() - begin < Duration.ofSeconds(25).toNanos());
  }

  @Test
  void whatEndsAMomentAfterTheShellIsStillHeard() {
    assertEquals("late\n[exit code 0]", shell("echo late > >(cat)"));
  }

  @Test
  void anAbortLeavesNoProcessBehind() throws Exception {
    List<ToolResult> results = new CopyOnWriteArrayList<>();
    Thread caller =
        Thread.ofVirtual()
            .start(
                () ->
                    results.add(
                        place.call(
                            "shell",
                            Workplace.json(
                                "{command: 'setsid sleep "
                                    + mark
                                    + " & (env -i sleep "
                                    + mark
                                    + " &); sleep "
                                    + mark
                                    + "'}"))));
    awaitSleepers(3);
    caller.interrupt();
    assertTrue(caller.join(Duration.ofSeconds(10)));
    assertTrue(results.getFirst().error());
    assertTrue(results.getFirst().text().startsWith("cancelled"), results.getFirst().text());
    assertEquals(List.of(), sleepers());
  }

  @Test
  void muchOutputIsCutInTheMiddleWhichReadShows() {
    String text = shell("seq 1 30000");
    assertTrue(text.startsWith("1\n2\n"), text.substring(0, 20));
    assertTrue(text.endsWith("\n30000\n[exit code 0]"), text.substring(text.length() - 40));
    assertTrue(text.length() < 40_000);
    String handle =
        text.replaceAll("(?s).*read output:(\\S+) shows them from offset 401 on.*", "$1");
    String middle = place.ok("read", "{path: 'output:" + handle + "', offset: 15000, limit: 1}");
    assertTrue(middle.startsWith(" 15000\t15000\n"), middle);
    assertTrue(place.error("read", "{path: 'output:c-none'}").contains(handle));
  }

  @Test
  void aLongLineIsCutAtAWholeCharacter() {
    String text = shell("printf '\\u20ac%.0s' $(seq 1 20000)");
    assertTrue(text.contains("bytes are left out here"), text.substring(0, 100));
    assertTrue(text.codePoints().noneMatch(c -> c == 0xFFFD));
  }

  @Test
  void anEndlessOutputIsStoppedAndWhatThereIsOfItKept() {
    String text = failing("echo first; yes");
    assertTrue(text.startsWith("first\ny\n"), text.substring(0, 20));
    assertTrue(text.contains("[ended because it wrote more than there is room for"), text);
  }

  @Test
  void memoryPastItsLimitEndsACommandThatSaysSoAndTheNextOneRuns() {
    String text = failing("echo begun; sleep " + mark + " & tail /dev/zero & tail /dev/zero; wait");
    Matcher end =
        Pattern.compile(
                "(?s)begun\n.*\\[killed: memory limit \\(peak (\\d+) of 256 MiB\\); use fewer"
                    + " workers or a larger size]")
            .matcher(text.replace(" MiB of", " of"));
    assertTrue(end.matches(), text);
    assertTrue(Integer.parseInt(end.group(1)) >= 256, text);
    assertEquals(List.of(), sleepers());
    assertEquals("ok\n[exit code 0]", shell("echo ok"));
  }

  @Test
  void memoryThatProcessesShareCountsOnce() {
    String fork =
        "$n = 60 << 20; $x = 'x' x $n;"
            + " for (1 .. 6) { fork or do { select undef, undef, undef, 1; exit } }"
            + " 1 while wait > 0; print \"done\\n\"";
    assertEquals("done\n[exit code 0]", shell("perl -e '" + fork.replace("'x'", "q(x)") + "'"));
  }

  @Test
  void whatIsMeantForATerminalIsShownAsPlainLines() {
    assertEquals(
        "100%\nred\n\\xFF\\xFE \\x00 ok\n[exit code 0]",
        shell("printf '10%%\\r50%%\\r100%%\\r\\n\\e[31mred\\e[0m\\n\\377\\376 \\0 ok\\n'"));
  }

  @Test
  void progressIsHeardWhileItRuns() {
    List<String> heard = new CopyOnWriteArrayList<>();
    place.call(
        call -> place.tools.call(call, heard::add),
        "shell",
        Workplace.json("{command: 'echo one; sleep 0.3; echo two'}"));
    assertEquals("one\ntwo\n", String.join("", heard));
    assertTrue(heard.size() > 1, heard::toString);
  }

  @Test
  void noKeyIsInTheEnvironment() {
    String text = shell("env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n' | grep ^LC_K");
    assertFalse(text.contains("sk-secret"), text);
    assertTrue(text.contains("LC_ALL=C.UTF-8\n"), text);
    assertTrue(text.contains("PATH=" + System.getenv("PATH") + "\n"), text);
  }

  @Test
  void aCommandInheritsNoDescriptor() {
    assertEquals("0\n1\n2\n3\n[exit code 0]", shell("ls /proc/self/fd"));
  }

  @Test
  void aReadAgentHasTheShellToo() {
    assertEquals(
        "ok\n[exit code 0]",
        place.with(Access.READ).ok("shell", Map.of("command", "cat /dev/null; echo ok")));
    assertTrue(
        place.with(Access.NONE).error("shell", Map.of("command", "true")).contains("withheld"));
  }

  @Test
  void aCommandThatCanNotBeOneIsRefused() {
    assertTrue(failing(" ").contains("is empty"));
    assertTrue(failing("echo a\0b").contains("NUL"));
    assertTrue(failing("#" + "x".repeat(70_000)).contains("write it into a file"));
    assertEquals("60000\n[exit code 0]", shell("x=" + "x".repeat(60_000) + "; echo ${#x}"));
  }

  @Test
  void aCommandInTheBackgroundIsFollowedAndStopped() {
    String handle =
        background("echo begun; while [ ! -e go ]; do sleep 0.02; done; echo gone; sleep " + mark);
    awaitText(handle, "begun");
    shell("touch go");
    awaitText(handle, "gone");
    awaitSleepers(1);
    String stopped = place.ok("shell_stop", Map.of("handle", handle));
    assertEquals("[no new output; stopped]", stopped);
    assertEquals(List.of(), sleepers());
    assertEquals(stopped, place.ok("shell_output", Map.of("handle", handle)));
  }

  private void awaitText(String handle, String text) {
    StringBuilder all = new StringBuilder();
    Processes.await(
        () -> {
          String whole = place.ok("read", "{path: 'output:" + handle + "'}");
          all.append(place.ok("shell_output", Map.of("handle", handle)));
          return whole.contains(text);
        },
        text);
  }

  @Test
  void aLookShowsOnlyWhatIsNewAndAlsoWhatThereIsOfALine() {
    String handle = background("sleep 1; printf prompt; sleep " + mark);
    String first = place.ok("shell_output", Map.of("handle", handle));
    assertTrue(first.startsWith("prompt\n[runs for "), first);
  }

  @Test
  void twoLooksAtASilentCommandAreNoIdenticalResults() {
    String handle = background("sleep " + mark);
    String first = place.ok("shell_output", Map.of("handle", handle));
    assertTrue(first.matches("\\[no output; runs for \\d+ s so far]"), first);
    assertFalse(first.equals(place.ok("shell_output", Map.of("handle", handle))), first);
  }

  @Test
  void aCommandInTheBackgroundThatFailsAtOnceSaysSo() {
    String text = place.ok("shell", "{command: 'nonsense-of-a-program', background: true}");
    assertTrue(text.contains("not found\n[exit code 127]"), text);
  }

  @Test
  void theBackgroundIsBounded() {
    for (int i = 0; i < Commands.MAX_BACKGROUND; i++) {
      background("sleep " + mark);
    }
    String text = place.error("shell", Map.of("command", "sleep " + mark, "background", true));
    assertTrue(text.contains("end one of call-1, call-1.2"), text);
    assertEquals("ok\n[exit code 0]", shell("echo ok"));
  }

  @Test
  void theBackgroundEndsWithTheConversation() {
    String handle = background("setsid -w sleep " + mark);
    awaitSleepers(1);
    commands.release(new Instance("other", InstanceId.parse("run-1/task/other")));
    assertEquals(1, sleepers().size());
    commands.release(new Instance("coder", InstanceId.parse("run-1/task/coder")));
    assertEquals(List.of(), sleepers());
    assertTrue(
        place
            .error("shell_output", Map.of("handle", handle))
            .contains("there is no command '" + handle + "' in this conversation any more"));
  }

  @Test
  void theBackgroundEndsWithTheHost() {
    background("sleep " + mark);
    awaitSleepers(1);
    commands.close();
    assertEquals(List.of(), sleepers());
    assertTrue(failing("true").contains("the tool host ends"));
  }

  @Test
  void aLimitHoldsInTheBackgroundWhereOneIsGiven() {
    String begun =
        place.ok(
            "shell", Map.of("command", "sleep " + mark, "background", true, "timeout_seconds", 1));
    String handle = begun.substring(1, begun.indexOf(' '));
    String text = place.ok("shell_output", Map.of("handle", handle));
    assertTrue(text.contains("ended at its time limit of 1 s"), text);
  }
}
