package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.agent.Access;
import harness.workspace.Handles;
import harness.workspace.Root;
import harness.workspace.command.Command;
import harness.workspace.command.CommandRunner;
import harness.workspace.command.Order;
import harness.workspace.command.Sandboxes;
import harness.workspace.git.Signature;
import harness.workspace.git.Worktrees;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Commands in bubblewrap; skipped where it does not work. */
class SandboxedShellTest extends ShellContract {
  private Path state() {
    return base.resolve("state");
  }

  private Path key() {
    return base.resolve("keys/lab");
  }

  @Override
  CommandRunner runner() throws Exception {
    Path home = Files.createDirectories(base.resolve("home"));
    Files.createDirectories(state());
    Files.writeString(state().resolve("harness.db"), "sk-secret");
    Files.createDirectories(key().getParent());
    Files.writeString(key(), "sk-secret");
    Files.createDirectories(home.resolve(".ssh"));
    Files.writeString(home.resolve(".ssh/id"), "sk-secret");
    Files.writeString(home.resolve(".netrc"), "sk-secret");
    Files.writeString(home.resolve(".profile"), "echo never");
    Map<String, String> environment = new HashMap<>(ENVIRONMENT);
    environment.put("HOME", home.toString());
    return Sandboxes.bubblewrap(environment, List.of(state(), key()));
  }

  @Test
  void aProcessThatShedEveryMarkIsEndedToo() {
    shell("(setsid env -i sleep " + mark + " > /dev/null 2>&1 &)");
    assertEquals(List.of(), Processes.running("sleep", mark));
  }

  @Test
  void theWorkspaceIsReadOnlyBesideTheWorkingDirectory() throws IOException {
    Path other = place.work.resolve("other.txt");
    Files.writeString(other, "other\n");
    String text =
        shell("cat ../../other.txt; echo x > ../../other.txt; echo y > mine.txt; cat mine.txt");
    assertTrue(text.startsWith("other\n"), text);
    assertTrue(text.contains("Read-only file system"), text);
    assertTrue(text.endsWith("y\n[exit code 0]"), text);
    assertEquals("other\n", Files.readString(other));
  }

  @Test
  void aReadAgentWritesNothing() {
    String text =
        place.with(Access.READ).ok("shell", Map.of("command", "echo x > a.txt; touch /usr/b; ls"));
    assertEquals(2, text.split("Read-only file system", -1).length - 1, text);
    assertFalse(Files.exists(place.cwd.resolve("a.txt")));
  }

  @Test
  void aCommandOfAnAgentThatSuggestsWritesNothing() {
    String text = place.with(Mode.SUGGEST).ok("shell", Map.of("command", "echo x > a.txt; ls"));
    assertTrue(text.contains("Read-only file system"), text);
    assertFalse(Files.exists(place.cwd.resolve("a.txt")));
  }

  @Test
  void noFileThatACommandCanReadHoldsAKey() {
    String text =
        shell(
            "cat %s/* %s ~/.ssh/* ~/.netrc; grep -rs sk-secret %s; umount %s %s ~/.ssh; cat %s/*; id"
                .formatted(state(), key(), base, state(), key(), state()));
    assertFalse(text.contains("sk-secret"), text);
  }

  @Test
  void rootInASandboxHasNoRights() {
    assertEquals(
        "0000000000000000\n[exit code 0]", shell("sed -n 's/^CapEff:\\s*//p' /proc/self/status"));
  }

  @Test
  void theNumberOfProcessesIsBounded() {
    assertEquals("2048\n[exit code 0]", shell("ulimit -u"));
  }

  @Test
  void whatIsWrittenBelowDevIsBounded() {
    assertEquals(
        "1048576\n[exit code 0]", shell("df -k --output=size /dev/shm | tail -1 | tr -d ' '"));
    assertTrue(shell("touch /dev/file").contains("Read-only file system"));
    assertEquals("ok\n[exit code 0]", shell("echo no > /dev/null; echo ok > /dev/stdout"));
  }

