package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.git.Signature;
import harness.workspace.git.Worktrees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GitToolsTest {
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
  void aCleanWorktreeSaysSo() {
    assertEquals(
        "## feature-x\n[nothing to commit, working tree clean]", place.ok("git_status", "{}"));
    assertEquals("[no differences]", place.ok("git_diff", "{}"));
  }

  @Test
  void statusDiffAndLogShowALinkedWorktree() throws Exception {
    place.file("a.txt", "two\n");
    place.file("new/c.txt", "c\n");
    assertEquals("## feature-x\n M a.txt\n?? new/", place.ok("git_status", "{}"));
    assertEquals(
        """
        diff --git a/a.txt b/a.txt
        index 5626abf..f719efd 100644
        --- a/a.txt
        +++ b/a.txt
        @@ -1 +1 @@
        -one
        +two
        [not in it: 1 untracked, which git_status lists]""",
        place.ok("git_diff", "{}"));
    assertEquals(
        " a.txt | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)",
        place.ok("git_diff", "{from: 'HEAD', stat: true, paths: ['a.txt']}"));
    String log = place.ok("git_log", "{}");
    assertTrue(log.matches("[0-9a-f]{7} 2026-01-02 Ada: First commit"), log);
  }

  @Test
  void pathsAreRelativeToTheWorkingDirectoryOrAbsolute() throws Exception {
    place.file("a.txt", "two\n");
    place.file("src/b.txt", "bb\n");
    String one = place.ok("git_diff", "{paths: ['src']}");
    assertTrue(one.contains("+bb") && !one.contains("+two"), one);
    assertEquals(
        one, place.ok("git_diff", Map.of("paths", place.cwd.resolve("src/b.txt").toString())));
    assertEquals("[no differences in nowhere]", place.ok("git_diff", "{paths: ['nowhere']}"));
    assertEquals("[no commit changed nowhere]", place.ok("git_log", "{path: 'nowhere'}"));
    for (String path : new String[] {"../default/a.txt", "/etc/passwd", "../../.."}) {
      String error = place.error("git_diff", Map.of("paths", path));
      assertTrue(error.contains(path) && error.contains(place.cwd.toString()), error);
      place.error("git_log", Map.of("path", path));
    }
  }

  @Test
  void revisionsAreCompared() throws Exception {
    place.file("a.txt", "two\n");
    Worktrees.commit(place.cwd, "Second", ADA);
    place.file("a.txt", "three\n");
    assertTrue(place.ok("git_diff", "{from: 'HEAD~1', to: 'HEAD'}").contains("+two"));
    assertTrue(place.ok("git_diff", "{from: 'main'}").contains("+three"));
    assertTrue(place.error("git_diff", "{from: 'nope'}").contains("nope names no revision"));
    assertTrue(place.error("git_diff", "{to: 'HEAD'}").contains("'to' needs 'from'"));
    place.error("git_diff", "{from: 'HEAD', to: 'HEAD', staged: true}");
    for (String odd : new String[] {"HEAD^{", "@{", "..", "^", "HEAD@{99}", "a b", "-x", ":/x"}) {
      String error = place.error("git_diff", Map.of("from", odd));
      assertTrue(error.contains("names no revision"), error);
    }
    String log = place.ok("git_log", "{max: 1}");
    assertTrue(log.contains("Second") && log.contains("there are older commits"), log);
    assertFalse(place.ok("git_log", "{path: 'src'}").contains("Second"));
  }

  @Test
  void aWorkingDirectoryBelowTheTopSeesItsOwnPaths() throws Exception {
    place.file("a.txt", "two\n");
    place.file("src/b.txt", "bb\n");
    place.file("src/new.txt", "new\n");
    Workplace below = place.at("src");
    assertEquals("## feature-x\n M ../a.txt\n M b.txt\n?? new.txt", below.ok("git_status", "{}"));
    String diff = below.ok("git_diff", "{paths: ['b.txt']}");
    assertTrue(diff.contains("+++ b/src/b.txt") && !diff.contains("a.txt"), diff);
    assertTrue(diff.contains("the paths in it start at the top of the worktree"), diff);
  }

  @Test
  void aLargeDiffIsCutAndSaysHowToSeeTheRest() throws Exception {
    place.file("a.txt", "a line of it\n".repeat(20_000));
    ToolResult result = place.call("git_diff", Workplace.json("{}"));
    assertTrue(result.truncated());
    assertTrue(result.bytes() > 260_000, () -> "" + result.bytes());
    assertTrue(result.text().length() <= ToolBox.MAX_RESULT_BYTES);
    assertTrue(result.text().contains("cut: the whole diff has " + result.bytes() + " bytes"));
    assertTrue(result.text().contains("'paths'"), "how to see the rest");
    for (int i = 0; i < 5_000; i++) {
      place.file("untracked-" + i, "");
    }
    ToolResult status = place.call("git_status", Workplace.json("{}"));
    assertTrue(status.truncated() && status.text().contains("of 5001 paths are shown"));
  }

  @Test
  void withoutARepositoryTheErrorSaysWhere() throws Exception {
    Files.delete(place.cwd.resolve(".git"));
    for (String tool : new String[] {"git_status", "git_diff", "git_log"}) {
      String error = place.error(tool, "{}");
      assertTrue(error.contains("no git repository holds " + place.cwd), error);
    }
  }

  @Test
  void aRepositoryOutsideTheWorkspaceIsNotShown() throws Exception {
    Worktrees.create(place.outside.resolve("repo"), "main", Map.of("secret", "s\n"), ADA);
    Files.writeString(
        place.cwd.resolve(".git"), "gitdir: " + place.outside.resolve("repo/.git") + "\n");
    for (String tool : new String[] {"git_status", "git_diff", "git_log"}) {
      String error = place.error(tool, "{}");
      assertTrue(error.contains("lies outside the workspace"), error);
    }
  }

  @Test
  void anInterruptEndsTheCall() {
    Thread.currentThread().interrupt();
    assertTrue(place.call("git_status", Workplace.json("{}")).error());
    assertTrue(Thread.interrupted());
  }
}
