package harness.tool;

import harness.agent.Instance;
import harness.model.Image;
import harness.workspace.PathException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers each call as a test says, finds every directory good, and notes what it is told. */
public class FakeToolHost implements ToolHost {
  /** How a call is answered. */
  public interface Answer {
    ToolResult to(ToolCall call, Progress progress);
  }

  private final Answer answer;
  private final List<ToolCall> calls = new CopyOnWriteArrayList<>();
  private final List<Instance> released = new CopyOnWriteArrayList<>();

  public FakeToolHost(Answer answer) {
    this.answer = answer;
  }

  /** A result that is a text. */
  public static ToolResult text(String text) {
    return ToolResult.of(text);
  }

  /** An error. */
  public static ToolResult error(String text) {
    return ToolResult.failure(text);
  }

  /** A result by which the conversation knows a version of a file. */
  public static ToolResult seeing(String text, String path, String version) {
    return ToolResult.of(text).seeing(Seen.of("/", path, version));
  }

  /** A result with a picture. */
  public static ToolResult picture(String text, String data) {
    return ToolResult.of(text).with(new Image("image/png", data));
  }

  public List<ToolCall> calls() {
    return calls;
  }

  public List<Instance> released() {
    return released;
  }

  @Override
  public ToolResult call(ToolCall call, Progress progress) {
    calls.add(call);
    return answer.to(call, progress);
  }

  @Override
  public void checkDirectory(String cwd) throws PathException {}

  @Override
  public void release(Instance instance) {
    released.add(instance);
  }

  @Override
  public void close() {}
}
