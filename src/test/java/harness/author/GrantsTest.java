package harness.author;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.agent.Instance;
import harness.agent.InstanceId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrantsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final String SOME =
      """
      groups: { editors: [ alice, bob ], readers: [ carol ] }
      grants:
        - { to: "group:editors", on: "run-42/**", may: [ turn.start, workspace.write ] }
        - { to: "group:readers", on: "**", may: [ conversation.read ] }
        - { to: "user:alice", on: "run-42/*/coder", may: [ shell.run ] }
        - { to: "external-agent:zed", on: "run-42/**", may: [ conversation.read ] }
        - { to: "agent:coder", on: "**", may: [ workspace.read ] }
        - { to: "kind:agent", on: "run-42/**", may: [ git.commit ] }
        - { to: "kind:evaluator", on: "**", may: [ conversation.read ] }
        - { to: "kind:external-agent", on: "**", may: [ turn.abort ] }
        - { to: "kind:system", on: "run-42/**", may: [ turn.start ] }
      """;

  @TempDir Path directory;

  private Grants grants(String yaml) throws Exception {
    return Grants.open(write(yaml, NOW.minusSeconds(60)), InstantSource.fixed(NOW));
  }

  private Path write(String yaml, Instant modified) throws IOException {
    Path file = Files.writeString(directory.resolve("authority.yaml"), yaml);
    return Files.setLastModifiedTime(file, FileTime.from(modified));
  }

  /** Who, on which conversation, has what of all that is asked. */
  @ParameterizedTest
  @CsvSource({
    "user:alice, run-42/task/coder, turn.start shell.run workspace.write",
    "user:alice, run-42/a/b/coder, turn.start workspace.write",
    "user:alice, run-43/task/coder, ''",
    "user:alice, run-42, ''",
    "user:bob, run-42/task/coder, turn.start workspace.write",
    "user:carol, anything, conversation.read",
    "user:dave, run-42/task/coder, ''",
    "cursor>alice, run-42/task/coder, turn.start turn.abort shell.run workspace.write",
    "zed>alice, run-42/task/coder, conversation.read",
    "zed>alice, run-43/task/coder, ''",
    "zed, run-42/task/coder, turn.abort conversation.read",
    "cursor, run-42/task/coder, turn.abort",
    "agent, run-42/task/coder, workspace.read git.commit",
    "agent, run-43/task/coder, workspace.read",
    "agent>user:alice, run-42/task/coder, turn.start shell.run workspace.write",
    "agent>cursor>alice, run-42/task/coder, turn.start turn.abort shell.run workspace.write",
    "agent>user:dave, run-42/task/coder, ''",
    "evaluator, run-42/task/coder, conversation.read",
    "system, run-42/task/coder, turn.start turn.abort conversation.read",
    "system, run-43/task/coder, turn.abort conversation.read",
    "owner, run-42/task/coder, ''",
  })
  void eachActorHasWhatGrantsToItsNamesSay(String who, String id, String has) throws Exception {
    Grants grants = grants(SOME);
    Instance conversation = new Instance("coder", InstanceId.parse(id));
    List<String> permitted = new ArrayList<>();
    for (Permission permission : Permission.values()) {
      if (grants.permits(actor(who, id), permission, conversation)) {
        permitted.add(permission.wire());
      }
    }
    assertEquals(
        List.of(has.split(" ")).stream().filter(each -> !each.isEmpty()).sorted().toList(),
        permitted.stream().sorted().toList());
  }

  private static Actor actor(String who, String id) {
    int behind = who.indexOf('>');
    String own = behind < 0 ? who : who.substring(0, behind);
    String rest = who.substring(behind + 1);
    return switch (own) {
      case "agent" ->
          new Actor.Agent(id, behind < 0 ? Optional.empty() : Optional.of(actor(rest, id)));
      case "evaluator" -> new Actor.Evaluator("grader");
      case "system" -> new Actor.System();
      case "owner" -> new Actor.Owner();
      default ->
          own.startsWith("user:")
              ? new Actor.User(own.substring("user:".length()))
              : new Actor.ExternalAgent(
                  own, behind < 0 ? Optional.empty() : Optional.of(new Actor.User(rest)));
    };
  }

  @ParameterizedTest
  @CsvSource({
    "run-42/task/coder, true",
    "run-42/task/coder/3, true",
    "run-42/task/coder/f-abc, true",
    "coder, true",
    "run-42/task/judge, false",
    "run-42/coder/judge, false",
  })
  void anAgentOfAnotherConversationGoesByTheNameInItsId(String id, boolean named) throws Exception {
    Grants grants = grants(SOME);
    Instance other = new Instance("judge", InstanceId.parse("run-1/task/judge"));
    Actor agent = new Actor.Agent(id, Optional.empty());
    assertEquals(named, grants.permits(agent, Permission.WORKSPACE_READ, other));
  }

  @ParameterizedTest
  @CsvSource({
    "**, a/b/c, true",
    "*, a, true",
    "*, a/b, false",
    "a/*, a/b, true",
    "a/*, a/b/c, false",
    "a/**, a/b/c, true",
    "a/**, ab/c, false",
    "**/c, a/b/c, true",
    "a.c, abc, false",
    "a/*-x/c, a/b-x/c, true",
    "a/b, a/b, true",
    "a/b, A/b, false",
    "'a/\\E.*', a/b, false",
  })
  void aStarIsWithinASegmentAndTwoAreAcross(String pattern, String id, boolean matches) {
    assertEquals(matches, Grant.pattern(pattern).matches(id));
  }

  @Test
  void aFileWithoutGrantsGrantsNothing() throws Exception {
    for (String none : List.of("groups: {}", "grants: []", "groups:\ngrants:\n")) {
      assertFalse(canStart(grants(none), "alice"), none);
    }
  }

  @Test
  void allFaultsAreToldAtOnceEachWithTheNearestName() throws Exception {
    GrantsException e =
        assertThrows(
            GrantsException.class,
            () ->
                grants(
                    """
                    group: { editors: [ alice ] }
                    groups: { editors: [ alice, 7 ], readers: carol }
                    grants:
                      - { to: "group:editor", on: "**", may: [ turn.star ] }
                      - { to: "users:alice", on: "/run/**", may: turn.start }
                      - { to: "kind:humans", one: "**", may: [] }
                      - { to: "user:", on: "**", may: [ turn.start ] }
                      - turn.start
                    """));
    String told = String.join("\n", e.faults());
    for (String words :
        List.of(
            "group has 'group', which is no key here; did you mean 'groups'",
            "groups.editors must be text",
            "groups.readers must be a list",
            "grants.1.to has 'editor', which is no group; did you mean 'editors'",
            "grants.1.may has 'turn.star', which is no permission; did you mean 'turn.start'",
            "grants.2.to has 'users:alice'",
            "grants.2.on is '/run/**'",
            "grants.2.may must be a list",
            "grants.3.to has 'humans', which is no kind",
            "grants.3.one has 'one', which is no key here; did you mean 'on'",
            "grants.3.on is missing",
            "grants.4.to is 'user:'",
            "grants.5 must be a mapping")) {
      assertTrue(told.contains(words), () -> words + " is not in\n" + told);
    }
    assertEquals(13, e.faults().size(), told);
    assertTrue(e.faults().stream().allMatch(fault -> fault.contains("authority.yaml")), told);
  }

  @Test
  void whatIsNoFileOfRightsIsToldByWhatItIs() throws Exception {
    assertTrue(fault("grants: [").contains("line"));
    assertTrue(fault("").contains("mapping"));
    assertTrue(fault("[]").contains("mapping"));
    assertTrue(fault("a: 1\na: 2").contains("line"));
    assertTrue(fault("#".repeat(Grants.MAX_BYTES + 1)).contains("over " + Grants.MAX_BYTES));
    Path missing = directory.resolve("missing.yaml");
    assertTrue(Grants.faults(missing).getFirst().contains("can't be read"));
    Path latin = Files.write(directory.resolve("latin.yaml"), new byte[] {'#', (byte) 0xe4});
    assertTrue(Grants.faults(latin).getFirst().contains("UTF-8"));
  }

  private String fault(String yaml) throws IOException {
    return Grants.faults(write(yaml, NOW)).getFirst();
  }

  private static String granting(String user) {
    return "grants: [ { to: \"user:" + user + "\", on: \"**\", may: [ turn.start ] } ]\n";
  }

  private static boolean canStart(Authority authority, String user) {
    return authority.permits(
        new Actor.User(user),
        Permission.TURN_START,
        new Instance("coder", InstanceId.parse("run/task/coder")));
  }

  @Test
  void aChangedFileHoldsFromTheNextQuestionOn() throws Exception {
    Grants grants = grants(granting("alice"));
    assertTrue(canStart(grants, "alice"));
    write(granting("carol"), NOW.minusSeconds(50));
    assertFalse(canStart(grants, "alice"));
    assertTrue(canStart(grants, "carol"));
  }

  @Test
  void aFileThatIsPutInItsPlaceWithTheSameTimeAndSizeIsReadToo() throws Exception {
    Grants grants = grants(granting("alice"));
    assertTrue(canStart(grants, "alice"));
    Path next = Files.writeString(directory.resolve("next"), granting("carol"));
    Files.setLastModifiedTime(next, FileTime.from(NOW.minusSeconds(60)));
    Files.move(next, directory.resolve("authority.yaml"), StandardCopyOption.REPLACE_EXISTING);
    assertTrue(canStart(grants, "carol"));
  }

  @Test
  void aFileThatChangesTwiceWithinATickIsReadAgainUntilItIsOlder() throws Exception {
    Path file = write(granting("alice"), NOW);
    Grants grants = Grants.open(file, InstantSource.fixed(NOW.plus(Duration.ofMillis(5))));
    assertTrue(canStart(grants, "alice"));
    write(granting("carol"), NOW);
    assertTrue(canStart(grants, "carol"));
  }

  @Test
  void whatWasReadLastHoldsWhileTheFileHasFaultsWhichAreToldOnce() throws Exception {
    List<String> heard = new ArrayList<>();
    Logger logger = Logger.getLogger(Grants.class.getName());
    Handler ear = ear(heard);
    logger.addHandler(ear);
    try {
      Grants grants = grants(granting("alice"));
      write("grants: [ { to: nobody } ]", NOW);
      assertTrue(canStart(grants, "alice"));
      assertTrue(canStart(grants, "alice"));
      assertEquals(1, heard.size(), heard::toString);
      assertTrue(heard.getFirst().contains("nobody"), heard::toString);
      Files.delete(directory.resolve("authority.yaml"));
      assertTrue(canStart(grants, "alice"));
      assertTrue(canStart(grants, "alice"));
      assertEquals(2, heard.size(), heard::toString);
      write(granting("carol"), NOW.minusSeconds(60));
      assertFalse(canStart(grants, "alice"));
      assertEquals(3, heard.size(), heard::toString);
    } finally {
      logger.removeHandler(ear);
    }
  }

  private static Handler ear(List<String> heard) {
    return new Handler() {
      @Override
      public void publish(LogRecord said) {
        heard.add(said.getMessage() + List.of(said.getParameters()));
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }
}
