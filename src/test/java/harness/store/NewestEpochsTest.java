package harness.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import harness.agent.Address;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NewestEpochsTest {
  private static final Address ADDRESS = Address.of("run-1", "task", "coder");

  private final NewestEpochs epochs = new NewestEpochs();
  private Optional<Claim.Epoch> inTheFile = Optional.empty();
  private int lookedUp;

  private Optional<Claim.Epoch> get() {
    return epochs.get(ADDRESS, this::lookUp);
  }

  private Optional<Claim.Epoch> lookUp() {
    lookedUp++;
    return inTheFile;
  }

  private Optional<Claim.Epoch> open(int epoch) {
    inTheFile = Optional.of(new Claim.Epoch(ADDRESS, epoch, "why"));
    return inTheFile;
  }

  @Test
  void whatIsAskedAgainIsNotLookedUpAgain() {
    assertEquals(Optional.empty(), get());
    assertEquals(Optional.empty(), get());
    assertEquals(1, lookedUp);
  }

  @Test
  void afterAChangeItIsLookedUp() {
    get();
    Optional<Claim.Epoch> opened = epochs.change(() -> open(1));

    assertEquals(opened, get());
    assertEquals(opened, get());
    assertEquals(2, lookedUp);
  }

  @Test
  void whileAChangeIsUnderWayItIsLookedUpEachTime() {
    get();
    Optional<Claim.Epoch> opened =
        epochs.change(
            () -> {
              assertEquals(Optional.empty(), get());
              Optional<Claim.Epoch> stored = open(1);
              assertEquals(stored, get());
              return stored;
            });

    assertEquals(opened, get());
    assertEquals(4, lookedUp);
  }

  @Test
  void whatWasLookedUpBeforeAChangeIsNotKeptAfterIt() {
    Optional<Claim.Epoch> old =
        epochs.get(
            ADDRESS,
            () -> {
              Optional<Claim.Epoch> found = inTheFile;
              epochs.change(() -> open(1));
              return found;
            });

    assertEquals(Optional.empty(), old);
    assertEquals(inTheFile, get());
  }

  @Test
  void whatIsKeptIsBounded() {
    get();
    for (int number = 0; number < NewestEpochs.ADDRESSES; number++) {
      epochs.get(Address.of("run-" + number, "", "other"), this::lookUp);
    }
    int before = lookedUp;
    get();
    assertEquals(before + 1, lookedUp);
  }
}
