package harness.simulation;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Collectors;

/** The last things that happened, for who wants to know why a seed failed. */
final class Trace {
  private static final int LINES = Integer.getInteger("trace", 150);

  private record Line(long nanos, int task, String name, String what) {
    @Override
    public String toString() {
      return String.format("    %,13d us  #%d %s: %s", nanos / 1_000, task, name, what);
    }
  }

  private final Deque<Line> lines = new ArrayDeque<>();
  private long digest;

  void add(long nanos, Task task, String what) {
    digest = (digest * 31 + nanos) * 31 + what.hashCode();
    lines.add(new Line(nanos, task.number, task.name, what));
    if (lines.size() > LINES) {
      lines.remove();
    }
  }

  /** Equal where everything happened alike. */
  long digest() {
    return digest;
  }

  static String shown(Throwable t) {
    StringWriter text = new StringWriter();
    t.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }

  @Override
  public String toString() {
    return lines.stream()
        .map(Line::toString)
        .collect(
            Collectors.joining("\n", "  the last that happened (-Dtrace=LINES shows more):\n", ""));
  }
}
