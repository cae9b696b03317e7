package harness.conversation;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import harness.agent.Definition;
import harness.agent.Dials;
import harness.agent.Frame;
import harness.author.Actor;
import harness.briefing.Notice;
import harness.menu.Menu;
import java.util.List;
import java.util.Optional;

/**
 * One admitted, queued unit of work.
 *
 * @param submissionId unique in the Harness
 * @param author who wrote it
 * @param definition the Agent as this admission brought it
 * @param frame the prompt, and the working directory as it was resolved at admission
 * @param dials the definition's defaults with the Turn's own over them
 * @param notices what the model is told once
 * @param menu what its Turn may end with; empty where that is text alone
 * @param delivery whether it may ride with a Turn of the same author
 * @param minted whether the Harness chose its conversation, and then asks for a missing pick and
 *     tries again itself; else that is its caller's
 */
public record Submission(
    String submissionId,
    Actor author,
    Definition definition,
    Frame frame,
    Dials dials,
    List<Notice> notices,
    Optional<Menu> menu,
    @JsonSetter(nulls = Nulls.AS_EMPTY) Delivery delivery,
    boolean minted) {
  public Submission {
    notices = List.copyOf(notices);
  }

  /** Whether one Turn can serve both: they work in the same place, by the same Agent, alike. */
  boolean suits(Submission other) {
    return definition.equals(other.definition)
        && frame.cwd().equals(other.frame.cwd())
        && dials.equals(other.dials)
        && menu.equals(other.menu);
  }

  /** What its Turn may end with, beside text. */
  public Menu picks() {
    return menu.orElse(Menu.NONE);
  }
}
