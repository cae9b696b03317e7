package harness.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What waits for a thread of the store: a bounded queue whose waits no interrupt ends, because an
 * append that its caller gave up halfway could be stored or not. Closing it wakes everyone.
 */
final class Intake {
  private final int capacity;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final Condition room = lock.newCondition();
  private final ArrayDeque<Pending<?>> waiting = new ArrayDeque<>();
  private boolean closed;

  Intake(int capacity) {
    this.capacity = capacity;
  }

  /** Waits for room; false where the intake was closed before there was any. Wakes nobody. */
  boolean put(Pending<?> pending) {
    lock.lock();
    try {
      while (waiting.size() >= capacity && !closed) {
        room.awaitUninterruptibly();
      }
      if (closed) {
        return false;
      }
      waiting.add(pending);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Wakes who waits for one, where there is one. */
  void tell() {
    lock.lock();
    try {
      if (!waiting.isEmpty()) {
        arrived.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** What is there now, as {@link #take} would take it. */
  List<Pending<?>> takeNow(int atMost, long bytes) {
    lock.lock();
    try {
      return taken(atMost, bytes);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for one and takes what is there besides, in order: at most {@code atMost}, and none that
   * would bring the sum over {@code bytes} except the first. Empty once it is closed and drained.
   */
  List<Pending<?>> take(int atMost, long bytes) {
    lock.lock();
    try {
      while (waiting.isEmpty() && !closed) {
        arrived.awaitUninterruptibly();
      }
      return taken(atMost, bytes);
    } finally {
      lock.unlock();
    }
  }

  private List<Pending<?>> taken(int atMost, long bytes) {
    List<Pending<?>> taken = new ArrayList<>();
    long sum = 0;
    for (Pending<?> next = waiting.peek(); next != null; next = waiting.peek()) {
      sum += next.bytes();
      if (taken.size() == atMost || (sum > bytes && !taken.isEmpty())) {
        break;
      }
      taken.add(waiting.remove());
    }
    room.signalAll();
    return taken;
  }

  /** Takes no more; what waits in it can still be taken. */
  void close() {
    lock.lock();
    try {
      closed = true;
      arrived.signalAll();
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
