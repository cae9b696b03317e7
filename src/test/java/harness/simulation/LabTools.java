package harness.simulation;

import harness.agent.Instance;
import harness.tool.FakeToolHost;
import harness.tool.Progress;
import harness.tool.ToolCall;
import harness.tool.ToolHost;
import harness.tool.ToolResult;
import java.time.Duration;

/** A tool host whose calls take their time, fail and are deaf as the seed wants it. */
final class LabTools implements ToolHost {
  /** The path that gives the same result each time. */
  static final String SAME = "same";

  private final Scheduler scheduler;
  private final Chance chance;
  private final Seats seats;

  LabTools(Scheduler scheduler, Chance chance, Seats seats) {
    this.scheduler = scheduler;
    this.chance = chance;
    this.seats = seats;
  }

  @Override
  public ToolResult call(ToolCall call, Progress progress) {
    Fate fate = seats.called(call);
    try {
      scheduler.step();
      boolean deaf = chance.oneIn(3);
      if (chance.oneIn(3)) {
        progress.output("output");
      }
      seats.wait("for its tool", Duration.ofSeconds(60), deaf);
      boolean same = call.input().path("path").asText().equals(SAME);
      return switch (same ? 0 : chance.below(12)) {
        case 1 -> throw new IllegalStateException(LabModel.PLANNED);
        case 2 -> throw new StackOverflowError(LabModel.PLANNED);
        case 3, 4 -> FakeToolHost.error("it failed");
        case 5 -> FakeToolHost.seeing("seen", "/work/target/path1", "v" + chance.below(100));
        default -> FakeToolHost.text(same ? "the same" : "result " + chance.below(1000));
      };
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return FakeToolHost.error("interrupted");
    } finally {
      seats.returned(call, fate);
    }
  }

  @Override
  public void checkDirectory(String cwd) {}

  @Override
  public void release(Instance instance) {
    seats.released(instance);
    scheduler.pause("for the end of what was left running", chance.upTo(Duration.ofSeconds(2)));
    seats.releasedWholly(instance);
  }

  @Override
  public void close() {}
}
