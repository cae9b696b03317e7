package harness.tool;

import harness.workspace.Handles;
import harness.workspace.PathException;
import harness.workspace.Root;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** Runs the tools in this process, each call with a {@link Root} of its own. */
final class InProcessToolHost implements ToolHost {
  private static final String CANCELLED =
      "cancelled: the Turn was ended while this call ran; what it did until then stays";

  private final Handles handles;
  private final String readRoot;
  private final List<WorkingTool> tools;

  /**
   * @param readRoot the workspace root, absolute
   */
  InProcessToolHost(Handles handles, String readRoot, List<WorkingTool> tools) {
    this.handles = handles;
    this.readRoot = readRoot;
    this.tools = List.copyOf(tools);
  }

  @Override
  public ToolResult call(ToolCall call) {
    Optional<String> refusal =
        ToolBox.refusal(tools.stream().map(WorkingTool::spec).toList(), call);
    if (refusal.isPresent()) {
      return ToolResult.failure(refusal.get());
    }
    try (Root root = Root.open(handles, readRoot, call.cwd())) {
      if (Thread.currentThread().isInterrupted()) {
        return ToolResult.failure(CANCELLED);
      }
      return tool(call.name()).call(call.input(), new Seat(root, call.access(), call.actor()));
    } catch (ToolException e) {
      return ToolResult.failure(message(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ToolResult.failure(CANCELLED);
    } catch (IOException e) {
      return failed(call, e);
    } catch (UncheckedIOException e) {
      return failed(call, e);
    } catch (RuntimeException e) {
      return ToolBox.bug(call, e);
    }
  }

  @Override
  public void checkDirectory(String cwd) throws PathException {
    Root.open(handles, readRoot, cwd).close();
  }

  /**
   * An interrupt closes some files under the reader: that is the Turn's end, no failure of them.
   */
  private static ToolResult failed(ToolCall call, Exception e) {
    if (Thread.currentThread().isInterrupted()) {
      return ToolResult.failure(CANCELLED);
    }
    return ToolResult.failure(
        e instanceof PathException ? message(e) : call.name() + " failed: " + message(e));
  }

  private static String message(Exception e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }

  private WorkingTool tool(String name) {
    return tools.stream().filter(tool -> tool.spec().name().equals(name)).findFirst().orElseThrow();
  }
}
