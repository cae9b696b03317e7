package harness.admission;

import harness.agent.Address;
import harness.agent.Definition;
import harness.agent.Instance;
import harness.agent.ModelName;
import harness.agent.ThinkingLevel;
import harness.author.Actor;
import harness.briefing.Notice;
import harness.conversation.Delivery;
import harness.menu.Menu;
import java.util.List;
import java.util.Optional;

/**
 * What a caller asks for, well formed but not yet checked against what is there.
 *
 * @param cwd the working directory as the caller gave it
 * @param model the Turn's own model, over the definition's
 * @param thinkingLevel the Turn's own level, over the definition's
 * @param menu what the Turn may end with, beside text
 * @param delivery whether it may ride with a Turn of the same author
 * @param key the idempotency key, where there is one
 */
public record AdmissionRequest(
    Destination destination,
    Definition definition,
    String prompt,
    Optional<String> cwd,
    Optional<ModelName> model,
    Optional<ThinkingLevel> thinkingLevel,
    Actor author,
    List<Notice> notices,
    Menu menu,
    Delivery delivery,
    Optional<IdempotencyKey> key) {
  public AdmissionRequest {
    notices = List.copyOf(notices);
  }

  /** Which conversation is meant. */
  public sealed interface Destination {
    /** What an idempotency key is unique within. */
    String scope();

    /**
     * By structure: the Harness mints the Instance ID.
     *
     * @param epoch the caller's ledger; the larger of it and the Harness's own is minted
     * @param expectHeld whether the caller expects the continued conversation to be held
     */
    record Structural(Address address, boolean continues, int epoch, boolean expectHeld)
        implements Destination {
      @Override
      public String scope() {
        return "address " + address;
      }
    }

    /** Exactly that conversation. */
    record Exact(Instance instance) implements Destination {
      @Override
      public String scope() {
        return "conversation " + instance;
      }
    }
  }

  /**
   * A caller's name for this request, so that sending it twice admits it once.
   *
   * @param digest SHA-256 of what the body means
   */
  public record IdempotencyKey(String value, byte[] digest) {}
}
