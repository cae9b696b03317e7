package harness.conversation;

import harness.store.CorruptEventException;
import harness.store.StoreUnableException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.util.Optional;

/**
 * How a conversation is read from its store: when it wakes, at the start of the process, and again
 * after the store could not take something. Guarded by the conversation's lock.
 */
final class Recovery {
  private static final System.Logger LOG = System.getLogger(Recovery.class.getName());

  private final Conversation conversation;
  private final Log log;
  private final Dispatch dispatch;
  private final Appends appends;
  private final Waits waits;
  private boolean loaded;

  Recovery(Conversation conversation, Log log, Dispatch dispatch, Appends appends, Waits waits) {
    this.conversation = conversation;
    this.log = log;
    this.dispatch = dispatch;
    this.appends = appends;
    this.waits = waits;
  }

  /** Reads its events, the first time. */
  void ready() {
    try (Conversation.Hold _ = conversation.hold()) {
      try {
        if (!loaded && !conversation.asleep()) {
          reload();
          conversation.promote();
        }
      } catch (StoreUnableException | CorruptEventException | UncheckedIOException e) {
        conversation.sleepUnlessScheduled();
        throw e;
      }
    }
  }

  /** What was read is of a life that is over. */
  void readAnew() {
    loaded = false;
  }

  /**
   * Takes it up at the start of the process; one that the store can't settle now waits for it.
   *
   * @param unsettled how many of its Submissions are
   */
  void recover(int unsettled) {
    try (Conversation.Hold _ = conversation.hold()) {
      appends.count(unsettled);
      reload();
      conversation.promote();
      conversation.sleepIfQuiet();
    } catch (StoreUnableException e) {
      setAside(e, Optional.empty());
    } catch (CorruptEventException | UncheckedIOException e) {
      giveUp(e);
    }
  }

  /** It can't be read: what it holds stays unsettled, and whoever asks for it is told why. */
  private void giveUp(RuntimeException why) {
    LOG.log(Level.ERROR, "conversation {0} is set aside: {1}", log.instance(), why.getMessage());
    try (Conversation.Hold _ = conversation.hold()) {
      conversation.close();
    }
  }

  /** Reads its events anew and settles a Turn that this process does not run. */
  private void reload() {
    log.load();
    loaded = true;
    appends.count();
    ConversationState state = log.state();
    state.pause().ifPresent(waits::limit);
    if (state.running().filter(turn -> turn.pause().isEmpty()).isPresent()) {
      appends.store(Endings.lost(log.instance(), state, state.running().get()));
      LOG.log(
          Level.INFO,
          "settled as lost: the Turn of {0}, which was cut off; {1} wait behind it",
          log.instance(),
          log.state().waiting());
    }
  }

  /** The store could not take what happened: the Turn is fenced, and settled when it can. */
  void setAside(StoreUnableException why, Optional<Attempt> begun) {
    LOG.log(
        Level.ERROR, "conversation {0} waits for its store: {1}", log.instance(), why.getMessage());
    try (Conversation.Hold _ = conversation.hold()) {
      if (begun.map(Attempt::ended).orElse(false)) {
        // Whoever ended it has settled it, and a later Turn may run already.
        return;
      }
      begun.ifPresent(Attempt::finish);
      conversation.schedule(true);
    }
    dispatch.repair("repair " + log.instance(), this::repaired);
  }

  private boolean repaired() {
    try (Conversation.Hold _ = conversation.hold()) {
      try {
        if (!conversation.asleep()) {
          reload();
          conversation.schedule(false);
          conversation.promote();
          conversation.sleepIfQuiet();
        }
        return true;
      } catch (StoreUnableException e) {
        LOG.log(Level.WARNING, "conversation {0} still waits: {1}", log.instance(), e.getMessage());
        return false;
      } catch (CorruptEventException | UncheckedIOException e) {
        giveUp(e);
        return true;
      } catch (OutOfMemoryError e) {
        LOG.log(Level.WARNING, "conversation {0} still waits: {1}", log.instance(), e.toString());
        return false;
      } catch (RuntimeException | Error e) {
        conversation.stall(e);
        return true;
      }
    }
  }
}
