package harness.tool.socket;

import harness.tool.MemoryExcess;
import harness.tool.Timers;
import harness.tool.Waiting;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** A Harness's end of one connection to a runner, which it takes for hostile. */
final class RunnerLink implements Link.Ear {
  private static final System.Logger LOG = System.getLogger(RunnerLink.class.getName());

  /** The reason where it is this Harness that goes. */
  static final String ENDING = "this Harness is ending";

  /** A request that was sent. */
  record Sent(long id, Asked asked) {}

  /** Makes a request of its id. */
  interface Numbered {
    Request with(long id);
  }

  private final String place;
  private final Timing timing;
  private final Link link;
  private final OpenRequests requests = new OpenRequests();
  private final CompletableFuture<Optional<Answer.Hello>> hello = new CompletableFuture<>();
  private final AtomicBoolean doubted = new AtomicBoolean();

  private RunnerLink(String place, SocketChannel channel, Timing timing, Timers timers)
      throws IOException {
    this.place = place;
    this.timing = timing;
    this.link = new Link(channel, timers, timing.frame(), this);
  }

  /**
   * Takes a connection over and says hello.
   *
   * @param place how messages name the runner
   */
  static RunnerLink over(SocketChannel channel, String place, Timing timing, Timers timers)
      throws IOException {
    RunnerLink runner = new RunnerLink(place, channel, timing, timers);
    runner.link.start("runner link");
    runner.link.send(RequestCodec.encode(new Request.Hello(Protocol.VERSION)));
    return runner;
  }

  /** What the runner says of itself, once it does; nothing where the connection ended before. */
  CompletableFuture<Optional<Answer.Hello>> hello() {
    return hello;
  }

  /** Why it has ended; empty while it has not. */
  Optional<String> ended() {
    return link.ended();
  }

  /** Whether it has ended because the other side is gone. */
  boolean vanished() {
    return ended().filter(why -> why.startsWith(Link.GONE)).isPresent();
  }

  void end(String why) {
    link.end(why);
  }

  /**
   * Sends a request.
   *
   * @return empty where the connection had ended before the runner could have all of it
   * @throws IOException where it is none that can be sent, or too many are open
   */
  Optional<Sent> ask(Numbered request, Asked asked) throws IOException {
    Optional<Long> id = requests.open(asked);
    if (id.isEmpty()) {
      return Optional.empty();
    }
    boolean sent = false;
    try {
      ByteBuffer frame = RequestCodec.encode(request.with(id.get()));
      sent = link.send(frame);
    } finally {
      if (!sent) {
        requests.forget(id.get());
      }
    }
    return sent ? Optional.of(new Sent(id.get(), asked)) : Optional.empty();
  }

  /** Tells the runner to end a call. */
  void cancel(Sent sent) {
    try {
      link.send(RequestCodec.encode(new Request.Cancel(sent.id())));
    } catch (IOException e) {
      throw new IllegalStateException("a number can be sent", e);
    }
  }

  /**
   * Waits no more for an answer that should have come, tells the runner so, and looks whether
   * anybody is there.
   */
  void giveUp(Sent sent) {
    boolean few = requests.giveUp(sent.id());
    cancel(sent);
    if (!few) {
      end("it left more than " + Protocol.MAX_OPEN + " requests unanswered");
    }
    if (doubted.compareAndSet(false, true)) {
      Thread.ofVirtual().name("runner ping").start(this::ping);
    }
  }

  private void ping() {
    try {
      Optional<Sent> ping = ask(Request.Ping::new, Asked.other());
      if (ping.isPresent()
          && Waiting.uninterrupted(ping.get().asked().answer(), timing.answer()).isEmpty()) {
        end("it answers nothing, not even whether it is there");
      }
    } catch (IOException e) {
      end("it could not be asked whether it is there: " + e.getMessage());
    } finally {
      doubted.set(false);
    }
  }

  @Override
  public void hear(byte[] frame) throws ProtocolException {
    Answer answer = AnswerCodec.decode(frame);
    if (answer instanceof Answer.Hello == hello.isDone()) {
      throw new ProtocolException("its hello is not the first frame and no other");
    }
    switch (answer) {
      case Answer.Hello said -> hello.complete(Optional.of(said));
      case Answer.Output(long id, String text) -> requests.find(id).output(text);
      case Answer.Memory(long id, MemoryExcess peak) -> requests.find(id).memory(peak);
      case Answer.Last last -> {
        requests.find(last.id()).check(last);
        requests.close(last.id()).ifPresent(open -> open.close(last));
      }
    }
  }

  @Override
  public void lost(String why) {
    Level level = why.equals(ENDING) ? Level.DEBUG : Level.WARNING;
    LOG.log(level, "the connection to {0} has ended: {1}", place, why);
    hello.complete(Optional.empty());
    requests.end().forEach(Asked::lost);
  }
}
