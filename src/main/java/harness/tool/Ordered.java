package harness.tool;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Work in parts that any thread does and that are taken in order: a thread always gets the earliest
 * part that no other has. A part may turn out to consist of others, which then follow it at once.
 * What has been done ahead of its turn waits in bounded memory.
 *
 * @param <T> what comes of a part
 */
final class Ordered<T> {
  /** How much may wait for its turn, in characters; beyond it only the next part is begun. */
  private static final long MAX_AHEAD_CHARS = 4_000_000;

  /** What a part that waits takes besides. */
  private static final int PART_CHARS = 4_000;

  /** A part of the work. */
  interface Part<T> {
    Done<T> run() throws InterruptedException;

    /** It will not be run. */
    void drop();
  }

  /**
   * What came of a part.
   *
   * @param weight about how much memory it takes, in characters
   * @param next the parts that follow it
   */
  record Done<T>(T result, int weight, List<? extends Part<T>> next) {}

  private static final class Node<T> {
    final Part<T> part;
    boolean begun;
    @Nullable Done<T> done;
    @Nullable Node<T> next;

    Node(Part<T> part, @Nullable Node<T> next) {
      this.part = part;
      this.next = next;
    }
  }

  private final Predicate<T> taker;
  private final Set<Thread> threads = new HashSet<>();
  private @Nullable Node<T> head;
  private int running;
  private int waiting;
  private long ahead;
  private boolean over;

  /**
   * @param first the work, of which the other parts come
   * @param taker takes what came of the parts, in order, one at a time; false ends the work
   */
  Ordered(Part<T> first, Predicate<T> taker) {
    this.taker = taker;
    this.head = new Node<>(first, null);
  }

  private static <T> @Nullable Node<T> linked(
      List<? extends Part<T>> parts, @Nullable Node<T> then) {
    Node<T> next = then;
    for (Part<T> part : parts.reversed()) {
      next = new Node<>(part, next);
    }
    return next;
  }

  /** Works until nothing is left to do; what each thread runs. */
  void work() throws InterruptedException {
    synchronized (this) {
      threads.add(Thread.currentThread());
    }
    boolean good = false;
    try {
      for (Node<T> node = begin(); node != null; node = begin()) {
        finish(node, node.part.run());
      }
      good = true;
    } finally {
      leave(good);
    }
  }

  private synchronized void leave(boolean good) {
    threads.remove(Thread.currentThread());
    if (!good) {
      end();
    }
  }

  private synchronized @Nullable Node<T> begin() throws InterruptedException {
    while (!over) {
      Node<T> node = head;
      while (node != null && node.begun) {
        node = node.next;
      }
      if (node == null && running == 0) {
        return null;
      }
      if (node != null && (node == head || ahead <= MAX_AHEAD_CHARS)) {
        node.begun = true;
        running++;
        return node;
      }
      waiting++;
      try {
        wait();
      } finally {
        waiting--;
      }
    }
    return null;
  }

  private synchronized void finish(Node<T> node, Done<T> done) {
    node.done = done;
    node.next = linked(done.next(), node.next);
    running--;
    ahead += done.weight() + PART_CHARS;
    for (Node<T> first = head; first != null && first.done != null && !over; first = head) {
      ahead -= first.done.weight() + PART_CHARS;
      head = first.next;
      if (!taker.test(first.done.result())) {
        end();
      }
    }
    if (waiting > 0) {
      notifyAll();
    }
  }

  /** Lets no thread begin anything, and those that work stop soon. */
  private synchronized void end() {
    over = true;
    notifyAll();
    for (Thread thread : threads) {
      if (thread != Thread.currentThread()) {
        thread.interrupt();
      }
    }
  }

  /** Drops what was not begun, when all threads have ended. */
  synchronized void close() {
    for (Node<T> node = head; node != null; node = node.next) {
      if (!node.begun) {
        node.part.drop();
      }
    }
    head = null;
  }
}
