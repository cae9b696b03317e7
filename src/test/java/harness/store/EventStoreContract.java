package harness.store;

import static harness.store.Appends.START;
import static harness.store.Appends.append;
import static harness.store.Appends.at;
import static harness.store.Appends.claims;
import static harness.store.Appends.faults;
import static harness.store.Appends.feed;
import static harness.store.Appends.instance;
import static harness.store.Appends.key;
import static harness.store.Appends.life;
import static harness.store.Appends.text;
import static harness.store.Appends.texts;
import static harness.store.Appends.unsettled;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.agent.Address;
import harness.agent.Instance;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every event store does, whatever is below it. */
abstract class EventStoreContract extends FreeingContract {
  @Test
  void whatWasAppendedIsReadInOrderWithItsPlaces() {
    stored(append(CODER, 0, "a", "b"));
    stored(at(append(CODER, 2, "c"), LATER));

    List<StoredEvent> events = store.read(instance(CODER), 0, 10);

    assertEquals(List.of("a", "b", "c"), texts(events));
    assertEquals(List.of(0L, 1L, 2L), events.stream().map(StoredEvent::sequence).toList());
    assertEquals(List.of(0, 1, 0), events.stream().map(StoredEvent::index).toList());
    assertEquals(List.of(START, START, LATER), events.stream().map(StoredEvent::at).toList());
  }

  @Test
  void aReadStartsWhereItIsToldAndStopsAtItsBound() {
    stored(append(CODER, 0, "a", "b", "c", "d"));

    assertEquals(List.of("b", "c"), texts(store.read(instance(CODER), 1, 2)));
    assertEquals(List.of("d"), texts(store.read(instance(CODER), 3, 2)));
    assertEquals(List.of(), store.read(instance(CODER), 4, 2));
  }

  @Test
  void aReadEndsWithTheEventThatMakesItLarge() {
    String half = "x".repeat(EventStore.READ_BYTES / 2 + 1);
    stored(append(CODER, 0, half, half, "c", half + half, "e"));

    assertEquals(2, store.read(instance(CODER), 0, 10).size());
    assertEquals(2, store.read(instance(CODER), 2, 10).size());
    assertEquals(1, store.read(instance(CODER), 3, 10).size());
    assertEquals(List.of("e"), texts(store.read(instance(CODER), 4, 10)));
  }

  @Test
  void bodiesOfAllSizesComeBackByteForByte() {
    byte[] large = new byte[300_000];
    for (int at = 0; at < large.length; at++) {
      large[at] = (byte) (at * 31);
    }
    stored(
        new Append(
            instance(CODER),
            "first",
            0,
            START,
            List.of(new byte[0], large, new byte[] {0}),
            List.of(),
            List.of(),
            0));

    List<StoredEvent> events = store.read(instance(CODER), 0, 10);

    assertArrayEquals(new byte[0], events.get(0).body());
    assertArrayEquals(large, events.get(1).body());
    assertArrayEquals(new byte[] {0}, events.get(2).body());
  }

  @Test
  void aConversationIsFoundWithItsCounts() {
    stored(unsettled(append(CODER, 0, "a", "b"), 2));
    stored(unsettled(at(append(CODER, 2, "c"), LATER), 1));

    assertEquals(
        Optional.of(new Held(instance(CODER), "first", 3, 1, LATER)), store.find(instance(CODER)));
    assertEquals(Optional.empty(), store.find(instance("run-1/task/other")));
    assertEquals(List.of(), store.read(instance("run-1/task/other"), 0, 10));
  }

  @Test
  void oneInstanceIdOfTwoAgentsIsTwoConversations() {
    Instance coder = instance(CODER);
    Instance other = new Instance("reviewer", coder.id());
    stored(append(CODER, 0, "a"));
    stored(new Append(other, "x", 0, START, List.of(new byte[1]), List.of(), List.of(), 0));

    assertEquals(1, store.read(other, 0, 10).size());
    assertEquals(List.of("a"), texts(store.read(coder, 0, 10)));
  }

  @Test
  void anAppendOutOfSequenceStoresNothing() {
    stored(append(CODER, 0, "a", "b"));

    assertEquals(new Appended.OutOfSequence(2), store.append(append(CODER, 1, "x")));
    assertEquals(new Appended.OutOfSequence(2), store.append(append(CODER, 3, "x")));
    assertEquals(new Appended.OutOfSequence(2), store.append(append(CODER, 0, "x")));
    assertEquals(new Appended.OutOfSequence(0), store.append(append("run-2/coder", 1, "x")));
    assertEquals(List.of("a", "b"), texts(store.read(instance(CODER), 0, 10)));
    assertEquals(Optional.empty(), store.find(instance("run-2/coder")));
  }

