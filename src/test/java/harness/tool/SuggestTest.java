package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.agent.Definition;
import harness.tool.Proposal.Proposed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes that are proposed instead of made, and made when someone accepts them. */
class SuggestTest {
  private static final String WRITE_NEW = "{path:'d/new.txt', content:'one\\ntwo\\n'}";
  private static final String WRITE_OLD = "{path:'a.txt', content:'one\\n2\\n'}";
  private static final String EDIT = "{path:'a.txt', edits:[{old:'two', new:'2'}]}";
  private static final String DELETE = "{path:'a.txt'}";
  private static final String MOVE = "{from:'a.txt', to:'e/b.txt'}";
  private static final String PATCH =
      "{patch:'--- a/a.txt\\n+++ b/a.txt\\n@@ -1,2 +1,2 @@\\n one\\n-two\\n+2\\n"
          + "--- /dev/null\\n+++ b/p/new.txt\\n@@ -0,0 +1 @@\\n+new\\n"
          + "--- a/gone.txt\\n+++ /dev/null\\n@@ -1 +0,0 @@\\n-gone\\n'}";
  private static final String CHANGED =
      "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n";

  private Workplace place;

  @BeforeEach
  void open(@TempDir Path base) throws IOException {
    place = Workplace.in(base);
    place.known("a.txt", "one\ntwo\n");
    place.file("gone.txt", "gone\n");
  }

  /** All files and directories of the workspace, with what is in them. */
  private Map<String, String> tree() throws IOException {
    Map<String, String> tree = new TreeMap<>();
    try (Stream<Path> all = Files.walk(place.work)) {
      for (Path path : (Iterable<Path>) all::iterator) {
        tree.put(
            place.work.relativize(path).toString(),
            Files.isDirectory(path) ? "directory" : Files.readString(path));
      }
    }
    return tree;
  }

  private List<Proposed> proposed(String tool, String input) throws IOException {
    Map<String, String> before = tree();
    List<Proposed> files = place.proposed(tool, input).files();
    assertEquals(before, tree());
    return files;
  }

  @Test
  void aNewFileIsProposedWhole() throws IOException {
    assertEquals(
        List.of(
            new Proposed(
                "d/new.txt", "--- /dev/null\n+++ b/d/new.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n")),
        proposed("write", WRITE_NEW));
  }

  @Test
  void aChangeIsProposedAsItsDiff() throws IOException {
    assertEquals(List.of(new Proposed("a.txt", CHANGED)), proposed("write", WRITE_OLD));
    assertEquals(List.of(new Proposed("a.txt", CHANGED)), proposed("edit", EDIT));
  }

  @Test
  void aDeletionShowsWhatWouldBeLost() throws IOException {
    String diff = "--- a/a.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n";
    assertEquals(List.of(new Proposed("a.txt", diff)), proposed("delete", DELETE));
    place.file("bytes", new byte[] {1, 0, 2});
    assertEquals(
        List.of(new Proposed("bytes", "--- a/bytes\n+++ /dev/null\nThe file has 3 bytes.\n")),
        proposed("delete", "{path:'bytes'}"));
  }

  @Test
  void aMoveIsProposedByBothPaths() throws IOException {
    assertEquals(
        List.of(new Proposed("e/b.txt", "rename from a.txt\nrename to e/b.txt\n")),
        proposed("move", MOVE));
  }

  @Test
  void aPatchIsProposedFileByFile() throws IOException {
    assertEquals(
        List.of(
            new Proposed("a.txt", CHANGED),
            new Proposed("p/new.txt", "--- /dev/null\n+++ b/p/new.txt\n@@ -0,0 +1 @@\n+new\n"),
            new Proposed("gone.txt", "--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n")),
        proposed("apply_patch", PATCH));
    assertEquals(
        List.of(
            new Proposed(
                "b.txt",
                "rename from a.txt\nrename to b.txt\nnew mode 100755\n"
                    + CHANGED.replace("b/a.txt", "b/b.txt"))),
        proposed(
            "apply_patch",
            "{patch:'diff --git a/a.txt b/b.txt\\nold mode 100644\\nnew mode 100755\\n"
                + "rename from a.txt\\nrename to b.txt\\n"
                + "--- a/a.txt\\n+++ b/b.txt\\n@@ -1,2 +1,2 @@\\n one\\n-two\\n+2\\n'}"));
  }

