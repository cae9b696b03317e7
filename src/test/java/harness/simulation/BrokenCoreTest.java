package harness.simulation;

import static org.junit.jupiter.api.Assertions.fail;

import harness.agent.Instance;
import harness.author.Actor;
import harness.author.Permission;
import harness.conversation.Attempt;
import harness.conversation.Conversations;
import harness.conversation.Decoded;
import harness.conversation.EndedException;
import harness.conversation.Event;
import harness.conversation.Impostor;
import harness.conversation.Limits;
import harness.conversation.Settlement;
import harness.conversation.Submission;
import harness.conversation.Tasks;
import harness.conversation.Turns;
import harness.fault.FaultClass;
import harness.model.Usage;
import harness.simulation.SimulatedProcess.Core;
import harness.store.Append;
import harness.store.Appended;
import harness.store.Claim;
import harness.store.EventStore;
import harness.store.Held;
import harness.store.Opening;
import harness.store.StoreProxy;
import harness.store.StoredEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The simulation itself: it sees what is broken on purpose, whatever that is, within some seeds.
 */
@ExtendWith(Hushed.class)
class BrokenCoreTest {
  /** Within how many seeds each has to be seen. */
  private static final int SEEDS = 3_000;

  /**
   * Fails where no seed sees it as what it is; which law is broken first depends on the seed.
   *
   * @param law a part of what the law that sees it says
   */
  private static void requireSeen(String law, Core core) throws InterruptedException {
    long next = 1;
    List<String> told = new ArrayList<>();
    while (next <= SEEDS) {
      Optional<String> seen = Seeds.run(next, seed -> seed <= SEEDS, () -> core, new Figures());
      if (seen.isEmpty()) {
        break;
      }
      told.add(seen.get().lines().findFirst().orElse(""));
      if (told.getLast().contains("broken: ") && told.getLast().contains(law)) {
        System.out.println("broken on purpose: " + told.getLast());
        return;
      }
      next = Long.parseLong(told.getLast().split(" ")[1]) + 1;
    }
    fail("no seed sees it as '" + law + "', but as " + told);
  }

  private static Core store(UnaryOperator<EventStore> broken) {
    return new Core() {
      @Override
      public EventStore store(EventStore store, Tasks tasks) {
        return broken.apply(store);
      }
    };
  }

  private static Core appending(UnaryOperator<Append> changed) {
    return store(
        store ->
            new StoreProxy(store) {
              @Override
              public Appended append(Append append) {
                return store.append(changed.apply(append));
              }
            });
  }

  private static Core tasks(UnaryOperator<Tasks> broken) {
    return new Core() {
      @Override
      public Tasks tasks(Tasks tasks) {
        return broken.apply(tasks);
      }
    };
  }

  private static Append with(Append of, List<Claim> claims, List<byte[]> faults) {
    return new Append(
        of.instance(),
        of.life(),
        of.expected(),
        of.at(),
        of.events(),
        claims,
        faults,
        of.unsettled());
  }

  @Test
  void aStoreThatForgetsAnAcknowledgedAppend() throws Exception {
    requireSeen(
        "lost",
        store(
            store ->
                new StoreProxy(store) {
                  private int admissions;

                  @Override
                  public Appended append(Append append) {
                    Event first = Decoded.event(append.events().getFirst());
                    boolean forgets =
                        first instanceof Event.SubmissionAdmitted && ++admissions % 10 == 0;
                    return forgets ? new Appended.Stored() : super.append(append);
                  }
                }));
  }

  @Test
  void aStoreThatAcknowledgesBeforeItHasCommitted() throws Exception {
    requireSeen(
        "lost",
        new Core() {
          @Override
          public EventStore store(EventStore store, Tasks tasks) {
            return new StoreProxy(store) {
              @Override
              public Appended append(Append append) {
                tasks.start("late writer", () -> store.append(append));
                return new Appended.Stored();
              }
            };
          }
        });
  }

