package harness.cli;

import harness.client.Timing;
import java.io.PrintWriter;
import java.time.Duration;

/** Prints lines, and on a terminal a spinner behind them while nothing comes. */
final class Ticker implements AutoCloseable {
  private static final Duration FRAME = Duration.ofMillis(120);
  private static final String FRAMES = "|/-\\";
  private static final String CLEAR = "\r \r";

  private final PrintWriter out;
  private final Thread spinner;
  private boolean shown;
  private int frame;

  Ticker(PrintWriter out, boolean terminal, Timing.Pause pause) {
    this.out = out;
    Thread.Builder thread = Thread.ofVirtual().name("spinner");
    this.spinner = terminal ? thread.start(() -> spin(pause)) : thread.unstarted(() -> {});
  }

  private void spin(Timing.Pause pause) {
    try {
      while (true) {
        pause.sleep(FRAME);
        tick();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  synchronized void tick() {
    out.print("\r" + FRAMES.charAt(frame++ % FRAMES.length()));
    out.flush();
    shown = true;
  }

  synchronized void line(String line) {
    clear();
    out.println(line);
    out.flush();
  }

  private void clear() {
    if (shown) {
      out.print(CLEAR);
      shown = false;
    }
  }

  @Override
  public void close() throws InterruptedException {
    spinner.interrupt();
    if (spinner.getState() != Thread.State.NEW) {
      spinner.join();
    }
    synchronized (this) {
      clear();
      out.flush();
    }
  }
}
