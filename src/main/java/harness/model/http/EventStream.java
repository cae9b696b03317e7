package harness.model.http;

import harness.model.http.BodyQueue.Item;
import harness.model.http.SseParser.LineTooLongException;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One exchange: the request, and the events of its answer, each waited for within its limit. */
final class EventStream implements AutoCloseable {
  /** What is waited for. */
  enum Phase {
    FIRST_TOKEN,
    NEXT_PIECE,
    /** What may still come behind the reply: the tokens it took. */
    TAIL
  }

  /** How long a reply that is whole waits for the count of its tokens. */
  static final Duration TAIL_AT_MOST = Duration.ofSeconds(2);

  private static final Duration END_AT_MOST = Duration.ofMillis(250);

  /** What is read of an answer that says what failed. */
  private static final int MAX_ERROR_BYTES = 64 * 1024;

  private static final Duration ERROR_BODY_AT_MOST = Duration.ofSeconds(5);

  private final BodyQueue body = new BodyQueue();
  private final ArrayDeque<ServerEvent> events = new ArrayDeque<>();
  private final SseParser parser;
  private final ModelLimits limits;
  private final RunningTime time;
  private final Failures failures;
  private long bytes;
  private boolean ended;
  private Duration opened = Duration.ZERO;
  private Duration lastHeard = Duration.ZERO;

  private EventStream(ModelLimits limits, RunningTime time, Failures failures) {
    this.parser = new SseParser(limits.maxLineBytes());
    this.limits = limits;
    this.time = time;
    this.failures = failures;
  }

  /**
   * Sends the request and waits until the stream begins.
   *
   * @throws AttemptException when it does not: no answer in time, or one that is no stream
   */
  static EventStream open(
      HttpClient client,
      HttpRequest request,
      ModelLimits limits,
      RunningTime time,
      Failures failures)
      throws AttemptException, InterruptedException {
    EventStream stream = new EventStream(limits, time, failures);
    CompletableFuture<HttpResponse<BodyQueue>> answer = client.sendAsync(request, _ -> stream.body);
    boolean begun = false;
    try {
      Duration sent = time.elapsed();
      HttpResponse<BodyQueue> head =
          stream.await(
              "the headers of the answer",
              sent,
              limits.responseHeaders(),
              atMost -> stream.poll(answer, atMost));
      stream.opened = time.elapsed();
      stream.lastHeard = stream.opened;
      stream.requireStream(head);
      begun = true;
      return stream;
    } finally {
      if (!begun) {
        var _ = answer.cancel(true);
        stream.close();
      }
    }
  }

  /** The next event; empty when the stream ended. */
  Optional<ServerEvent> next(Phase phase) throws AttemptException, InterruptedException {
    while (events.isEmpty() && !ended) {
      switch (phase) {
        case FIRST_TOKEN -> read("the first token", opened, limits.firstToken());
        case NEXT_PIECE -> read("more of the stream", lastHeard, limits.silence());
        case TAIL -> read("the end of the stream", lastHeard, TAIL_AT_MOST);
      }
    }
    return Optional.ofNullable(events.poll());
  }

  /**
   * Waits for the end of an answer whose reply is whole, so that the connection serves the next
   * call, too; not for long, because the reply is waited for.
   */
  void finish() throws InterruptedException {
    Optional<Item> item = body.poll(END_AT_MOST);
    while (item.isPresent() && item.get() instanceof Item.Bytes) {
      item = body.poll(END_AT_MOST);
    }
  }

  @Override
  public void close() {
    body.close();
  }

  private void read(String what, Duration since, Duration limit)
      throws AttemptException, InterruptedException {
    Item item = await(what, since, limit, body::poll);
    lastHeard = time.elapsed();
    switch (item) {
      case Item.Bytes(var buffers) -> {
        for (ByteBuffer buffer : buffers) {
          parse(buffer);
        }
      }
      case Item.End() -> {
        ended = true;
        events.addAll(parser.end());
      }
      case Item.Failed(Throwable cause) -> throw failures.network("while it streamed", cause);
    }
  }

  private void parse(ByteBuffer buffer) throws AttemptException {
    bytes += buffer.remaining();
    if (bytes > limits.maxReplyBytes()) {
      throw failures.tooLong("its reply is longer than " + limits.maxReplyBytes() + " bytes");
    }
    try {
      events.addAll(parser.feed(buffer));
    } catch (LineTooLongException e) {
      throw failures.tooLong(String.valueOf(e.getMessage()));
    }
  }

  private void requireStream(HttpResponse<?> head) throws AttemptException, InterruptedException {
    if (head.statusCode() != 200) {
      throw failures.status(head.statusCode(), head.headers(), errorBody());
    }
    String type = head.headers().firstValue("content-type").orElse("").toLowerCase(Locale.ROOT);
    // A server that names no type may well stream; what it sends is then judged line by line.
    if (!type.isEmpty() && !type.startsWith("text/event-stream")) {
      throw failures.noStream(type, errorBody());
    }
  }

  /** What there is of it within the limits: an answer that fails twice keeps its first reason. */
  private String errorBody() throws InterruptedException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    Duration since = time.elapsed();
    try {
      while (said.size() < MAX_ERROR_BYTES
          && await("the reason", since, ERROR_BODY_AT_MOST, body::poll)
              instanceof Item.Bytes(var buffers)) {
        for (ByteBuffer buffer : buffers) {
          byte[] chunk = new byte[buffer.remaining()];
          buffer.get(chunk);
          said.writeBytes(chunk);
        }
      }
    } catch (AttemptException _) {
      said.writeBytes(" (the answer broke off)".getBytes(StandardCharsets.UTF_8));
    }
    return said.toString(StandardCharsets.UTF_8);
  }

  private Optional<HttpResponse<BodyQueue>> poll(
      CompletableFuture<HttpResponse<BodyQueue>> answer, Duration atMost)
      throws AttemptException, InterruptedException {
    try {
      return Optional.of(answer.get(atMost.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException _) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw failures.network("before it answered", e.getCause() == null ? e : e.getCause());
    }
  }

  private interface Source<T> {
    Optional<T> poll(Duration atMost) throws AttemptException, InterruptedException;
  }

  private <T> T await(String what, Duration since, Duration limit, Source<T> source)
      throws AttemptException, InterruptedException {
    while (true) {
      Duration now = time.elapsed();
      Duration left = limit.minus(now.minus(since));
      Duration leftInAll = limits.wholeCall().minus(now);
      if (!leftInAll.isPositive()) {
        throw failures.wholeCall(limits.wholeCall());
      }
      if (!left.isPositive()) {
        throw failures.stalled(what, limit);
      }
      Duration wait = left.compareTo(leftInAll) < 0 ? left : leftInAll;
      Optional<T> got =
          source.poll(wait.compareTo(RunningTime.SLICE) < 0 ? wait : RunningTime.SLICE);
      if (got.isPresent()) {
        return got.get();
      }
    }
  }
}
