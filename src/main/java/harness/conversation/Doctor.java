package harness.conversation;

import harness.store.CorruptEventException;
import harness.store.Held;
import harness.store.StateReader;
import harness.store.StoreUnableException;
import harness.store.StoredEvent;
import harness.store.StoredFault;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks a state directory: the file itself, each event, each fold, and the feed of faults. */
public final class Doctor {
  private static final int PAGE = 256;

  private final StateReader state;
  private final List<String> wrong = new ArrayList<>();
  private long events;
  private long bytes;

  private Doctor(StateReader state) {
    this.state = state;
  }

  /**
   * What was found.
   *
   * @param conversations how many are held
   * @param unsettled Submissions that wait or were running
   * @param bytes how many bytes their events have
   * @param wrong a sentence for each thing that is not as it has to be
   */
  public record Findings(
      int conversations, long events, long bytes, long unsettled, long faults, List<String> wrong) {
    public Findings {
      wrong = List.copyOf(wrong);
    }
  }

  /** Reads everything once. */
  public static Findings examine(StateReader state) {
    return new Doctor(state).examine();
  }

  private Findings examine() {
    state.damages().forEach(damage -> wrong.add(state.file() + ": " + damage));
    List<Held> held = state.held();
    held.forEach(this::conversation);
    long faults = faults();
    long unsettled = held.stream().mapToLong(Held::unsettled).sum();
    return new Findings(held.size(), events, bytes, unsettled, faults, wrong);
  }

  private void conversation(Held held) {
    try {
      ConversationState folded = ConversationState.NEW;
      for (List<StoredEvent> page = page(held, 0);
          !page.isEmpty();
          page = page(held, folded.events())) {
        for (StoredEvent event : page) {
          folded = folded.apply(EventCodec.decode(event).event());
          bytes += event.body().length;
        }
      }
      events += folded.events();
      compare(held, folded);
    } catch (CorruptEventException | UncheckedIOException | StoreUnableException e) {
      wrong.add(
          "conversation "
              + held.instance()
              + " can't be read: "
              + e.getMessage()
              + "; the next Turn that continues it begins a new one");
    }
  }

  private List<StoredEvent> page(Held held, long from) {
    return state.read(held.instance(), from, PAGE);
  }

  private void compare(Held held, ConversationState folded) {
    // A Harness that runs meanwhile may have added to it, or freed it, since it was listed.
    Optional<Held> now = state.find(held.instance());
    if (!now.equals(Optional.of(held))) {
      return;
    }
    if (folded.events() != held.events()) {
      wrong.add(
          "conversation %s has %d events, and its row says %d"
              .formatted(held.instance(), folded.events(), held.events()));
    }
    if (folded.unsettled().size() != held.unsettled()) {
      wrong.add(
          "conversation %s has %d unsettled Submissions, and its row says %d"
              .formatted(held.instance(), folded.unsettled().size(), held.unsettled()));
    }
  }

  private long faults() {
    long count = 0;
    long next = 0;
    while (true) {
      List<StoredFault> page = state.faults(next, PAGE);
      for (StoredFault fault : page) {
        try {
          EventCodec.decodeReport(fault.body());
        } catch (UncheckedIOException e) {
          wrong.add("fault " + fault.place() + " of the feed: " + e.getMessage());
        }
        next = fault.place() + 1;
      }
      count += page.size();
      if (page.size() < PAGE) {
        return count;
      }
    }
  }
}