  @Test
  void aStoreThatIgnoresKeys() throws Exception {
    requireSeen(
        "doubled",
        store(
            store ->
                new StoreProxy(store) {
                  @Override
                  public Optional<Claim.Key> key(String scope, String key) {
                    return Optional.empty();
                  }

                  @Override
                  public Appended append(Append append) {
                    Appended answer = store.append(append);
                    return answer instanceof Appended.KeyTaken
                        ? store.append(without(Claim.Key.class, append))
                        : answer;
                  }
                }));
  }

  private static Append without(Class<? extends Claim> kind, Append append) {
    List<Claim> others = append.claims().stream().filter(claim -> !kind.isInstance(claim)).toList();
    return with(append, others, append.faults());
  }

  @Test
  void aStoreThatIgnoresEpochs() throws Exception {
    requireSeen("bumps", appending(append -> without(Claim.Epoch.class, append)));
  }

  @Test
  void aStoreThatIgnoresTheExpectedSequence() throws Exception {
    requireSeen(
        "two lives",
        store(
            store ->
                new StoreProxy(store) {
                  @Override
                  public Appended append(Append append) {
                    Optional<Held> held = store.find(append.instance());
                    return store.append(
                        new Append(
                            append.instance(),
                            held.map(Held::life).orElse(append.life()),
                            held.map(Held::events).orElse(0L),
                            append.at(),
                            append.events(),
                            append.claims(),
                            append.faults(),
                            append.unsettled()));
                  }
                }));
  }

  @Test
  void aSettlementThatIsStoredTwice() throws Exception {
    requireSeen(
        "settles",
        appending(
            append -> {
              List<byte[]> events = new ArrayList<>(append.events());
              for (byte[] event : append.events()) {
                if (Decoded.event(event) instanceof Event.SubmissionSettled) {
                  events.add(event);
                }
              }
              return new Append(
                  append.instance(),
                  append.life(),
                  append.expected(),
                  append.at(),
                  events,
                  append.claims(),
                  append.faults(),
                  append.unsettled());
            }));
  }

  @Test
  void anAbortThatAnswersBeforeItIsStored() throws Exception {
    requireSeen(
        "the abort left",
        new Core() {
          @Override
          public EventStore store(EventStore store, Tasks tasks) {
            return new StoreProxy(store) {
              @Override
              public Appended append(Append append) {
                boolean aborts =
                    append.events().stream()
                        .anyMatch(
                            event ->
                                Decoded.event(event) instanceof Event.SubmissionSettled settled
                                    && settled.settlement() instanceof Settlement.Aborted);
                if (!aborts) {
                  return super.append(append);
                }
                tasks.start("late writer", () -> store.append(append));
                return new Appended.Stored();
              }
            };
          }
        });
  }

  @Test
  void aReadWhoseOffsetsChangeTheirMeaning() throws Exception {
    requireSeen(
        "another event",
        store(
            store ->
                new StoreProxy(store) {
                  private int reads;

                  @Override
                  public List<StoredEvent> read(Instance instance, long from, int atMost) {
                    List<StoredEvent> events = new ArrayList<>(store.read(instance, from, atMost));
                    if (++reads % 7 == 0 && events.size() > 1) {
                      StoredEvent one = events.get(0);
                      StoredEvent two = events.get(1);
                      events.set(
                          0, new StoredEvent(one.sequence(), one.index(), one.at(), two.body()));
                      events.set(
                          1, new StoredEvent(two.sequence(), two.index(), two.at(), one.body()));
                    }
                    return events;
                  }
                }));
  }

  @Test
  void aStoreThatTellsAFaultTwice() throws Exception {
    requireSeen(
        "feed of faults",
        appending(
            append -> {
              List<byte[]> twice = new ArrayList<>(append.faults());
              twice.addAll(append.faults());
              return with(append, append.claims(), twice);
            }));
  }

  @Test
  void aStoreThatForgetsTheBurnOfWhatWasFreed() throws Exception {
    requireSeen(
        "was burned and begins anew",
        store(
            store ->
                new StoreProxy(store) {
                  @Override
                  public Opening opening(Instance instance) {
                    return new Opening(store.opening(instance).held(), Optional.empty(), false);
                  }
                }));
  }

