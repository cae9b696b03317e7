package harness.conversation;

import harness.agent.Instance;
import harness.author.Actor;
import harness.author.Permission;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Turns as a core without a fence would run them: nobody can end the attempt that they present. */
public final class Unfenced implements Turns {
  private final Turns turns;
  private final AtomicReference<Conversations> conversations;

  public Unfenced(Turns turns, AtomicReference<Conversations> conversations) {
    this.turns = turns;
    this.conversations = conversations;
  }

  @Override
  public Outcome run(Attempt attempt) throws EndedException, InterruptedException {
    Conversations all = conversations.get();
    Transcript transcript = new Transcript();
    all.read(attempt.instance(), 0, Integer.MAX_VALUE)
        .forEach(one -> transcript.apply(one.event()));
    Attempt.Segment segment =
        new Attempt.Segment(
            attempt.author(),
            attempt.actor(),
            attempt.provenance(),
            attempt.answer(),
            attempt.usage());
    return turns.run(
        new Attempt(all.open(attempt.instance()), attempt.submission(), segment, transcript));
  }

  @Override
  public Optional<String> briefing(Submission submission, Asides asides) {
    return turns.briefing(submission, asides);
  }

  @Override
  public boolean permits(Actor actor, Permission permission, Instance instance) {
    return turns.permits(actor, permission, instance);
  }

  @Override
  public void release(Instance instance) {
    turns.release(instance);
  }
}
