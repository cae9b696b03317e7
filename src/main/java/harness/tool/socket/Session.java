package harness.tool.socket;

import harness.tool.StartedCall;
import harness.tool.Timers;
import harness.tool.ToolCall;
import harness.tool.ToolResult;
import harness.workspace.PathException;
import harness.workspace.command.ContainerMemory;
import harness.workspace.git.PlaceOrder;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** A runner's end of one connection: it runs what it is asked, and ends it with the connection. */
final class Session implements Link.Ear {
  private static final Duration HELLO_TIME = Duration.ofSeconds(5);

  /**
   * A Harness may be frozen for hours, also in the middle of a frame, and what runs for it runs on.
   */
  private static final Duration FRAME_TIME = Duration.ofDays(1);

  /** What waits to be written, in bytes, beyond which no more is told of what calls put out. */
  private static final long MAX_UNREAD_BYTES = 4L * 1024 * 1024;

  private static final System.Logger LOG = System.getLogger(Session.class.getName());

  private final Tenancy tenancy;
  private final Consumer<Session> gone;
  private final Link link;
  private final MemoryPeaks peaks;
  private final Deadline hello;
  private final Map<Long, Open> running = new ConcurrentHashMap<>();
  private volatile boolean greeted;
  private volatile boolean ending;

  /**
   * @param memory that of the runner's container
   * @param gone hears of the end of the connection
   */
  Session(
      SocketChannel channel,
      Tenancy tenancy,
      Timers timers,
      ContainerMemory memory,
      Consumer<Session> gone)
      throws IOException {
    this.peaks = new MemoryPeaks(memory::look, this::send);
    this.tenancy = tenancy;
    this.gone = gone;
    this.link = new Link(channel, timers, FRAME_TIME, this);
    this.hello =
        new Deadline(
            timers,
            HELLO_TIME,
            () -> link.end("it said no hello within " + HELLO_TIME.toSeconds() + " s"));
  }

  /**
   * @param readRoot the workspace root that it serves
   * @throws IOException where there is no room for it; then it is over
   */
  void start(String readRoot) throws IOException {
    tenancy.enter();
    boolean started = false;
    try {
      hello.begin();
      // Before anything is read, so that no answer can come before it.
      send(new Answer.Hello(Protocol.VERSION, readRoot, tenancy.offers()));
      link.start("runner session");
      started = true;
    } finally {
      if (!started) {
        link.discard();
        lost("it could not be begun");
      }
    }
  }

  @Override
  public void hear(byte[] frame) throws ProtocolException {
    Request request = RequestCodec.decode(frame);
    if (request instanceof Request.Hello == greeted) {
      throw new ProtocolException("its hello is not the first frame and no other");
    }
    switch (request) {
      case Request.Hello(long protocol) -> greet(protocol);
      case Request.Call(long id, ToolCall call) -> run(id, () -> call(id, call));
      case Request.Cancel(long id) ->
          Optional.ofNullable(running.get(id)).ifPresent(one -> one.cancel().run());
      case Request.Check(long id, String cwd) -> run(id, () -> apart(() -> check(id, cwd)));
      case Request.Branch(long id, String worktree) ->
          run(id, () -> apart(() -> branch(id, worktree)));
      case Request.Place(long id, PlaceOrder order) -> run(id, () -> apart(() -> place(id, order)));
      case Request.Release(long id, var instance) ->
          run(
              id,
              () ->
                  apart(
                      () -> {
                        tenancy.served().host().release(instance);
                        return new Answer.Done(id);
                      }));
      case Request.End(long id) ->
          run(
              id,
              () ->
                  apart(
                      () -> {
                        tenancy.end();
                        return new Answer.Done(id);
                      }));
      case Request.Ping(long id) -> send(new Answer.Done(id));
    }
  }

  private void greet(long protocol) throws ProtocolException {
    if (protocol != Protocol.VERSION) {
      throw new ProtocolException(
          "it speaks protocol " + protocol + ", and this runner protocol " + Protocol.VERSION);
    }
    greeted = true;
    hello.met();
  }

  /** Something that runs, and the answer that it will have. */
  private record Running(CompletableFuture<Answer.Last> answer, Runnable cancel) {}

  /** The same while it runs; {@code sent} is done once the answer was sent. */
  private record Open(CompletableFuture<?> sent, Runnable cancel) {}

  private interface Start {
    Running now();
  }

