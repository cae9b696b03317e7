package harness.conversation;

import harness.fault.Fault;
import harness.store.Appended;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What is appended to a conversation that is awake, its admissions apart, and who hears of it: its
 * readers, the count of what is unsettled, the feed of faults. Guarded by the conversation's lock.
 */
final class Appends {
  private final Log log;
  private final Dispatch dispatch;
  private final Readers readers;
  private int parked;
  private int counted;

  Appends(Log log, Dispatch dispatch, Readers readers) {
    this.log = log;
    this.dispatch = dispatch;
    this.readers = readers;
  }

  /** Stores events that claim nothing. */
  void store(List<Event> events) {
    store(new Endings.Ending(events, Optional.empty(), Optional.empty()));
  }

  /** Stores an end whose claim nobody else can have taken. */
  void store(Endings.Ending ending) {
    require(tryStore(ending));
  }

  /**
   * Stores the end that a fault makes. An address that a caller took further meanwhile is not
   * bumped again.
   */
  void fail(Fault fault, Function<Optional<Burn>, Endings.Ending> ending) {
    Optional<Burn> burn = Burn.of(log.instance(), fault);
    Appended answer = tryStore(ending.apply(burn));
    if (answer instanceof Appended.EpochTaken taken) {
      answer = tryStore(ending.apply(burn.map(one -> one.to(taken.largest().epoch()))));
    }
    require(answer);
  }

  private Appended tryStore(Endings.Ending ending) {
    Appended answer =
        log.append(
            ending.events(),
            ending.claim().stream().toList(),
            ending.report().map(EventCodec::encode).stream().toList());
    if (answer instanceof Appended.Stored) {
      // First, so that at no moment more seems to wait for answers than does.
      park();
      count();
      readers.tell(new Subscription.Signal.Landed(log.state().events()));
      ending.report().ifPresent(_ -> dispatch.faults().grew());
    }
    return answer;
  }

  /** While a Turn waits for an answer, nothing of its conversation ends by itself. */
  void park() {
    ConversationState state = log.state();
    park(state.pause().isEmpty() ? 0 : state.unsettled().size());
  }

  /** It goes to sleep; what of it is unsettled, because it can't be read, is not waited for. */
  void leave() {
    park(0);
    count(0);
  }

  /** Takes a place for one more unsettled Submission; it is given back unless it is admitted. */
  void reserve() {
    dispatch.reserve(log.instance(), log.state().waiting());
    counted++;
  }

  /**
   * Counts what is unsettled.
   *
   * @param unsettled how many Submissions are, as far as that is known
   */
  void count(int unsettled) {
    int more = unsettled - counted;
    counted = unsettled;
    dispatch.count(more);
  }

  /** Counts what is unsettled as the log has it. */
  void count() {
    count(log.state().unsettled().size());
  }

  private void park(int waits) {
    int more = waits - parked;
    parked = waits;
    dispatch.park(more);
  }

  private void require(Appended answer) {
    if (!(answer instanceof Appended.Stored)) {
      throw new IllegalStateException("an append to " + log.instance() + " was answered " + answer);
    }
  }
}