  @Test
  void anAppendOfAnotherLifeStoresNothing() {
    stored(append(CODER, 0, "a"));

    assertEquals(new Appended.OutOfSequence(1), store.append(life(append(CODER, 1, "x"), "other")));
    assertEquals(List.of("a"), texts(store.read(instance(CODER), 0, 10)));
  }

  @Test
  void aKeyIsClaimedOnceAndAnswersWithItsFirstAnswer() {
    stored(claims(append(CODER, 0, "a"), key("scope", "k", "first answer")));

    Appended again = store.append(claims(append(CODER, 1, "b"), key("scope", "k", "second")));

    Claim.Key first = assertInstanceOf(Appended.KeyTaken.class, again).first();
    assertEquals("first answer", text(first.answer()));
    assertEquals("digest of first answer", text(first.digest()));
    assertEquals("first answer", text(store.key("scope", "k").orElseThrow().answer()));
    assertEquals(List.of("a"), texts(store.read(instance(CODER), 0, 10)));
    assertEquals(Optional.empty(), store.key("other scope", "k"));
  }

  @Test
  void aTakenKeyIsSaidBeforeASequenceThatIsOut() {
    stored(claims(append(CODER, 0, "a"), key("scope", "k", "answer")));

    assertInstanceOf(
        Appended.KeyTaken.class,
        store.append(claims(append(CODER, 0, "a"), key("scope", "k", "answer"))));
  }

  @Test
  void oneAppendThatIsRefusedClaimsNothing() {
    stored(claims(append(CODER, 0, "a"), key("scope", "taken", "answer")));

    store.append(
        claims(
            faults(append("run-2/coder", 0, "b"), "fault"),
            key("scope", "free", "x"),
            new Claim.Epoch(ADDRESS, 1, "burned"),
            key("scope", "taken", "x")));
    store.append(claims(append(CODER, 9, "b"), key("scope", "free", "x")));

    assertEquals(Optional.empty(), store.key("scope", "free"));
    assertEquals(Optional.empty(), store.epoch(ADDRESS));
    assertEquals(List.of(), store.faults(0, 10));
    assertEquals(Optional.empty(), store.find(instance("run-2/coder")));
  }

  @Test
  void anEpochIsClaimedOnceAndTheLargestIsTheAddresss() {
    assertEquals(Optional.empty(), store.epoch(ADDRESS));
    stored(claims(append(CODER, 0, "a"), new Claim.Epoch(ADDRESS, 1, "burned")));
    stored(claims(append(CODER + "/1", 0, "a"), new Claim.Epoch(ADDRESS, 10, "again")));

    for (int taken : new int[] {1, 2, 10}) {
      assertEquals(
          new Appended.EpochTaken(new Claim.Epoch(ADDRESS, 10, "again")),
          store.append(claims(append(CODER, 1, "b"), new Claim.Epoch(ADDRESS, taken, "other"))));
    }
    assertEquals(Optional.of(new Claim.Epoch(ADDRESS, 10, "again")), store.epoch(ADDRESS));
    assertEquals(Optional.empty(), store.epoch(Address.of("run-1", "task", "other")));
  }

  @Test
  void addressesOfTwoAgentsAreTwoAlsoUnderOneName() {
    Address other = Address.generation(new Instance("reviewer", ADDRESS.base())).address();
    stored(claims(append(CODER, 0, "a"), new Claim.Epoch(other, 1, "burned")));

    assertEquals(Optional.empty(), store.epoch(ADDRESS));
    stored(claims(append(CODER, 1, "b"), new Claim.Epoch(ADDRESS, 1, "burned")));
    assertEquals(Optional.of(new Claim.Epoch(other, 1, "burned")), store.epoch(other));
  }

  @Test
  void anAppendThatMakesOneClaimTwiceIsABug() {
    assertThrows(
        IllegalArgumentException.class,
        () -> claims(append(CODER, 0, "a"), key("s", "k", "one"), key("s", "k", "two")));
  }

  @Test
  void theFeedOfFaultsCountsFromZeroInTheOrderOfAppends() {
    stored(faults(append(CODER, 0, "a"), "one", "two"));
    stored(append(CODER, 1, "b"));
    stored(faults(append("run-2/coder", 0, "a"), "three"));

    assertEquals(List.of("0 one", "1 two", "2 three"), feed(store.faults(0, 10)));
    assertEquals(List.of("1 two"), feed(store.faults(1, 1)));
    assertEquals(List.of(), store.faults(3, 10));
  }

