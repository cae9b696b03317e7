package harness.conversation;

import harness.author.Actor;
import harness.author.Provenance;
import java.util.Optional;

/**
 * Whom a conversation acts for, and whom it belongs to: two questions that have one answer most of
 * the time, which is why nobody reads the fields. That a Turn acts for no one, and that no Turn
 * runs, are two answers to the first.
 */
public final class Authorship {
  /** Of a conversation that holds nothing. */
  public static final Authorship NEW = new Authorship(Optional.empty(), Optional.empty());

  private final Optional<Actor> owner;
  private final Optional<Actor> acting;

  private Authorship(Optional<Actor> owner, Optional<Actor> acting) {
    this.owner = owner;
    this.acting = acting;
  }

  /** The same after one more event. */
  public Authorship apply(Event event) {
    return switch (event) {
      case Event.SubmissionAdmitted e ->
          new Authorship(owner.or(e::heir).or(() -> e.submission().author().actsFor()), acting);
      case Event.TurnStarted e -> actsFor(e.actor());
      case Event.TurnResumed e -> actsFor(e.actor());
      case Event.AwaitingAnswer _ -> new Authorship(owner, Optional.empty());
      case Event.SubmissionSettled e when e.joined().isEmpty() ->
          new Authorship(owner, Optional.empty());
      case Event.SubmissionSettled _,
          Event.MessageJoined _,
          Event.PromptAppended _,
          Event.ReplyAppended _,
          Event.ToolCalled _,
          Event.ToolReturned _,
          Event.Answered _,
          Event.Proposed _,
          Event.ProposalResolved _,
          Event.MemoryLimit _,
          Event.Picked _,
          Event.Nudged _,
          Event.Rerolled _,
          Event.Compacted _ ->
          this;
    };
  }

  private Authorship actsFor(Actor.Agent agent) {
    return new Authorship(owner, Optional.of(agent.onBehalfOf().orElseGet(Actor.System::new)));
  }

  /**
   * Whom the Turn that runs is for: what is authorised, and where replies go, asks this. The system
   * where it is for no one; empty where no Turn runs.
   */
  public Optional<Actor> actingAuthor() {
    return acting;
  }

  /** Whom the conversation belongs to: the first author of its address that acted for someone. */
  public Optional<Actor> restingOwner() {
    return owner;
  }

  /**
   * Whom something is for that may be written while no Turn runs. Not for what is authorised: the
   * owner is not who asked.
   */
  public Optional<Actor> actingAuthorOrOwner() {
    return acting.or(() -> owner);
  }

  /** The provenance of what an author says here. */
  public Provenance of(Actor author) {
    return Provenance.of(author, owner);
  }

  /** The provenance of what happens here now. */
  Provenance now() {
    return of(actingAuthorOrOwner().orElseGet(Actor.System::new));
  }
}