  @Test
  void aStartThatForgetsWhatWaits() throws Exception {
    requireSeen(
        "lost",
        store(
            store ->
                new StoreProxy(store) {
                  @Override
                  public List<Held> unsettled() {
                    return List.of();
                  }
                }));
  }

  @Test
  void aReadThatLosesTheResultOfACall() throws Exception {
    requireSeen(
        "calls without results",
        store(
            store ->
                new StoreProxy(store) {
                  @Override
                  public List<StoredEvent> read(Instance instance, long from, int atMost) {
                    return store.read(instance, from, atMost).stream()
                        .map(BrokenCoreTest::withoutResult)
                        .toList();
                  }
                }));
  }

  @Test
  void aPickThatIsForgottenInItsSettlement() throws Exception {
    requireSeen(
        "settles with",
        turns(
            ending ->
                ending.last().isEmpty()
                    ? ending
                    : new Turns.Ending(new Settlement.Completed(), ending.usage(), ending.last())));
  }

  @Test
  void aTurnThatCompletesAlthoughItOwesAPick() throws Exception {
    requireSeen(
        "completes without its pick",
        turns(
            ending ->
                ending.settlement() instanceof Settlement.Failed failed
                        && failed.fault().faultClass() == FaultClass.NO_SIGNAL
                    ? new Turns.Ending(new Settlement.Completed(), ending.usage())
                    : ending));
  }

  private static Core turns(UnaryOperator<Turns.Ending> changed) {
    return new Core() {
      @Override
      public Turns turns(Turns turns, AtomicReference<Conversations> conversations) {
        return new Turns() {
          @Override
          public boolean permits(Actor actor, Permission permission, Instance instance) {
            return turns.permits(actor, permission, instance);
          }

          @Override
          public Optional<String> briefing(Submission submission, Asides asides) {
            return turns.briefing(submission, asides);
          }

          @Override
          public Outcome run(Attempt attempt) throws EndedException, InterruptedException {
            return switch (turns.run(attempt)) {
              case Ending ending -> changed.apply(ending);
              case Pause pause -> pause;
            };
          }

          @Override
          public void release(Instance instance) {
            turns.release(instance);
          }
        };
      }
    };
  }

  @Test
  void aReadThatLosesThatATurnBeganAnew() throws Exception {
    requireSeen(
        "was asked",
        store(
            store ->
                new StoreProxy(store) {
                  @Override
                  public List<StoredEvent> read(Instance instance, long from, int atMost) {
                    return store.read(instance, from, atMost).stream()
                        .map(event -> without(Event.Rerolled.class, event))
                        .toList();
                  }
                }));
  }

  @Test
  void aReadThatLosesThatASummaryTookThePlaceOfMessages() throws Exception {
    requireSeen(
        "was asked",
        store(
            store ->
                new StoreProxy(store) {
                  @Override
                  public List<StoredEvent> read(Instance instance, long from, int atMost) {
                    return store.read(instance, from, atMost).stream()
                        .map(event -> without(Event.Compacted.class, event))
                        .toList();
                  }
                }));
  }

  @Test
  void aSummaryThatPartsACallFromItsResult() throws Exception {
    requireSeen(
        "is compacted between a call and its result",
        appending(
            append ->
                new Append(
                    append.instance(),
                    append.life(),
                    append.expected(),
                    append.at(),
                    append.events().stream().map(BrokenCoreTest::keepingOneLess).toList(),
                    append.claims(),
                    append.faults(),
                    append.unsettled())));
  }

  private static byte[] keepingOneLess(byte[] body) {
    return Decoded.event(body) instanceof Event.Compacted e
        ? Decoded.body(
            new Event.Compacted(
                e.submissionId(), e.summary(), e.kept() - 1, e.tokensBefore(), e.tokensAfter()))
        : body;
  }

  private static StoredEvent withoutResult(StoredEvent event) {
    return without(Event.ToolReturned.class, event);
  }

  private static StoredEvent without(Class<? extends Event> kind, StoredEvent event) {
    Event other = new Event.SubmissionSettled("nobody's", new Settlement.Completed(), Usage.NONE);
    return kind.isInstance(Decoded.event(event.body()))
        ? new StoredEvent(event.sequence(), event.index(), event.at(), Decoded.body(other))
        : event;
  }

