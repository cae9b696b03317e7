package harness.store;

import static harness.store.Appends.START;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import harness.agent.Address;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A store that is opened for each test, and what tests of stores speak of. */
abstract class StoreFixture {
  static final String CODER = "run-1/task/coder";
  static final Address ADDRESS = Address.of("run-1", "task", "coder");
  static final Duration DAY = Duration.ofDays(1);
  static final Instant LATER = START.plus(DAY);

  EventStore store;

  abstract EventStore open();

  @BeforeEach
  void openStore() {
    store = open();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  void stored(Append append) {
    assertInstanceOf(Appended.Stored.class, store.append(append));
  }
}