  @Test
  void theFilesOfACallAreOneProposal() throws IOException {
    Proposal proposal = place.proposed("apply_patch", PATCH);
    assertEquals("a.txt, p/new.txt, gone.txt", proposal.paths());
    assertEquals(
        String.join("", proposal.files().stream().map(Proposed::diff).toList()), proposal.diff());
    assertEquals(
        Set.of(place.cwd.resolve("a.txt") + "", place.cwd.resolve("gone.txt") + ""),
        proposal.madeFrom().versions().keySet());
  }

  @Test
  void theModelIsToldThatNothingIsChangedYetAndTheConversationKnowsNothingNew() {
    ToolResult result = place.with(Mode.SUGGEST).call("edit", Workplace.json(EDIT));
    assertTrue(result.text().startsWith("[proposed: nothing is changed yet;"), result.text());
    assertTrue(result.text().contains("+2"), result.text());
    assertEquals(Seen.NOTHING, result.seen());
    assertEquals(Optional.empty(), place.call("edit", Workplace.json(EDIT)).proposal());
  }

  @Test
  void whatCouldNotBeDoneIsNotProposed() throws IOException {
    Workplace suggesting = place.with(Mode.SUGGEST);
    place.file("unread.txt", "x");
    Files.createDirectories(place.cwd.resolve("dir"));
    assertContains(suggesting.error("write", "{path:'unread.txt', content:'y'}"), "read it first");
    assertContains(suggesting.error("write", "{path:'../up.txt', content:'y'}"), "..");
    assertContains(suggesting.error("edit", "{path:'a.txt', old:'three', new:'3'}"), "three");
    assertContains(suggesting.error("move", "{from:'a.txt', to:'gone.txt'}"), "is there already");
    assertContains(suggesting.error("move", "{from:'dir', to:'other'}"), "dir is no file");
    assertContains(suggesting.error("delete", "{path:'dir'}"), "dir is no file");
    assertContains(
        suggesting.error("apply_patch", PATCH.replace("-two", "-three")), "Nothing was changed");
    assertTrue(
        suggesting
            .ok("write", "{path:'a.txt', content:'one\\ntwo\\n'}")
            .contains("nothing was changed"));
  }

