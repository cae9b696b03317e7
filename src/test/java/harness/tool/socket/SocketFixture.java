package harness.tool.socket;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.agent.Access;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.author.Actor;
import harness.tool.Mode;
import harness.tool.Seen;
import harness.tool.Timers;
import harness.tool.ToolCall;
import harness.tool.ToolHost;
import harness.tool.WorkingTools;
import harness.workspace.command.ContainerMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** A socket in a directory of a test, and what is at both its ends. */
record SocketFixture(Path socket) {
  static final String ROOT = "/work";

  /** A picture of one pixel. */
  static final String PNG =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNg"
          + "AAAAAgABSK+kcQAAAABJRU5ErkJggg==";

  /** Of a container that has no limit. */
  static final ContainerMemory BOUNDLESS = new ContainerMemory(Path.of("/nowhere"));

  static final Instance CODER = new Instance("coder", InstanceId.parse("run-1/task/coder"));

  /** How long the longest call takes here. */
  static final Duration LONGEST = Duration.ofMillis(300);

  /** What a test waits for something that has to happen, in seconds. */
  static final int PATIENCE_SECONDS = 30;

  static final Timing SHORT =
      new Timing(
          3,
          2,
          Duration.ofMillis(20),
          Duration.ofMillis(300),
          Duration.ofMillis(300),
          Duration.ofMillis(200),
          Duration.ofMillis(200),
          Duration.ofMillis(300));

  static SocketFixture in(Path directory) throws IOException {
    return new SocketFixture(directory.toRealPath().resolve("runner.sock"));
  }

  Runner runner(Supplier<ToolHost> hosts) throws IOException {
    return runner(hosts, Runner.GRACE);
  }

  Runner runner(Supplier<ToolHost> hosts, Duration grace) throws IOException {
    return runner(hosts, grace, InstantSource.system());
  }

  Runner runner(Supplier<ToolHost> hosts, Duration grace, InstantSource clock) throws IOException {
    return runner(hosts, grace, BOUNDLESS, clock);
  }

  Runner runner(
      Supplier<ToolHost> hosts, Duration grace, ContainerMemory memory, InstantSource clock)
      throws IOException {
    return Runner.start(
        socket, ROOT, WorkingTools.specs(), hosts, grace, memory, clock, new Random(7));
  }

  /** A Harness's host with the times that it usually has. */
  RunnerToolHost host() {
    return RunnerToolHost.at(socket, ROOT, InstantSource.system());
  }

  /** One that is impatient, for runners that keep it waiting. */
  RunnerToolHost impatient() {
    return impatient(LONGEST);
  }

  RunnerToolHost impatient(Duration longest) {
    return new RunnerToolHost(
        socket, ROOT, WorkingTools.specs(), _ -> longest, SHORT, InstantSource.system());
  }

  /** The way to a runner as a host has it. */
  RunnerConnector connector() {
    return new RunnerConnector(
        socket, ROOT, WorkingTools.specs(), Timing.USUAL, new Timers(InstantSource.system()));
  }

  static ToolCall call(String name) {
    return call(name, JsonNodeFactory.instance.objectNode());
  }

  static ToolCall call(String name, ObjectNode input) {
    return new ToolCall(
        "c-1-0",
        name,
        input,
        "/work/target",
        Access.WRITE,
        Mode.DIRECT,
        CODER,
        new Actor.Agent(
            "coder",
            Optional.of(new Actor.ExternalAgent("ci", Optional.of(new Actor.User("ada"))))),
        new Seen(Map.of("/work/target/a.txt", "v1")));
  }
}
