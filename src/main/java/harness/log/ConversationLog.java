package harness.log;

import harness.agent.Instance;
import harness.conversation.Event;
import harness.conversation.EventListener;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Prints every conversation, a line an event. Whoever reads the log may be slow: what finds no room
 * among the lines that wait is counted and left out, and the log says so.
 */
public final class ConversationLog implements EventListener, AutoCloseable {
  /** How many lines wait to be printed. */
  static final int MAX_WAITING_LINES = 4_096;

  private final LogFormat format;
  private final PrintStream out;
  private final InstantSource clock;
  private final BlockingQueue<Line> waiting = new ArrayBlockingQueue<>(MAX_WAITING_LINES);
  private final AtomicLong leftOut = new AtomicLong();
  private final Thread printer;
  private volatile boolean closing;

  private ConversationLog(LogFormat format, PrintStream out, InstantSource clock) {
    this.format = format;
    this.out = out;
    this.clock = clock;
    this.printer = Thread.ofPlatform().daemon().name("conversation-log").unstarted(this::print);
  }

  /** A log that prints to a stream from now on, until it is closed. */
  public static ConversationLog to(PrintStream out, LogFormat format, InstantSource clock) {
    ConversationLog log = new ConversationLog(format, out, clock);
    if (format != LogFormat.OFF) {
      log.printer.start();
    }
    return log;
  }

  @Override
  public void stored(Instance instance, List<Event> events) {
    if (format == LogFormat.OFF) {
      return;
    }
    for (Event event : events) {
      for (Telling.Said said : Telling.of(event)) {
        if (!waiting.offer(new Line(clock.instant(), instance, said.kind(), said.text()))) {
          leftOut.incrementAndGet();
        }
      }
    }
  }

  private void print() {
    List<Line> lines = new ArrayList<>();
    try {
      while (!closing) {
        lines.add(waiting.take());
        waiting.drainTo(lines);
        print(lines);
        lines.clear();
      }
    } catch (InterruptedException _) {
      // It is closing.
    }
    waiting.drainTo(lines);
    print(lines);
  }

  private void print(List<Line> lines) {
    StringBuilder text = new StringBuilder();
    for (Line line : lines) {
      text.append(line.text(format)).append('\n');
    }
    out.print(text);
    long missing = leftOut.getAndSet(0);
    if (missing > 0) {
      System.getLogger(ConversationLog.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "{0} lines of the log found no room: its reader is too slow",
              missing);
    }
    out.flush();
  }

  /** Prints what waits. */
  @Override
  public void close() {
    closing = true;
    printer.interrupt();
    boolean interrupted = false;
    while (printer.isAlive()) {
      try {
        printer.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
