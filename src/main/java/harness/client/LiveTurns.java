package harness.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Which Turns live: at most one of a continued address, and of each Machine instance those that are
 * not known to have ended.
 */
final class LiveTurns {
  private final Map<String, Live> live = new HashMap<>();
  private final Map<String, List<Unended>> unended = new HashMap<>();
  private final Map<String, Gate> gates = new HashMap<>();

  /**
   * @param submissionId empty while it is not yet admitted
   */
  private record Live(Optional<String> key, String submissionId) {}

  /**
   * A Turn that may still run although nobody waits for it.
   *
   * @param key the one under which it may be sent again
   * @param guessed where it was admitted, if it was, as far as the ledger knows: there or in a
   *     later epoch
   */
  record Unended(String agent, String instanceId, Optional<String> key, Optional<Guess> guessed) {
    static Unended of(Admission admission) {
      return new Unended(
          admission.address().agent(), admission.instanceId(), admission.key(), Optional.empty());
    }

    static Unended of(Minted minted) {
      Address address = minted.address();
      return new Unended(
          address.agent(),
          address.at(minted.epoch()),
          minted.key(),
          Optional.of(new Guess(address, minted.epoch())));
    }
  }

  /** An epoch that an admission without an answer landed on, or before which it did not. */
  record Guess(Address address, int epoch) {}

  /** Admissions and aborts of a Machine instance go one after the other through it. */
  private static final class Gate {
    private final ReentrantLock lock = new ReentrantLock();
    private int users;
  }

  /** What is done behind a gate. */
  @FunctionalInterface
  interface Step<T> {
    T run() throws UnsettledException, InterruptedException;
  }

  <T> T alone(Address address, Step<T> step) throws UnsettledException, InterruptedException {
    Gate gate = enter(address.machine());
    try {
      gate.lock.lockInterruptibly();
      try {
        return step.run();
      } finally {
        gate.lock.unlock();
      }
    } finally {
      leave(address.machine(), gate);
    }
  }

  private synchronized Gate enter(String machine) {
    Gate gate = gates.computeIfAbsent(machine, _ -> new Gate());
    gate.users++;
    return gate;
  }

  private synchronized void leave(String machine, Gate gate) {
    gate.users--;
    if (gate.users == 0) {
      gates.remove(machine);
    }
  }

  /**
   * Takes a continued address.
   *
   * @return whether it was free; false for a resend under the key of the Turn that lives there
   */
  synchronized boolean take(Minted minted) throws UnsettledException {
    Live there = live.get(seat(minted.address()));
    if (there == null) {
      live.put(seat(minted.address()), new Live(minted.key(), ""));
      return true;
    }
    if (there.key().isPresent() && there.key().equals(minted.key())) {
      return false;
    }
    throw new UnsettledException(
        new Outcome.Refused(
            409,
            "a Turn of "
                + minted.address()
                + " lives already; wait for it or abort it before the next, or leave 'continue'"
                + " out",
            ""));
  }

  synchronized void free(Address address) {
    live.remove(seat(address));
  }

  /** A Turn was admitted; what a try of it before may have left is itself. */
  synchronized void admitted(Admission admission) {
    if (admission.continues()) {
      live.put(seat(admission.address()), live(admission));
    }
    remove(
        admission.address(),
        turn ->
            turn.instanceId().equals(admission.instanceId())
                || (turn.key().isPresent() && turn.key().equals(admission.key())));
  }

  /** A Turn is awaited, maybe by another process than admitted it. */
  synchronized void awaited(Admission admission) {
    if (admission.continues()) {
      live.putIfAbsent(seat(admission.address()), live(admission));
    }
  }

  private static Live live(Admission admission) {
    return new Live(admission.key(), admission.submissionId());
  }

  /** A Turn is over; another one of its address may live by now. */
  synchronized void ended(Admission admission) {
    live.computeIfPresent(
        seat(admission.address()),
        (_, there) -> there.submissionId().equals(admission.submissionId()) ? null : there);
  }

  /**
   * A Turn is left.
   *
   * @return false where its address has another one already: an abort would end that one
   */
  synchronized boolean left(Admission admission) {
    Live there = live.get(seat(admission.address()));
    boolean other = there != null && !there.submissionId().equals(admission.submissionId());
    if (admission.continues() && other) {
      return false;
    }
    mayRun(admission.address(), Unended.of(admission));
    return true;
  }

  synchronized void mayRun(Address address, Unended turn) {
    List<Unended> all = unended.computeIfAbsent(address.machine(), _ -> new ArrayList<>());
    if (!all.contains(turn)) {
      all.add(turn);
    }
  }

  synchronized boolean mayRun(Admission admission) {
    return unended
        .getOrDefault(admission.address().machine(), List.of())
        .contains(Unended.of(admission));
  }

  /** One that must be ended before a Turn of this Machine instance is admitted. */
  synchronized Optional<Unended> first(Minted minted) {
    return unended.getOrDefault(minted.address().machine(), List.of()).stream()
        .filter(turn -> turn.key().isEmpty() || !turn.key().equals(minted.key()))
        .findFirst();
  }

  /** It is known to have ended. */
  synchronized void forget(Address address, Unended ended) {
    remove(address, turn -> turn.instanceId().equals(ended.instanceId()));
  }

  private void remove(Address address, Predicate<Unended> which) {
    unended.computeIfPresent(
        address.machine(),
        (_, all) -> {
          all.removeIf(which);
          return all.isEmpty() ? null : all;
        });
  }

  private static String seat(Address address) {
    return address.base();
  }
}
