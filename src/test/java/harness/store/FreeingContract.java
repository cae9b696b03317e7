package harness.store;

import static harness.store.Appends.append;
import static harness.store.Appends.at;
import static harness.store.Appends.claims;
import static harness.store.Appends.faults;
import static harness.store.Appends.feed;
import static harness.store.Appends.instance;
import static harness.store.Appends.key;
import static harness.store.Appends.life;
import static harness.store.Appends.texts;
import static harness.store.Appends.unsettled;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.agent.Instance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How conversations leave an event store, and what outlives them for how long. */
abstract class FreeingContract extends StoreFixture {
  @Test
  void freeingTakesWhatIsNeitherLiveNorUnsettledNorFresh() {
    stored(append("run-1/coder", 0, "a"));
    stored(append("run-2/coder", 0, "live"));
    stored(unsettled(append("run-3/coder", 0, "unsettled"), 1));
    stored(at(append("run-4/coder", 0, "fresh"), LATER));

    List<Instance> freed = store.free(Set.of(instance("run-2/coder")), LATER, LATER);

    assertEquals(List.of(instance("run-1/coder")), freed);
    assertEquals(Optional.empty(), store.find(instance("run-1/coder")));
    assertEquals(List.of(), store.read(instance("run-1/coder"), 0, 10));
    assertEquals(List.of("live"), texts(store.read(instance("run-2/coder"), 0, 10)));
    assertEquals(List.of("unsettled"), texts(store.read(instance("run-3/coder"), 0, 10)));
    assertEquals(List.of("fresh"), texts(store.read(instance("run-4/coder"), 0, 10)));
    assertEquals(List.of(), store.free(Set.of(instance("run-2/coder")), LATER, LATER));
  }

  @Test
  void anAppendToALifeThatWasFreedIsToldApart() {
    stored(append(CODER, 0, "a"));
    store.free(Set.of(), LATER, LATER);

    assertEquals(new Appended.OutOfSequence(0), store.append(append(CODER, 1, "late")));
    stored(life(append(CODER, 0, "anew"), "second"));
    assertEquals(new Appended.OutOfSequence(1), store.append(append(CODER, 1, "late")));
    assertEquals(List.of("anew"), texts(store.read(instance(CODER), 0, 10)));
  }

  @Test
  void keysOutliveFreeingBySevenDays() {
    stored(claims(append(CODER, 0, "a"), key("scope", "k", "answer")));
    stored(claims(append("run-2/coder", 0, "a"), key("scope", "held", "answer")));
    Set<Instance> live = Set.of(instance("run-2/coder"));
    store.free(live, LATER, LATER);

    store.free(live, LATER, LATER.plus(Duration.ofDays(7)).minusMillis(1));
    assertTrue(store.key("scope", "k").isPresent());
    assertInstanceOf(
        Appended.KeyTaken.class,
        store.append(life(claims(append(CODER, 0, "b"), key("scope", "k", "x")), "second")));

    store.free(live, LATER, LATER.plus(Duration.ofDays(7)));
    assertEquals(Optional.empty(), store.key("scope", "k"));
    assertTrue(store.key("scope", "held").isPresent());
    stored(life(claims(append(CODER, 0, "b"), key("scope", "k", "x")), "second"));
  }

  @Test
  void faultsOutliveFreeingByThirtyDaysAndKeepTheirPlaces() {
    stored(faults(append(CODER, 0, "a"), "zero"));
    stored(faults(append("run-2/coder", 0, "a"), "one"));
    stored(faults(append(CODER, 1, "b"), "two"));
    Set<Instance> live = Set.of(instance("run-2/coder"));
    store.free(live, LATER, LATER);

    store.free(live, LATER, LATER.plus(Duration.ofDays(30)).minusMillis(1));
    assertEquals(List.of("0 zero", "1 one", "2 two"), feed(store.faults(0, 10)));

    store.free(live, LATER, LATER.plus(Duration.ofDays(30)));
    assertEquals(List.of("1 one"), feed(store.faults(0, 10)));
    stored(faults(append("run-2/coder", 1, "b"), "three"));
    assertEquals(List.of("1 one", "3 three"), feed(store.faults(0, 10)));
    assertEquals(List.of("3 three"), feed(store.faults(2, 10)));
  }

  @Test
  void anEmptyFeedGoesOnWhereItWas() {
    stored(faults(append(CODER, 0, "a"), "zero", "one"));
    store.free(Set.of(), LATER, LATER);
    store.free(Set.of(), LATER, LATER.plus(Duration.ofDays(30)));
    assertEquals(List.of(), store.faults(0, 10));

    stored(faults(append(CODER, 0, "a"), "two"));

    assertEquals(List.of("2 two"), feed(store.faults(0, 10)));
  }

  @Test
  void epochsOutliveTheFreeingOfTheirAddressByThirtyDays() {
    stored(claims(append(CODER, 0, "a"), new Claim.Epoch(ADDRESS, 1, "burned")));
    store.free(Set.of(), LATER, LATER);

    store.free(Set.of(), LATER, LATER.plus(Duration.ofDays(30)).minusMillis(1));
    assertTrue(store.epoch(ADDRESS).isPresent());

    store.free(Set.of(), LATER, LATER.plus(Duration.ofDays(30)));
    assertEquals(Optional.empty(), store.epoch(ADDRESS));
  }

  @Test
  void anAddressKeepsItsEpochWhileALaterConversationOfItIsHeld() {
    stored(claims(append(CODER, 0, "a"), new Claim.Epoch(ADDRESS, 1, "burned")));
    stored(append(CODER + "/1", 0, "a"));
    Set<Instance> live = Set.of(instance(CODER + "/1"));
    store.free(live, LATER, LATER);

    Instant muchLater = LATER.plus(Duration.ofDays(90));
    store.free(live, LATER, muchLater);
    assertEquals(Optional.of(new Claim.Epoch(ADDRESS, 1, "burned")), store.epoch(ADDRESS));

    store.free(Set.of(), LATER, muchLater);
    store.free(Set.of(), LATER, muchLater.plus(Duration.ofDays(29)));
    assertTrue(store.epoch(ADDRESS).isPresent());
    store.free(Set.of(), LATER, muchLater.plus(Duration.ofDays(30)));
    assertEquals(Optional.empty(), store.epoch(ADDRESS));
  }
}
