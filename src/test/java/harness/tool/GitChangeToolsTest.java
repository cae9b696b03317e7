package harness.tool;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.agent.Access;
import harness.author.Actor;
import harness.workspace.git.Signature;
import harness.workspace.git.Worktrees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the git tools that change something show, in a linked worktree. */
class GitChangeToolsTest {
  private static final Signature ADA =
      new Signature("Ada", "ada@example.org", Instant.parse("2026-01-02T03:04:05Z"));

  @TempDir private Path temporary;
  private Workplace place;

  @BeforeEach
  void seat() throws Exception {
    place = Workplace.in(temporary);
    Path main = place.work.resolve("target/default");
    Worktrees.create(main, "main", Map.of("a.txt", "one\n", "src/b.txt", "b\n"), ADA);
    Worktrees.add(main, "feature-x", place.cwd);
  }

  @Test
  void aChangeIsStagedCommittedAndShown() throws Exception {
    place.file("a.txt", "two\n");
    place.file("src/new.txt", "new\n");
    assertEquals("M a.txt\nA src/new.txt", place.ok("git_add", "{paths: ['.']}"));
    assertEquals(
        "[nothing to stage: the index has it all already]", place.ok("git_add", "{paths: ['.']}"));
    String committed = place.ok("git_commit", "{message: 'Second commit'}");
    assertTrue(
        committed.matches("\\[feature-x [0-9a-f]{7}] Second commit\n2 files changed"), committed);
    assertEquals(
        "## feature-x\n[nothing to commit, working tree clean]", place.ok("git_status", "{}"));
    String shown = place.ok("git_show", "{rev: 'HEAD'}");
    assertTrue(shown.startsWith("commit "), shown);
    assertTrue(shown.contains("Author: coder <coder@agent.invalid>\nDate:   Wed Mar 4"), shown);
    assertTrue(shown.contains("\n    Second commit\n\ndiff --git a/a.txt b/a.txt\n"), shown);
    assertTrue(shown.endsWith("+new"), shown);
  }

  @Test
  void aCommitNamesTheAgentAndInATrailerWhomItActedFor() throws Exception {
    Actor.User alice = new Actor.User("alice");
    Workplace forAlice = place.as(new Actor.Agent("coder", Optional.of(alice)));
    forAlice.ok("git_commit", "{message: 'For a user', allow_empty: true}");
    String shown = place.ok("git_show", "{rev: 'HEAD'}");
    assertTrue(shown.contains("Author: coder <coder@agent.invalid>\n"), shown);
    assertTrue(
        shown.contains("    For a user\n\n    On-behalf-of: alice <alice@user.invalid>\n"), shown);
    assertTrue(shown.endsWith("[it changes no file]"), shown);

    Actor.ExternalAgent client = new Actor.ExternalAgent("editor", Optional.of(alice));
    place
        .as(new Actor.Agent("coder", Optional.of(client)))
        .ok("git_commit", "{message: 'For a client', allow_empty: true}");
    shown = place.ok("git_show", "{rev: 'HEAD'}");
    assertTrue(shown.contains("Author: coder <coder@agent.invalid>\n"), shown);
    assertTrue(
        shown.contains(
            "    On-behalf-of: editor <editor@external-agent.invalid>\n"
                + "    On-behalf-of: alice <alice@user.invalid>\n"),
        shown);
  }

  @Test
  void anIdIsNoWayIntoACommitsHeader() {
    Credits credits =
        Credits.of(
            new Actor.Agent(
                "co\nder", Optional.of(new Actor.User("eve <x>\ncommitter Mallory <m> 0 +0000"))),
            Workplace.NOW);
    assertEquals("co der", credits.author().name());
    assertEquals("co-der@agent.invalid", credits.author().email());
    assertEquals(
        List.of(
            "On-behalf-of: eve x committer Mallory m 0 +0000"
                + " <eve-x-committer-Mallory-m-0-+0000@user.invalid>"),
        credits.trailers());
    Credits mailed =
        Credits.of(
            new Actor.Agent("coder", Optional.of(new Actor.User("alice@example.org"))),
            Workplace.NOW);
    assertEquals(List.of("On-behalf-of: alice@example.org <alice@example.org>"), mailed.trailers());
    Credits blank = Credits.of(new Actor.Agent("<>", Optional.empty()), Workplace.NOW);
    assertEquals("agent", blank.author().name());
  }

  @Test
  void changesAreTakenBack() throws Exception {
    place.file("a.txt", "two\n");
    Files.delete(place.cwd.resolve("src/b.txt"));
    place.ok("git_add", "{paths: ['a.txt']}");
    assertEquals(
        "as in HEAD again: a.txt", place.ok("git_restore", "{paths: 'a.txt', staged: true}"));
    assertEquals("restored a.txt\nrestored src/b.txt", place.ok("git_restore", "{paths: ['.']}"));
    assertEquals("one\n", place.content("a.txt"));
    assertEquals(
        "[nothing to restore: the files are as they are staged]",
        place.ok("git_restore", "{paths: ['.']}"));
  }

  @Test
  void accessToReadWithholdsWhatChangesAndListsBranches() {
    Workplace reader = place.with(Access.READ);
    for (String call :
        List.of(
            "git_add {paths: ['.']}",
            "git_restore {paths: ['.']}",
            "git_restore {paths: ['.'], staged: true}",
            "git_commit {message: 'x', allow_empty: true}",
            "git_branch {name: 'x'}")) {
      int space = call.indexOf(' ');
      String error = reader.error(call.substring(0, space), call.substring(space + 1));
      assertTrue(error.contains("withheld: this Agent's workspace access is read"), error);
    }
    String branches = reader.ok("git_branch", "{}");
    assertTrue(branches.startsWith("* feature-x "), branches);
    assertTrue(branches.contains("+ main (in the main worktree) "), branches);
    assertFalse(branches.contains("x\n  x"), branches);
    reader.ok("git_show", "{rev: 'HEAD'}");
    reader.ok("git_blame", "{path: 'a.txt'}");
  }

