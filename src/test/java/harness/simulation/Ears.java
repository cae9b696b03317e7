package harness.simulation;

import harness.agent.Instance;
import harness.conversation.Conversations;
import harness.conversation.Decoded;
import harness.conversation.FaultFeed;
import harness.conversation.Recorded;
import harness.conversation.Subscription;
import harness.store.CorruptEventException;
import harness.store.Held;
import harness.store.StoreUnableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Who reads along: conversations from a place on, and the feed of faults. */
final class Ears {
  private static final int PAGE = 5;

  private final Scheduler scheduler;
  private final Law law;
  private final Chance chance;
  private final Witness witness;
  private final Disk disk;
  private long nextFault;
  private boolean over;

  Ears(Scheduler scheduler, Law law, Chance chance, Witness witness, Disk disk) {
    this.scheduler = scheduler;
    this.law = law;
    this.chance = chance;
    this.witness = witness;
    this.disk = disk;
  }

  /** Nothing happens any more: all that there is was told, or is when they ask once more. */
  void end() {
    over = true;
  }

  void goOn() {
    over = false;
  }

  /** Reads a conversation along until its process or the simulation ends, or it is freed. */
  void listen(Conversations conversations, Instance instance) {
    try {
      Optional<Held> held = conversations.find(instance);
      if (held.isPresent()) {
        listen(conversations, held.get());
      }
    } catch (StoreUnableException _) {
      scheduler.step();
    } catch (CorruptEventException e) {
      law.holds(disk.wasCorrupt(instance), () -> "not corrupt: " + Trace.shown(e));
    } catch (InterruptedException e) {
      throw scheduler.fail("a reader is interrupted: " + Trace.shown(e));
    }
  }

  private void listen(Conversations conversations, Held held) throws InterruptedException {
    Past past = witness.held(held.instance()).orElse(null);
    if (past == null || !past.life.equals(held.life())) {
      return;
    }
    long next = chance.below((int) held.events() + 1);
    long told = 0;
    try (Subscription ear = conversations.subscribe(held.instance(), chance.oneIn(2))) {
      while (true) {
        boolean last = over;
        Duration time = last ? Duration.ZERO : chance.upTo(Duration.ofSeconds(25));
        switch (ear.await(time)) {
          case Subscription.Signal.Landed(long events) -> {
            told = events;
            next = read(conversations, past, next, told);
          }
          case Subscription.Signal.Quiet _ -> {
            if (last) {
              long heard = told;
              law.holds(
                  past.freed() || heard == past.size(),
                  () -> "a reader heard of " + heard + " events of " + past);
              return;
            }
          }
          case Subscription.Signal.Closing _, Subscription.Signal.Overrun _ -> {
            return;
          }
          case Subscription.Signal.Delta _, Subscription.Signal.Output _ -> {}
        }
      }
    }
  }

  /** What is at an offset that was handed out is what was there before. */
  private long read(Conversations conversations, Past past, long from, long to) {
    long next = from;
    while (next < to) {
      List<Recorded> page = conversations.read(past.instance, next, PAGE);
      Optional<Held> still = conversations.find(past.instance);
      if (page.isEmpty() || still.filter(held -> held.life().equals(past.life)).isEmpty()) {
        return next;
      }
      for (Recorded one : page) {
        long place = next++;
        law.holds(
            one.sequence() == place
                && place < past.size()
                && Decoded.event(past.bodies.get((int) place)).equals(one.event()),
            () -> "a reader got another event at " + place + " of " + past + ": " + one);
      }
    }
    return next;
  }

  /** Follows the feed of faults from where it was left, through all processes. */
  void follow(FaultFeed feed) {
    try {
      while (true) {
        boolean last = over;
        Duration time = last ? Duration.ZERO : chance.upTo(Duration.ofSeconds(25));
        List<FaultFeed.Placed> found = feed.await(nextFault, PAGE, time);
        for (FaultFeed.Placed placed : found) {
          law.holds(
              placed.place() == nextFault
                  && nextFault < witness.faults().size()
                  && witness.faults().get((int) nextFault).equals(placed.report().orElseThrow()),
              () -> "the feed of faults has at " + nextFault + " " + placed);
          nextFault++;
        }
        if (last && found.isEmpty()) {
          law.holds(
              nextFault == witness.faults().size(),
              () -> "the feed of faults ends at " + nextFault);
          return;
        }
      }
    } catch (StoreUnableException _) {
      scheduler.step();
    } catch (InterruptedException e) {
      throw scheduler.fail("a follower of the faults is interrupted: " + Trace.shown(e));
    }
  }
}
