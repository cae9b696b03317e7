package harness.conversation;

import harness.agent.Definition;
import harness.agent.Dials;
import harness.agent.Frame;
import harness.author.Actor;
import harness.briefing.Notice;
import java.util.List;

/**
 * One admitted, queued unit of work.
 *
 * @param submissionId unique in the Harness
 * @param author who wrote it
 * @param definition the Agent as this admission brought it
 * @param frame the prompt, and the working directory as it was resolved at admission
 * @param dials the definition's defaults with the Turn's own over them
 * @param notices what the model is told once
 */
public record Submission(
    String submissionId,
    Actor author,
    Definition definition,
    Frame frame,
    Dials dials,
    List<Notice> notices) {
  public Submission {
    notices = List.copyOf(notices);
  }
}
