package harness.author;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each actor against each: in the tables, columns stand in the order of the rows. */
class ActorsTest {
  private static final Actor.User ALICE = new Actor.User("alice");
  private static final Actor.User BOB = new Actor.User("bob");
  private static final Actor CURSOR = new Actor.ExternalAgent("cursor", Optional.empty());

  private record Named(String name, Actor actor) {}

  private static final List<Named> ALL =
      List.of(
          new Named("alice", ALICE),
          new Named("bob", BOB),
          new Named("cursor/alice", client("cursor", ALICE)),
          new Named("zed/alice", client("zed", ALICE)),
          new Named("cursor/bob", client("cursor", BOB)),
          new Named("cursor", CURSOR),
          new Named("coder", new Actor.Agent("run/coder", Optional.empty())),
          new Named("coder/alice", agent("run/coder", ALICE)),
          new Named("coder/cursor/alice", agent("run/coder", client("cursor", ALICE))),
          new Named("coder/bob", agent("run/coder", BOB)),
          new Named("judge", new Actor.Agent("run/judge", Optional.empty())),
          new Named("judge/alice", agent("run/judge", ALICE)),
          new Named("judge/cursor", agent("run/judge", CURSOR)),
          new Named("evaluator", new Actor.Evaluator("grader")),
          new Named("system", new Actor.System()),
          new Named("owner", new Actor.Owner()));

  private static Actor client(String id, Actor.User person) {
    return new Actor.ExternalAgent(id, Optional.of(person));
  }

  private static Actor agent(String id, Actor author) {
    return new Actor.Agent(id, Optional.of(author));
  }

  private static String table(BiPredicate<Actor, Actor> holds) {
    return ALL.stream()
        .map(
            row ->
                String.format("%-18s ", row.name())
                    + ALL.stream()
                        .map(column -> holds.test(row.actor(), column.actor()) ? "+" : ".")
                        .collect(Collectors.joining(" "))
                    + "\n")
        .collect(Collectors.joining());
  }

  @Test
  void aPersonAndTheirClientAreDifferentAuthorsAndAllThatActForNoOneAreOne() {
    assertEquals(
        """
        alice              + . . . . . . . . . . . . . . .
        bob                . + . . . . . . . . . . . . . .
        cursor/alice       . . + . . . . . . . . . . . . .
        zed/alice          . . . + . . . . . . . . . . . .
        cursor/bob         . . . . + . . . . . . . . . . .
        cursor             . . . . . + + + + + + + + + + +
        coder              . . . . . + + + + + + + + + + +
        coder/alice        . . . . . + + + + + + + + + + +
        coder/cursor/alice . . . . . + + + + + + + + + + +
        coder/bob          . . . . . + + + + + + + + + + +
        judge              . . . . . + + + + + + + + + + +
        judge/alice        . . . . . + + + + + + + + + + +
        judge/cursor       . . . . . + + + + + + + + + + +
        evaluator          . . . . . + + + + + + + + + + +
        system             . . . . . + + + + + + + + + + +
        owner              . . . . . + + + + + + + + + + +
        """,
        table(Principal::same));
  }

  @Test
  void actingAsSomeoneLooksThroughWhomEachActsFor() {
    assertEquals(
        """
        alice              + . + + . . . + + . . + . . . .
        bob                . + . . + . . . . + . . . . . .
        cursor/alice       + . + + . . . + + . . + . . . .
        zed/alice          + . + + . . . + + . . + . . . .
        cursor/bob         . + . . + . . . . + . . . . . .
        cursor             . . . . . + . . . . . . + . . .
        coder              . . . . . . + + + + . . . . . .
        coder/alice        + . + + . . + + + + . + . . . .
        coder/cursor/alice + . + + . . + + + + . + . . . .
        coder/bob          . + . . + . + + + + . . . . . .
        judge              . . . . . . . . . . + + + . . .
        judge/alice        + . + + . . . + + . + + + . . .
        judge/cursor       . . . . . + . . . . + + + . . .
        evaluator          . . . . . . . . . . . . . + . .
        system             . . . . . . . . . . . . . . + .
        owner              . . . . . . . . . . . . . . . +
        """,
        table(Actor::actsAs));
  }

  @Test
  void aTurnActsForAPersonOrForTheClientThatAPersonConnected() {
    assertEquals(
        List.of("alice", "bob", "cursor/alice", "zed/alice", "cursor/bob"),
        ALL.stream()
            .filter(named -> named.actor().actsFor().isPresent())
            .map(Named::name)
            .toList());
    for (Named named : ALL) {
      named.actor().actsFor().ifPresent(author -> assertEquals(named.actor(), author));
    }
  }
}
