package harness.conversation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What happened in a conversation that its model is told once, beside the next prompt.
 *
 * @param resolved what became of proposals; of many, the newest
 * @param memory the last call that ran out of memory
 */
public record News(List<Event.ProposalResolved> resolved, Optional<Event.MemoryLimit> memory) {
  static final News NONE = new News(List.of(), Optional.empty());

  /** How many resolved proposals are told at once. */
  private static final int MAX_RESOLVED = 20;

  public News {
    resolved =
        List.copyOf(resolved.subList(Math.max(0, resolved.size() - MAX_RESOLVED), resolved.size()));
  }

  News with(Event.ProposalResolved one) {
    List<Event.ProposalResolved> more = new ArrayList<>(resolved);
    more.add(one);
    return new News(more, memory);
  }

  News with(Event.MemoryLimit one) {
    return new News(resolved, Optional.of(one));
  }
}