  @Test
  void thereIsNoNetwork() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String text = shell("echo x > /dev/tcp/127.0.0.1/" + server.getLocalPort() + " && echo open");
      assertFalse(text.contains("open"), text);
      assertTrue(text.contains("refused"), text);
    }
  }

  @Test
  void thereIsANetworkWhereItIsAllowed() throws Exception {
    CommandRunner networked = Sandboxes.bubblewrap(ENVIRONMENT, List.of(), true);
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Root root = Root.open(Handles.system(new Random(7)), place.work + "", place.cwd + "");
        Command command =
            run(
                networked,
                root,
                "cat /etc/resolv.conf && echo x > /dev/tcp/127.0.0.1/" + server.getLocalPort())) {
      assertEquals(new Command.End.Exited(0), command.awaitUninterruptibly());
    }
  }

  @Test
  void otherProcessesAreOutOfSightAndTemporaryFilesPrivate() throws IOException {
    assertEquals("1\n2\n[exit code 0]", shell("ls -d /proc/[0-9]* | head -2 | tr -d /a-z"));
    Path mine = Files.createTempFile("harness-test", ".txt");
    try {
      assertEquals("gone\n[exit code 0]", shell("[ -e " + mine + " ] || echo gone"));
      shell("echo x > /tmp/of-the-sandbox-alone-" + mark);
      assertFalse(Files.exists(Path.of("/tmp/of-the-sandbox-alone-" + mark)));
    } finally {
      Files.delete(mine);
    }
  }

  @Test
  void aHostThatIsKilledLeavesNoProcessBehind() throws Exception {
    Process host =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KilledHost.class.getName(),
                "sleep " + mark + " & (setsid env -i sleep " + mark + " &); sleep " + mark,
                place.cwd.toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      Processes.await(() -> Processes.running("sleep", mark).size() == 3, "the host's command");
    } finally {
      host.destroyForcibly();
    }
    Processes.await(() -> Processes.running("sleep", mark).isEmpty(), "its end");
  }

  private Path worktree() throws IOException {
    Signature by = new Signature("Ada", "ada@example.org", Instant.EPOCH);
    Path clone = place.work.resolve("target/default");
    Worktrees.create(clone, "main", Map.of("README.md", "text\n"), by);
    Files.delete(place.cwd);
    Worktrees.add(clone, "feature-x", place.cwd);
    return clone;
  }

  @Test
  void gitCommitsInALinkedWorktree() throws IOException {
    Assumptions.assumeTrue(shell("command -v git").contains("/git"), "there is no git program");
    worktree();
    String text =
        shell(
            "echo more >> README.md && git -c user.name=A -c user.email=a@b commit -qam second"
                + " && git log --format=%s && git status --short");
    assertEquals("second\nFirst commit\n[exit code 0]", text);
  }

  @Test
  void whatNamesProgramsAndPlacesInARepositoryStaysAsItIs() throws IOException {
    Path clone = worktree();
    String before = Files.readString(clone.resolve(".git/config"));
    String link = Files.readString(place.cwd.resolve(".git"));
    shell(
        "g=../default/.git; echo '[core] fsmonitor=x' >> $g/config; mkdir -p $g/hooks;"
            + " echo x > $g/hooks/pre-commit; echo gitdir: /x > .git; mv .git away;"
            + " rm -f .git; mv $g/worktrees/feature-x $g/worktrees/y;"
            + " echo /x > $g/worktrees/feature-x/commondir; echo x > ../default/README.md");
    assertEquals(before, Files.readString(clone.resolve(".git/config")));
    assertFalse(Files.exists(clone.resolve(".git/hooks/pre-commit")));
    assertEquals(link, Files.readString(place.cwd.resolve(".git")));
    assertEquals("../..\n", Files.readString(clone.resolve(".git/worktrees/feature-x/commondir")));
    assertEquals("text\n", Files.readString(clone.resolve("README.md")));
  }

  @Test
  void theGitDirectoriesOfOtherWorktreesStayAsTheyAre() throws IOException {
    Path clone = worktree();
    Path other = place.work.resolve("target/other");
    Worktrees.add(clone, "other", other);
    Path admin = clone.resolve(".git/worktrees/other");
    String leads = Files.readString(admin.resolve("commondir"));
    shell(
        "g=../default/.git/worktrees; echo /x > $g/other/commondir; echo x > $g/other/gitdir;"
            + " echo '[core]' > $g/other/config.worktree; rm $g/other/HEAD; mv $g/other $g/y;"
            + " echo ok > $g/feature-x/mine; mkdir $g/new");
    assertEquals(leads, Files.readString(admin.resolve("commondir")));
    assertEquals(other + "/.git\n", Files.readString(admin.resolve("gitdir")));
    assertFalse(Files.exists(admin.resolve("config.worktree")));
    assertTrue(Files.exists(admin.resolve("HEAD")));
    assertFalse(Files.exists(clone.resolve(".git/worktrees/new")));
    assertEquals("ok\n", Files.readString(clone.resolve(".git/worktrees/feature-x/mine")));
  }

  private void assertLedNowhere(Path file, String command) {
    String text = failing(command);
    assertTrue(text.contains("because it made " + file), text);
    assertFalse(Files.exists(file, LinkOption.NOFOLLOW_LINKS));
  }

  @Test
  void aFileThatLeadsGitToOtherConfigurationEndsTheCommandAndIsRemoved() throws IOException {
    Path clone = worktree();
    Path git = clone.resolve(".git");
    assertLedNowhere(git.resolve("commondir"), "echo ../evil > ../default/.git/commondir");
    assertLedNowhere(
        git.resolve("commondir"), "echo ../evil > ../default/.git/commondir; sleep " + mark);
    assertLedNowhere(git.resolve("config.worktree"), "ln -s x ../default/.git/config.worktree");
    assertLedNowhere(
        git.resolve("worktrees/feature-x/config.worktree"),
        "(setsid sh -c 'sleep 0.1; echo x > ../default/.git/worktrees/feature-x/config.worktree;"
            + " sleep 1')");
    Workplace main = place.at("../default");
    ToolResult result =
        main.call("shell", Workplace.json("{command:'echo ../evil > .git/commondir'}"));
    assertTrue(result.error(), result.text());
    assertFalse(Files.exists(git.resolve("commondir")));
  }

  @Test
  void aLocaleThatTheSystemDoesNotKnowIsNoFailureOfTheSandbox() throws Exception {
    Map<String, String> environment = new HashMap<>(ENVIRONMENT);
    environment.put("LC_ALL", "xx_XX.UTF-8");
    try (Root root =
            Root.open(Handles.system(new Random(7)), base.toString(), place.cwd.toString());
        Command command =
            Sandboxes.bubblewrap(environment, List.of())
                .start(root, new Order("exit 7", true, Optional.empty(), _ -> true, _ -> {}))) {
      assertEquals(new Command.End.Exited(7), command.await());
    }
  }

  @Test
  void aGitFileThatNamesAnotherRepositoryOpensItToNoWrite() throws IOException {
    Path clone = worktree();
    Path other = Files.createDirectories(place.cwd.resolve("evil"));
    Files.writeString(
        other.resolve(".git"), "gitdir: " + clone.resolve(".git/worktrees/feature-x"));
    Workplace evil = place.at("evil");
    evil.ok("shell", Map.of("command", "echo x > ../../default/.git/refs/heads/evil; true"));
    assertFalse(Files.exists(clone.resolve(".git/refs/heads/evil")));
  }
}