  @Test
  void ofVeryManyBranchesTheRestIsCounted() throws Exception {
    Path git = place.work.resolve("target/default/.git");
    String id = Files.readString(git.resolve("refs/heads/main")).strip();
    Files.writeString(
        git.resolve("packed-refs"),
        IntStream.range(0, 9_000)
            .mapToObj(i -> id + " refs/heads/a" + i + "\n")
            .collect(joining()));
    String branches = place.ok("git_branch", "{}");
    assertTrue(
        branches.matches("(?s).*\n\\[and \\d+ more branches; 'git branch --list .*"), branches);
  }

  @Test
  void aBranchIsMadeAndNotCheckedOut() {
    String made = place.ok("git_branch", "{name: 'topic/one', from: 'main'}");
    assertTrue(made.startsWith("made the branch topic/one at "), made);
    assertTrue(made.contains("it is not checked out"), made);
    assertTrue(place.ok("git_branch", "{name: ''}").contains("  topic/one "));
    assertTrue(place.error("git_branch", "{from: 'main'}").contains("'from' needs 'name'"));
    assertTrue(place.error("git_branch", "{name: 'a b'}").contains("no name for a branch"));
  }

  @Test
  void pathsLeadNowhereElse() throws Exception {
    Files.writeString(place.outside.resolve("secret.txt"), "secret\n");
    Files.createSymbolicLink(place.cwd.resolve("out"), place.outside);
    for (String path :
        List.of(
            "../default/a.txt",
            place.outside + "/secret.txt",
            "/etc/passwd",
            "src/../../default",
            ".git",
            ".git/config",
            "src/.git/hooks/pre-commit")) {
      for (String tool : List.of("git_add", "git_restore")) {
        String error = place.error(tool, Map.of("paths", List.of(path)));
        assertTrue(error.contains(place.cwd.toString()) || error.contains("is git's own"), error);
      }
    }
    assertTrue(place.error("git_add", "{paths: ['out/secret.txt']}").contains("goes through out"));
    assertTrue(place.error("git_blame", "{path: 'out/secret.txt'}").contains("out/secret.txt"));
    assertTrue(
        place.error("git_blame", "{path: '../default/a.txt'}").contains("outside the repository"));
  }

  @Test
  void linesAreBlamedOnCommits() throws Exception {
    place.file("a.txt", "one\nnot yet\n");
    String blamed = place.ok("git_blame", "{path: 'a.txt'}");
    assertTrue(
        blamed.matches(
            "[0-9a-f]{7} \\(Ada 2026-01-02 1\\) one\n0000000 \\(not committed 2\\) not yet"),
        blamed);
    assertEquals(
        "0000000 (not committed 2) not yet",
        place.ok("git_blame", "{path: 'a.txt', from_line: 2}"));
    assertTrue(place.error("git_blame", "{path: 'a.txt', from_line: 9}").contains("has 2 lines"));
    assertTrue(
        place.error("git_blame", "{path: 'a.txt', from_line: 3, to_line: 2}").contains("swap"));
    place.file("long.txt", "a line of it\n".repeat(20_000));
    ToolResult cut = place.call("git_blame", Workplace.json("{path: 'long.txt'}"));
    assertTrue(cut.truncated() && cut.text().contains("see the next with 'from_line': "));
  }

  @Test
  void filesOfRevisionsAreShown() throws Exception {
    assertEquals("b", place.ok("git_show", "{rev: 'main:src/b.txt'}"));
    assertEquals("b", place.at("src").ok("git_show", "{rev: 'main:./b.txt'}"));
    assertEquals("a.txt\nsrc/", place.ok("git_show", "{rev: 'main:'}"));
    place.file("image.png", new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0});
    place.file("empty", "");
    place.file("long.txt", "a line of it\n".repeat(20_000));
    place.ok("git_add", "{paths: ['.']}");
    place.ok("git_commit", "{message: 'More'}");
    assertEquals(
        "[HEAD:image.png is a PNG image of 9 bytes, which is not shown]",
        place.ok("git_show", "{rev: 'HEAD:image.png'}"));
    assertEquals("[HEAD:empty is an empty file]", place.ok("git_show", "{rev: 'HEAD:empty'}"));
    ToolResult file = place.call("git_show", Workplace.json("{rev: 'HEAD:long.txt'}"));
    assertTrue(file.truncated() && file.text().contains("cut: the file has 260000 bytes"));
    ToolResult commit = place.call("git_show", Workplace.json("{rev: 'HEAD'}"));
    assertTrue(commit.truncated());
    assertTrue(commit.text().contains("see the rest with git_diff, 'from' "), "how to see it");
    assertTrue(place.error("git_show", "{rev: 'nope'}").contains("nope names nothing"));
  }

  @Test
  void manyPathsAreCounted() throws Exception {
    for (int i = 0; i < 4_100; i++) {
      place.file("many/" + i, "");
    }
    String added = place.ok("git_add", "{paths: ['many']}");
    assertTrue(
        added.contains("more paths, all of them done too"), added.substring(added.length() - 200));
    assertTrue(place.ok("git_commit", "{message: 'Many'}").contains("4100 files changed"));
  }
}
