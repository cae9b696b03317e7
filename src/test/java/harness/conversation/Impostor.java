package harness.conversation;

import harness.agent.Instance;
import harness.author.Actor;
import harness.author.Permission;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Runs each Turn by an attempt of its own, as if another had asked for it. */
public final class Impostor implements Turns {
  private final Turns turns;
  private final AtomicReference<Conversations> conversations;
  private final Optional<Actor> author;
  private final Optional<Actor> actsFor;

  /**
   * @param author who is said to have started the segment; empty: who did
   * @param actsFor whom the agent is said to act for; empty: whom it does
   */
  public Impostor(
      Turns turns,
      AtomicReference<Conversations> conversations,
      Optional<Actor> author,
      Optional<Actor> actsFor) {
    this.turns = turns;
    this.conversations = conversations;
    this.author = author;
    this.actsFor = actsFor;
  }

  /** Turns as a core without a fence would run them: nobody can end the attempt they present. */
  public static Impostor unfenced(Turns turns, AtomicReference<Conversations> conversations) {
    return new Impostor(turns, conversations, Optional.empty(), Optional.empty());
  }

  @Override
  public Outcome run(Attempt attempt) throws EndedException, InterruptedException {
    Transcript transcript = new Transcript();
    Conversations all = conversations.get();
    all.read(attempt.instance(), 0, Integer.MAX_VALUE)
        .forEach(one -> transcript.apply(one.event()));
    Attempt.Segment segment =
        new Attempt.Segment(
            author.orElse(attempt.author()),
            actsFor
                .map(other -> new Actor.Agent(attempt.actor().id(), Optional.of(other)))
                .orElse(attempt.actor()),
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
