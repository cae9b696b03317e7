package harness.conversation;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** Those who wait for what a conversation says next. Telling them never blocks. */
final class Readers {
  private final Tasks tasks;
  private final List<Reader> readers = new CopyOnWriteArrayList<>();

  Readers(Tasks tasks) {
    this.tasks = tasks;
  }

  /**
   * @param events how many there are: the first that the reader hears of
   * @param onClose what is run when the reader has gone
   */
  Subscription subscribe(boolean deltas, long events, Runnable onClose) {
    Reader reader = new Reader(deltas, onClose);
    reader.offer(new Subscription.Signal.Landed(events));
    readers.add(reader);
    return reader;
  }

  boolean isEmpty() {
    return readers.isEmpty();
  }

  void tell(Subscription.Signal signal) {
    readers.forEach(reader -> reader.offer(signal));
  }

  private final class Reader implements Subscription {
    private final boolean deltas;
    private final Runnable onClose;
    private final Thread thread = Thread.currentThread();
    private final Lock lock = tasks.lock();
    private final Condition told = lock.newCondition();
    private final Deque<Signal> signals = new ArrayDeque<>();

    Reader(boolean deltas, Runnable onClose) {
      this.deltas = deltas;
      this.onClose = onClose;
    }

    private void offer(Signal signal) {
      if ((signal instanceof Signal.Delta || signal instanceof Signal.Output) && !deltas) {
        return;
      }
      lock.lock();
      try {
        if (signal instanceof Signal.Landed && signals.peekLast() instanceof Signal.Landed) {
          signals.removeLast();
        }
        if (signals.size() >= MAX_SIGNALS) {
          signals.clear();
          signals.add(new Signal.Overrun());
          // It may be stuck in a write to a peer that reads nothing, where it hears no signal.
          thread.interrupt();
        } else if (!(signals.peekLast() instanceof Signal.Overrun)) {
          signals.add(signal);
        }
        told.signal();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public Signal await(Duration atMost) throws InterruptedException {
      long left = atMost.toNanos();
      lock.lockInterruptibly();
      try {
        while (signals.isEmpty()) {
          if (left <= 0) {
            return new Signal.Quiet();
          }
          left = told.awaitNanos(left);
        }
        return signals.remove();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      readers.remove(this);
      onClose.run();
    }
  }
}
