package harness.store;

import static harness.store.Appends.bytes;
import static harness.store.Appends.feed;
import static harness.store.Appends.instance;
import static harness.store.Appends.text;
import static harness.store.Appends.texts;
import static org.junit.jupiter.api.Assertions.assertEquals;

import harness.Seed;
import harness.agent.Address;
import harness.agent.Instance;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same random acts on the file and in memory, which must answer alike; {@code -Dseed=N} replays
 * them.
 */
class StoreModelTest {
  private static final int ACTS = 1_500;
  private static final int RUNS = 6;

  @TempDir Path state;
  private EventStore file;
  private final EventStore memory = new InMemoryEventStore();
  private Instant now = Appends.START;

  @BeforeEach
  void open() {
    file = SqliteEventStore.open(state, failure -> {});
  }

  @AfterEach
  void close() {
    file.close();
  }

  @Test
  void theFileAnswersAsTheModelDoesAndItsProjectionsAgreeWithItsEvents() throws Exception {
    long seed = Seed.get(StoreModelTest.class);
    Random random = new Random(seed);
    for (int act = 0; act < ACTS; act++) {
      now = now.plus(Duration.ofMinutes(random.nextInt(60)));
      switch (random.nextInt(20)) {
        case 0 -> {
          Set<Instance> live = new HashSet<>();
          for (int run = 0; run < RUNS; run++) {
            if (random.nextInt(4) > 0) {
              live.add(instance(id(random)));
            }
          }
          Instant before = now.minus(Duration.ofHours(random.nextInt(48)));
          assertEquals(names(memory.free(live, before, now)), names(file.free(live, before, now)));
        }
        case 1 -> now = now.plus(Duration.ofDays(random.nextInt(12)));
        case 2 -> {
          if (random.nextInt(10) == 0) {
            close();
            open();
          }
        }
        default -> {
          Append append = randomAppend(random);
          assertEquals(shown(memory.append(append)), shown(file.append(append)));
        }
      }
      compare(id(random), random);
    }
    for (int run = 0; run < RUNS; run++) {
      compare("run-" + run + "/coder", random);
      compare("run-" + run + "/coder/1", random);
    }
    assertProjectionsAgree();
  }

  private static String id(Random random) {
    String id = "run-" + random.nextInt(RUNS) + "/coder";
    return switch (random.nextInt(4)) {
      case 0 -> id + "/1";
      case 1 -> id + "/f-2";
      default -> id;
    };
  }

  private Append randomAppend(Random random) {
    String id = id(random);
    long events = memory.find(instance(id)).map(Held::events).orElse(0L);
    String life = memory.find(instance(id)).map(Held::life).orElse("life " + random.nextInt(3));
    List<byte[]> bodies = new ArrayList<>();
    for (int count = random.nextInt(1, 4); count > 0; count--) {
      bodies.add(new byte[random.nextInt(10) == 0 ? random.nextInt(20_000) : random.nextInt(50)]);
      random.nextBytes(bodies.getLast());
    }
    List<Claim> claims = new ArrayList<>();
    if (random.nextInt(3) == 0) {
      String key = "key " + random.nextInt(100);
      claims.add(new Claim.Key("scope", key, bytes(id), bytes("answer " + random.nextInt())));
    }
    if (random.nextInt(5) == 0) {
      claims.add(
          new Claim.Epoch(
              Address.of("run-" + random.nextInt(RUNS), "", "coder"),
              random.nextInt(1, 5),
              "reason " + random.nextInt()));
    }
    List<byte[]> faults =
        random.nextInt(5) == 0 ? List.of(bytes("fault " + random.nextInt())) : List.of();
    return new Append(
        instance(id),
        random.nextInt(10) == 0 ? "another life" : life,
        random.nextInt(10) == 0 ? random.nextInt(5) : events,
        now,
        bodies,
        claims,
        faults,
        Math.max(0, random.nextInt(4) - 2));
  }

  private void compare(String id, Random random) {
    Instance instance = instance(id);
    long from = random.nextInt(5);
    int atMost = random.nextInt(1, 40);
    assertEquals(memory.find(instance), file.find(instance));
    assertEquals(
        texts(memory.read(instance, from, atMost)), texts(file.read(instance, from, atMost)));
    assertEquals(
        memory.read(instance, from, atMost).stream().map(StoreModelTest::place).toList(),
        file.read(instance, from, atMost).stream().map(StoreModelTest::place).toList());
    String key = "key " + random.nextInt(100);
    assertEquals(
        memory.key("scope", key).map(claim -> text(claim.answer())),
        file.key("scope", key).map(claim -> text(claim.answer())));
    Address address = Address.of("run-" + random.nextInt(RUNS), "", "coder");
    assertEquals(memory.epoch(address), file.epoch(address));
    assertEquals(memory.unsettled(), file.unsettled());
    assertEquals(feed(memory.faults(from * 10, atMost)), feed(file.faults(from * 10, atMost)));
  }

  private static List<Object> place(StoredEvent event) {
    return List.of(event.sequence(), event.index(), event.at());
  }

  private static String shown(Appended appended) {
    return appended instanceof Appended.KeyTaken(Claim.Key first)
        ? "taken by " + text(first.answer())
        : appended.toString();
  }

  private static Set<String> names(List<Instance> instances) {
    Set<String> names = new TreeSet<>();
    instances.forEach(instance -> names.add(instance.toString()));
    return names;
  }

  private void assertProjectionsAgree() throws Exception {
    try (Visitor visitor = new Visitor(state)) {
      assertEquals("ok", visitor.ask("PRAGMA integrity_check"));
      assertEquals(
          "0",
          visitor.ask(
              """
              SELECT count(*) FROM conversation c WHERE stage = 0 AND
              (events, events - 1, touched) IS NOT (SELECT count(*), max(sequence), max(at)
              FROM event WHERE conversation = c.id)"""));
      for (String table : List.of("event", "claimed_key", "fault")) {
        assertEquals(
            "0",
            visitor.ask(
                "SELECT count(*) FROM "
                    + table
                    + " WHERE conversation NOT IN (SELECT id FROM conversation)"),
            table);
      }
      assertEquals(
          "0",
          visitor.ask(
              """
              SELECT count(*) FROM event WHERE conversation IN
              (SELECT id FROM conversation WHERE stage > 0)"""));
    }
  }
}
