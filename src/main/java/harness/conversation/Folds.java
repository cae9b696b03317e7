package harness.conversation;

import harness.agent.Instance;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The folds of the conversations that went to sleep last, so that waking a long one does not read
 * all of it. Only those with nothing unsettled are kept, which are light.
 */
final class Folds {
  /** How many are kept. */
  static final int CONVERSATIONS = 4_096;

  private record Fold(String life, ConversationState state) {}

  private final Map<Instance, Fold> folds =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Instance, Fold> eldest) {
          return size() > CONVERSATIONS;
        }
      };

  /** Keeps how a conversation stands; it may go on, but in this life it will have begun so. */
  synchronized void keep(Instance instance, String life, ConversationState state) {
    if (state.events() > 0 && state.unsettled().isEmpty()) {
      folds.put(instance, new Fold(life, state));
    }
  }

  /** How a conversation stood in this life of it. */
  synchronized Optional<ConversationState> get(Instance instance, String life) {
    return Optional.ofNullable(folds.get(instance))
        .filter(fold -> fold.life().equals(life))
        .map(Fold::state);
  }

  synchronized void forget(Instance instance) {
    folds.remove(instance);
  }
}
