package harness.client;

import com.fasterxml.jackson.databind.JsonNode;
import harness.api.WorkspaceAnswer;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The Turns of an orchestrator on one Harness. A Turn is minted, then admitted, then awaited; what
 * each step answers is plain data to persist, with which another process goes on.
 *
 * <p>A continued address has one live Turn: a second one is refused here. A Turn that was left, or
 * that is not known to have ended, is aborted before the next one of its Machine instance is
 * admitted. A Harness that is given up bumps the epoch of the address.
 */
public final class Orchestrator {
  /** How many epochs of an address are ended where it is not known on which an admission landed. */
  private static final int MAX_EPOCHS = 64;

  private final HarnessClient harness;
  private final EpochLedger ledger;
  private final LiveTurns live = new LiveTurns();

  public Orchestrator(HarnessClient harness, EpochLedger ledger) {
    this.harness = harness;
    this.ledger = ledger;
  }

  /**
   * Mints a Turn and finds where it works.
   *
   * @param workspace as {@link HarnessClient#workspace} answers it, or as it was attached
   * @param key new for each Turn; without one a request that may have arrived is never sent again
   * @throws UnsettledException where there is no cwd and several slots, or one and no workspace;
   *     nothing was sent
   */
  public Minted mint(
      Invocation invocation, TurnInput input, WorkspaceAnswer workspace, Optional<String> key)
      throws UnsettledException {
    return Minted.of(invocation, input, workspace, ledger.entry(invocation.address()), key);
  }

  /**
   * Admits a Turn, once nothing before it in its Machine instance can still run.
   *
   * @throws UnsettledException where it is refused, here or there, or no Harness could be reached
   */
  public Admission admit(Minted minted) throws UnsettledException, InterruptedException {
    return live.alone(
        minted.address(),
        () -> {
          boolean took = minted.continues() && live.take(minted);
          boolean admitted = false;
          try {
            endWhatMayRun(minted);
            Admission admission = send(minted);
            live.admitted(admission);
            ledger.admitted(admission);
            admitted = true;
            return admission;
          } finally {
            if (took && !admitted) {
              live.free(minted.address());
            }
          }
        });
  }

  private Admission send(Minted minted) throws UnsettledException, InterruptedException {
    try {
      return harness.admit(minted);
    } catch (UnsettledException e) {
      if (e.mayHaveArrived()) {
        mayRun(minted);
      }
      if (minted.continues() && e.outcome() instanceof Outcome.Unreachable) {
        ledger.bump(minted.address(), minted.epoch());
      }
      throw e;
    } catch (InterruptedException e) {
      mayRun(minted);
      throw e;
    }
  }

  private void endWhatMayRun(Minted minted) throws UnsettledException, InterruptedException {
    Optional<LiveTurns.Unended> before = live.first(minted);
    while (before.isPresent()) {
      end(before.get());
      live.forget(minted.address(), before.get());
      before = live.first(minted);
    }
  }

  private void end(LiveTurns.Unended turn) throws UnsettledException, InterruptedException {
    if (turn.guessed().isEmpty()) {
      boolean _ = abort(turn.agent(), turn.instanceId());
      return;
    }
    // The Harness may know of burns that the ledger does not; beyond the newest nothing is held.
    LiveTurns.Guess guess = turn.guessed().get();
    boolean held = true;
    for (int epoch = guess.epoch(); held && epoch - guess.epoch() < MAX_EPOCHS; epoch++) {
      held = abortIfHeld(turn.agent(), guess.address().at(epoch)).isPresent();
    }
  }

  /** Of a conversation that is not held nothing can run. */
  private boolean abort(String agent, String instanceId)
      throws UnsettledException, InterruptedException {
    return abortIfHeld(agent, instanceId).orElse(false);
  }

  /** Empty where the conversation is not held. */
  private Optional<Boolean> abortIfHeld(String agent, String instanceId)
      throws UnsettledException, InterruptedException {
    try {
      return Optional.of(harness.abort(agent, instanceId));
    } catch (UnsettledException e) {
      if (e.outcome() instanceof Outcome.Lost) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** A fresh conversation has a name that only the answer says: it can't be ended without. */
  private void mayRun(Minted minted) {
    if (minted.continues()) {
      live.mayRun(minted.address(), LiveTurns.Unended.of(minted));
    }
  }

  /**
   * Waits for the end of a Turn, over restarts of the Harness and of its own.
   *
   * @param progress hears each event of the conversation from the admission on
   */
  public Outcome await(Admission admission, Consumer<JsonNode> progress)
      throws InterruptedException {
    live.awaited(admission);
    Outcome outcome = harness.await(admission.bookmark(), progress);
    switch (outcome) {
      case Outcome.Failed failed ->
          failed
              .fault()
              .ifPresent(
                  fault ->
                      ledger.fault(admission.address().agent(), admission.instanceId(), fault));
      case Outcome.Completed _, Outcome.Aborted _, Outcome.Lost _ -> {}
      case Outcome.Denied _, Outcome.Refused _ -> live.left(admission);
      case Outcome.Unreachable _ -> {
        live.left(admission);
        if (admission.continues()) {
          ledger.bump(admission.address(), admission.epoch());
        }
      }
    }
    live.ended(admission);
    return outcome;
  }

  /**
   * Leaves a Turn: returns once its end is answered. Where that fails, the next admission of its
   * Machine instance ends it first.
   *
   * @return whether it ran or waited still
   */
  public boolean abort(Admission admission) throws UnsettledException, InterruptedException {
    if (!live.left(admission)) {
      return false;
    }
    return live.alone(
        admission.address(),
        () -> {
          if (!live.mayRun(admission)) {
            // The next admission was quicker and has ended it; what lives there now is another one.
            return false;
          }
          LiveTurns.Unended turn = LiveTurns.Unended.of(admission);
          boolean aborted = abort(turn.agent(), turn.instanceId());
          live.forget(admission.address(), turn);
          live.ended(admission);
          return aborted;
        });
  }

  /** Reads the feed of faults to its end. */
  public void catchUp() throws UnsettledException, InterruptedException {
    boolean atEnd = false;
    while (!atEnd) {
      atEnd = read(false);
    }
  }

  /** Follows the feed of faults until it is interrupted or denied. */
  public void follow() throws UnsettledException, InterruptedException {
    while (!Thread.interrupted()) {
      read(true);
    }
    throw new InterruptedException("the feed of faults was followed until here");
  }

  private boolean read(boolean parks) throws UnsettledException, InterruptedException {
    String offset = ledger.faultsOffset();
    try {
      HarnessClient.Faults faults = harness.faults(offset, parks);
      ledger.read(faults);
      return faults.upToDate();
    } catch (UnsettledException e) {
      boolean otherState =
          !offset.isEmpty()
              && e.outcome() instanceof Outcome.Refused refused
              && refused.field().equals("offset");
      if (!otherState) {
        throw e;
      }
      ledger.readFromStart();
      return false;
    }
  }
}