  @Test
  void aTurnThatIsRunTwice() throws Exception {
    requireSeen(
        "",
        tasks(
            tasks ->
                new TasksProxy(tasks) {
                  @Override
                  public Thread start(String name, Runnable task) {
                    if (name.startsWith("turn")) {
                      tasks.start(name, task);
                    }
                    return tasks.start(name, task);
                  }
                }));
  }

  @Test
  void aTurnThatIsNeverRun() throws Exception {
    requireSeen(
        "lost",
        tasks(
            tasks ->
                new TasksProxy(tasks) {
                  private int turns;

                  @Override
                  public Thread start(String name, Runnable task) {
                    boolean forgets = name.startsWith("turn") && ++turns % 10 == 0;
                    return tasks.start(name, forgets ? () -> {} : task);
                  }
                }));
  }

  @Test
  void locksThatKeepNobodyApart() throws Exception {
    requireSeen(
        "",
        tasks(
            tasks ->
                new TasksProxy(tasks) {
                  @Override
                  public Lock lock() {
                    return new OpenLock(tasks.lock());
                  }
                }));
  }

  @Test
  void anAttemptThatIsNotFenced() throws Exception {
    requireSeen(
        "after the end of its Turn",
        new Core() {
          @Override
          public Turns turns(Turns turns, AtomicReference<Conversations> conversations) {
            return Impostor.unfenced(turns, conversations);
          }
        });
  }

  private static Core impostor(Optional<Actor> author, Optional<Actor> actsFor) {
    return new Core() {
      @Override
      public Turns turns(Turns turns, AtomicReference<Conversations> conversations) {
        return new Impostor(turns, conversations, author, actsFor);
      }
    };
  }

  @Test
  void aTurnThatTakesWhatAnotherAuthorWrote() throws Exception {
    requireSeen(
        "of another author rides",
        impostor(Optional.of(new Actor.User("alice")), Optional.empty()));
  }

  @Test
  void aCallThatIsMadeForAnotherThanItsSegmentsAuthor() throws Exception {
    requireSeen(
        "is not made for", impostor(Optional.empty(), Optional.of(new Actor.User("alice"))));
  }

  @Test
  void aTurnThatStartsWithoutAskingWhetherItMay() throws Exception {
    requireSeen(
        "may not start",
        new Core() {
          @Override
          public Turns turns(Turns turns, AtomicReference<Conversations> conversations) {
            return new Turns() {
              @Override
              public Optional<String> briefing(Submission submission, Asides asides) {
                return turns.briefing(submission, asides);
              }

              @Override
              public Outcome run(Attempt attempt) throws EndedException, InterruptedException {
                return turns.run(attempt);
              }

              @Override
              public void release(Instance instance) {
                turns.release(instance);
              }
            };
          }
        });
  }

  @Test
  void anAbortThatLeavesRunningWhatRan() throws Exception {
    requireSeen(
        "was not ended",
        new Core() {
          @Override
          public Turns turns(Turns turns, AtomicReference<Conversations> conversations) {
            return new Turns() {
              @Override
              public boolean permits(Actor actor, Permission permission, Instance instance) {
                return turns.permits(actor, permission, instance);
              }

              @Override
              public Optional<String> briefing(Submission submission, Asides asides) {
                return turns.briefing(submission, asides);
              }

              @Override
              public Outcome run(Attempt attempt) throws EndedException, InterruptedException {
                return turns.run(attempt);
              }

              @Override
              public void release(Instance instance) {}
            };
          }
        });
  }

  @Test
  void aQueueThatIsLongerThanItIsSaidToBe() throws Exception {
    requireSeen(
        "wait on",
        new Core() {
          @Override
          public Limits limits(Limits limits) {
            return new Limits(limits.liveTurns(), limits.queue() + 1, limits.queueTotal());
          }
        });
  }

  @Test
  void moreLiveTurnsThanAreAllowed() throws Exception {
    requireSeen(
        "are live",
        new Core() {
          @Override
          public Limits limits(Limits limits) {
            return new Limits(limits.liveTurns() + 1, limits.queue(), limits.queueTotal());
          }
        });
  }
}