  @Test
  void theLastFaultOfAConversationIsKnownWhereItIsHeldNoLonger() {
    assertEquals(
        new Opening(Optional.empty(), Optional.empty(), false), store.opening(instance(CODER)));
    stored(faults(append(CODER, 0, "a"), "one", "two"));
    stored(faults(append("run-2/coder", 0, "a"), "three"));
    assertEquals(1, store.opening(instance(CODER)).held().orElseThrow().events());
    assertEquals(Optional.empty(), store.opening(instance(CODER)).lastFault());
    store.free(Set.of(), START.plusSeconds(1), START);
    Opening freed = store.opening(instance(CODER));
    assertEquals(Optional.empty(), freed.held());
    assertTrue(freed.lived());
    assertEquals("two", new String(freed.lastFault().orElseThrow(), StandardCharsets.UTF_8));
    store.free(Set.of(), START, START.plus(EventStore.FAULTS_OUTLIVE));
    assertEquals(
        new Opening(Optional.empty(), Optional.empty(), false), store.opening(instance(CODER)));
    assertEquals(3, store.faultsEnd());
  }

  @Test
  void whatIsUnsettledIsListedInTheOrderOfCreation() {
    stored(unsettled(append("run-1/coder", 0, "a"), 1));
    stored(unsettled(append("run-2/coder", 0, "a"), 1));
    stored(unsettled(append("run-3/coder", 0, "a"), 0));
    stored(unsettled(append("run-4/coder", 0, "a"), 3));
    stored(unsettled(append("run-1/coder", 1, "b"), 2));
    stored(unsettled(append("run-2/coder", 1, "b"), 0));

    assertEquals(
        List.of(
            new Held(instance("run-1/coder"), "first", 2, 2, START),
            new Held(instance("run-4/coder"), "first", 1, 3, START)),
        store.unsettled());
  }

  @Test
  void manyClientsWithOneKeyAreOneStoredAppend() throws Exception {
    int clients = 50;
    List<Appended> answers =
        together(
            clients,
            client ->
                store.append(
                    claims(
                        append("run-" + client + "/coder", 0, "a"),
                        key("scope", "k", "answer of " + client))));

    assertEquals(1, answers.stream().filter(Appended.Stored.class::isInstance).count());
    String winner = text(store.key("scope", "k").orElseThrow().answer());
    for (int client = 0; client < clients; client++) {
      boolean won = winner.equals("answer of " + client);
      assertEquals(won, store.find(instance("run-" + client + "/coder")).isPresent());
      if (!won) {
        Claim.Key first = assertInstanceOf(Appended.KeyTaken.class, answers.get(client)).first();
        assertEquals(winner, text(first.answer()));
      }
    }
  }

  @Test
  void manyClientsWithOneSequenceAreOneStoredAppend() throws Exception {
    stored(append(CODER, 0, "a"));

    List<Appended> answers = together(50, client -> store.append(append(CODER, 1, "by " + client)));

    int winner = answers.indexOf(new Appended.Stored());
    assertEquals(1, answers.stream().filter(Appended.Stored.class::isInstance).count());
    assertEquals(49, answers.stream().filter(new Appended.OutOfSequence(2)::equals).count());
    assertEquals(List.of("a", "by " + winner), texts(store.read(instance(CODER), 0, 10)));
  }

  @Test
  void aReadSeesEachAppendThatHasReturned() throws Exception {
    together(
        8,
        client -> {
          String id = "run-" + client + "/coder";
          for (int count = 0; count < 50; count++) {
            stored(append(id, count, "event " + count));
            assertEquals(count + 1, store.find(instance(id)).orElseThrow().events());
            assertEquals(List.of("event " + count), texts(store.read(instance(id), count, 10)));
          }
          return new Appended.Stored();
        });
  }

  @Test
  void aClosedStoreRefusesEverything() {
    store.close();

    assertThrows(StoreUnableException.class, () -> store.append(append(CODER, 0, "a")));
    assertThrows(StoreUnableException.class, () -> store.find(instance(CODER)));
    assertThrows(StoreUnableException.class, () -> store.read(instance(CODER), 0, 1));
    assertThrows(StoreUnableException.class, () -> store.faults(0, 1));
    assertThrows(StoreUnableException.class, () -> store.free(Set.of(), LATER, LATER));
  }

  interface Client {
    Appended act(int number) throws Exception;
  }

  static List<Appended> together(int clients, Client client) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Appended>> running = new ArrayList<>();
      for (int number = 0; number < clients; number++) {
        int mine = number;
        running.add(threads.submit(() -> client.act(mine)));
      }
      List<Appended> answers = new ArrayList<>();
      for (Future<Appended> one : running) {
        answers.add(one.get());
      }
      return answers;
    }
  }
}