  @Test
  void whatNobodyCouldLookThroughIsNotProposed() {
    String many = "x".repeat(99) + "\\n";
    String input = "{path:'new.txt', content:'" + many.repeat(2_700) + "'}";
    assertContains(place.with(Mode.SUGGEST).error("write", input), "" + Proposal.MAX_DIFF_BYTES);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "make_directory | {path:'d'}",
        "git_add | {paths:['.']}",
        "git_restore | {paths:['a.txt']}",
        "git_commit | {message:'m'}",
        "git_branch | {name:'b'}",
      },
      quoteCharacter = '`')
  void whatIsNoContentOfFilesIsRefusedByName(String tool, String input) {
    String told = place.with(Mode.SUGGEST).error(tool, input);
    assertTrue(told.startsWith(tool), told);
    assertContains(told, "content of files alone");
  }

  @Test
  void acceptedEachIsWhatItWasProposedToBe() throws IOException {
    done("write", WRITE_NEW);
    assertEquals("one\ntwo\n", place.content("d/new.txt"));
    done("edit", EDIT);
    assertEquals("one\n2\n", place.content("a.txt"));
    done("write", "{path:'a.txt', content:'one\\ntwo\\n'}");
    assertEquals("one\ntwo\n", place.content("a.txt"));
    done("apply_patch", PATCH);
    assertEquals("one\n2\n", place.content("a.txt"));
    assertEquals("new\n", place.content("p/new.txt"));
    assertFalse(Files.exists(place.cwd.resolve("gone.txt")));
    done("move", MOVE);
    assertEquals("one\n2\n", place.content("e/b.txt"));
    assertFalse(Files.exists(place.cwd.resolve("a.txt")));
    done("delete", "{path:'e/b.txt'}");
    assertFalse(Files.exists(place.cwd.resolve("e/b.txt")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "write | " + WRITE_NEW,
        "write | " + WRITE_OLD,
        "edit | " + EDIT,
        "delete | " + DELETE,
        "move | " + MOVE,
        "apply_patch | " + PATCH,
      },
      quoteCharacter = '`')
  void acceptedOnceMoreAfterAKillItIsDone(String tool, String input) throws IOException {
    Proposal proposal = place.proposed(tool, input);
    assertFalse(place.accept(proposal, tool, input).error());
    Map<String, String> made = tree();
    ToolResult again = place.accept(proposal, tool, input);
    assertFalse(again.error(), again.text());
    assertContains(again.text(), "as proposed already");
    assertEquals(made, tree());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void aPatchThatAKillCutInItsMiddleIsMadeWhole(int made) throws IOException {
    Proposal proposal = place.proposed("apply_patch", PATCH);
    // Each part of the three files but all of them and none.
    if ((made & 1) != 0) {
      place.file("a.txt", "one\n2\n");
    }
    if ((made & 2) != 0) {
      place.file("p/new.txt", "new\n");
    }
    if ((made & 4) != 0) {
      Files.delete(place.cwd.resolve("gone.txt"));
    }
    ToolResult whole = place.accept(proposal, "apply_patch", PATCH);
    assertFalse(whole.error(), whole.text());
    assertEquals("one\n2\n", place.content("a.txt"));
    assertEquals("new\n", place.content("p/new.txt"));
    assertFalse(Files.exists(place.cwd.resolve("gone.txt")));
  }

  private void done(String tool, String input) {
    ToolResult result = place.accept(place.proposed(tool, input), tool, input);
    assertFalse(result.error(), result.text());
    assertEquals(Optional.empty(), result.proposal());
    assertFalse(result.text().contains("proposed"), result.text());
  }

  @Test
  void theConversationKnowsWhatWasAccepted() throws IOException {
    done("edit", EDIT);
    place.ok("edit", "{path:'a.txt', old:'one', new:'1'}");
    assertEquals("1\n2\n", place.content("a.txt"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "write | " + WRITE_OLD,
        "edit | " + EDIT,
        "delete | " + DELETE,
        "move | " + MOVE,
        "apply_patch | " + PATCH,
      },
      quoteCharacter = '`')
  void aFileThatChangedSinceIsLeftAloneAndSaid(String tool, String input) throws IOException {
    Proposal proposal = place.proposed(tool, input);
    place.known("a.txt", "one\ntwo\nthree\n");
    Map<String, String> before = tree();
    ToolResult changed = place.accept(proposal, tool, input);
    assertTrue(changed.error(), changed.text());
    assertContains(changed.text(), "a.txt has changed since this was proposed");
    assertEquals(before, tree());

    Files.delete(place.cwd.resolve("a.txt"));
    ToolResult gone = place.accept(proposal, tool, input);
    if (tool.equals("delete")) {
      assertContains(gone.text(), "as proposed already");
    } else {
      assertTrue(gone.error(), gone.text());
      assertTrue(gone.text().contains("gone") || gone.text().contains("not there"), gone.text());
    }
    assertFalse(Files.exists(place.cwd.resolve("a.txt")));

    Files.createDirectories(place.cwd.resolve("a.txt"));
    assertTrue(place.accept(proposal, tool, input).error());
  }

  @Test
  void aFileThatAppearedSinceIsLeftAlone() throws IOException {
    Proposal write = place.proposed("write", WRITE_NEW);
    Proposal patch = place.proposed("apply_patch", PATCH);
    Proposal move = place.proposed("move", MOVE);
    place.known("d/new.txt", "mine");
    place.known("p/new.txt", "mine");
    place.known("e/b.txt", "mine");
    Map<String, String> before = tree();
    assertContains(
        place.accept(write, "write", WRITE_NEW).text(), "was not when this was proposed");
    assertContains(
        place.accept(patch, "apply_patch", PATCH).text(), "was not when this was proposed");
    assertContains(place.accept(move, "move", MOVE).text(), "is there already");
    assertEquals(before, tree());
  }

  @ParameterizedTest
  @ValueSource(strings = {"git_add", "git_commit", "make_directory"})
  void nothingElseIsAccepted(String tool) {
    ToolResult result =
        place.accept(
            new Proposal(List.of(), Seen.NOTHING, Seen.NOTHING), tool, "{path:'d', paths:['.']}");
    assertContains(result.text(), "withheld");
  }

  @Test
  void theDefinitionSaysTheMode() {
    assertEquals(Mode.SUGGEST, Mode.of(Definition.Writes.SUGGEST));
    assertEquals(Mode.DIRECT, Mode.of(Definition.Writes.DIRECT));
  }

  private static void assertContains(String text, String words) {
    assertTrue(text.contains(words), () -> words + " is not in: " + text);
  }
}
