package harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What a child process says, line by line, as it comes. */
final class Output {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition said = lock.newCondition();
  private final List<String> lines = new ArrayList<>();
  private boolean ended;

  Output(BufferedReader reader) {
    Thread _ = Thread.ofVirtual().start(() -> collect(reader));
  }

  private void collect(BufferedReader reader) {
    try (reader) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        say(Optional.of(line));
      }
    } catch (IOException e) {
      say(Optional.of("(its output broke: " + e + ")"));
    }
    say(Optional.empty());
  }

  private void say(Optional<String> line) {
    lock.lock();
    try {
      line.ifPresentOrElse(lines::add, () -> ended = true);
      said.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a line that holds the words; empty where it ended without. */
  Optional<String> await(String words) throws InterruptedException {
    long left = Caller.PATIENCE.toNanos();
    lock.lock();
    try {
      while (true) {
        Optional<String> found = lines.stream().filter(line -> line.contains(words)).findFirst();
        if (found.isPresent() || ended) {
          return found;
        }
        if (left <= 0) {
          throw new AssertionError("no '" + words + "' within " + Caller.PATIENCE + ": " + lines);
        }
        left = said.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** All of it, once it ended. */
  String whole() throws InterruptedException {
    lock.lock();
    try {
      long left = Caller.PATIENCE.toNanos();
      while (!ended && left > 0) {
        left = said.awaitNanos(left);
      }
      return String.join("\n", lines);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    lock.lock();
    try {
      return String.join("\n", lines);
    } finally {
      lock.unlock();
    }
  }
}