  /** Starts it; whatever thread it ends on sends the answer. */
  private void run(long id, Start start) throws ProtocolException {
    if (running.size() == Protocol.MAX_RUNNING) {
      throw new ProtocolException("more than " + Protocol.MAX_RUNNING + " requests run");
    }
    if (running.containsKey(id)) {
      throw new ProtocolException("a second request " + id);
    }
    CompletableFuture<Boolean> sent = new CompletableFuture<>();
    // There before it starts, so that an end of the runner waits for it.
    running.put(id, new Open(sent, () -> {}));
    Running one = start.now();
    running.replace(id, new Open(sent, one.cancel()));
    var _ =
        one.answer()
            .whenComplete(
                (answer, failure) -> {
                  if (failure == null) {
                    send(answer);
                  } else {
                    LOG.log(Level.ERROR, "a bug failed a request", failure);
                    link.end("a bug of the runner failed a request, which is in its log");
                  }
                  running.remove(id);
                  sent.complete(true);
                });
    if (ending) {
      one.cancel().run();
    }
  }

  private Running call(long id, ToolCall call) {
    Pieces pieces = new Pieces(text -> tell(id, text));
    StartedCall started = tenancy.served().tools().start(call, pieces);
    peaks.begin(id);
    return new Running(
        started
            .result()
            .whenComplete((_, _) -> peaks.end(id))
            .thenApply(result -> returned(id, call, result)),
        started.cancel());
  }

  /** What somebody who reads nothing would have to be kept is left out; the result holds it. */
  private void tell(long id, String text) {
    if (link.queuedBytes() < MAX_UNREAD_BYTES) {
      send(new Answer.Output(id, text));
    }
  }

  private Answer.Last returned(long id, ToolCall call, ToolResult result) {
    return new Answer.Returned(
        id,
        ending && result.error()
            ? ToolResult.failure(
                call.name() + " was ended with the runner; what it did until then stays")
            : result);
  }

  private interface Work {
    Answer.Last done();
  }

  /** What may wait for the system has a thread of its own. */
  private static Running apart(Work work) {
    CompletableFuture<Answer.Last> answer = new CompletableFuture<>();
    Thread thread =
        Thread.ofVirtual()
            .name("runner request")
            .start(
                () -> {
                  try {
                    answer.complete(work.done());
                  } catch (RuntimeException | Error e) {
                    answer.completeExceptionally(e);
                  }
                });
    return new Running(answer, thread::interrupt);
  }

  private Answer.Last check(long id, String cwd) {
    try {
      tenancy.served().host().checkDirectory(cwd);
      return new Answer.Checked(id);
    } catch (PathException e) {
      return new Answer.Refused(id, e.kind(), String.valueOf(e.getMessage()));
    }
  }

  private Answer.Last branch(long id, String worktree) {
    try {
      return new Answer.Branch(id, tenancy.served().host().branch(worktree).orElse(""));
    } catch (PathException e) {
      return new Answer.Refused(id, e.kind(), String.valueOf(e.getMessage()));
    }
  }

  private Answer.Last place(long id, PlaceOrder order) {
    try {
      return new Answer.Placed(id, tenancy.served().host().place(order));
    } catch (IOException e) {
      return new Answer.NotPlaced(id, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Answer.NotPlaced(id, "the attach was ended; send it again");
    }
  }

  private void send(Answer answer) {
    try {
      boolean _ = link.send(AnswerCodec.encode(answer));
    } catch (Frames.TooLargeException e) {
      tooLarge(answer, e);
    } catch (IOException e) {
      throw new IllegalStateException("an answer can be written", e);
    }
  }

  private void tooLarge(Answer answer, IOException e) {
    if (answer instanceof Answer.Last last) {
      send(
          new Answer.Returned(
              last.id(),
              ToolResult.failure(
                  "the result can't be handed over: "
                      + e.getMessage()
                      + "; ask for less at a time")));
    }
  }

  /** Tells all that runs to end, and says so to whoever asked for it. */
  void end() {
    ending = true;
    running.values().forEach(one -> one.cancel().run());
  }

  /** Is done when all that runs now has ended and was answered. */
  CompletableFuture<?> quiet() {
    return CompletableFuture.allOf(
        running.values().stream().map(Open::sent).toArray(CompletableFuture[]::new));
  }

  /** Ends the connection. */
  void close() {
    link.end("the runner is ending");
  }

  @Override
  public void lost(String why) {
    LOG.log(Level.INFO, "a connection has ended, and what ran for it is ended: {0}", why);
    hello.met();
    end();
    tenancy.leave();
    gone.accept(this);
  }
}
