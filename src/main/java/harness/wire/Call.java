package harness.wire;

import harness.agent.Address;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.fault.RefusedException;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.util.List;
import java.util.Optional;

/** A request on its way through the routes: its path is split, its body not yet read. */
record Call(ServerRequest request, List<String> segments) {
  String method() {
    return request.prologue().method().text();
  }

  Optional<String> header(String name) {
    return request.headers().first(HeaderNames.create(name));
  }

  /** Each value that a header was sent with. */
  List<String> headers(String name) {
    return request.headers().all(HeaderNames.create(name), List::of);
  }

  Optional<String> query(String name) {
    return request.query().contains(name)
        ? Optional.of(request.query().get(name))
        : Optional.empty();
  }

  /** Whether it waits for something new. */
  boolean longPolls() {
    Optional<String> live = query("live");
    if (live.isPresent() && !live.get().equals("long-poll")) {
      throw RefusedException.invalid("live is '" + live.get() + "'; it is 'long-poll'", "live");
    }
    return live.isPresent();
  }

  Body body() {
    return Body.read(request.content().inputStream());
  }

  /** The conversation that {@code /agents/AGENT/INSTANCE-ID} names. */
  Instance instance() {
    try {
      Address.checkAgent(segments.get(1));
      return new Instance(segments.get(1), InstanceId.parse(segments.get(2)));
    } catch (IllegalArgumentException e) {
      throw RefusedException.invalid("the path names no conversation: " + e.getMessage(), "path");
    }
  }
}
