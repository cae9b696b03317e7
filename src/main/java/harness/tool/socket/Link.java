package harness.tool.socket;

import harness.tool.Timers;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One end of a connection. A thread of the platform reads, and writes what the socket did not take
 * at once; whoever sends never waits, so that neither an interrupt of theirs nor a slow other side
 * can hold up or end what others have on the same connection.
 */
final class Link {
  /** What waits to be written, in bytes. */
  private static final int MAX_QUEUED_BYTES = 2 * Frames.MAX_BYTES;

  /** How the reason begins where the other side is gone. */
  static final String GONE = "it is gone";

  private static final int READ_BYTES = 64 * 1024;
  private static final int WRITE_BYTES = 128 * 1024;
  private static final System.Logger LOG = System.getLogger(Link.class.getName());

  /** Hears what comes in, on one thread. */
  interface Ear extends FrameReader.Ear {
    /** The connection has ended. */
    void lost(String why);
  }

  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey key;
  private final Ear ear;
  private final FrameReader reader = new FrameReader(Frames.MAX_BYTES);
  private final Deadline reading;
  private final Deadline writing;
  private final AtomicReference<Optional<String>> ended = new AtomicReference<>(Optional.empty());
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<ByteBuffer> queue = new ArrayDeque<>();
  private long queuedBytes;

  /**
   * @param channel connected; closed with this, also where this can't be made
   * @param timers by which that time is measured
   * @param frameTime how long one frame may take to come in or to go out, from its first byte
   */
  Link(SocketChannel channel, Timers timers, Duration frameTime, Ear ear) throws IOException {
    this.channel = channel;
    this.ear = ear;
    String within = " within " + frameTime.toMillis() / 1000.0 + " s";
    this.reading = new Deadline(timers, frameTime, () -> end("it did not finish a frame" + within));
    this.writing = new Deadline(timers, frameTime, () -> end("it did not take a frame" + within));
    try {
      channel.configureBlocking(false);
      this.selector = Selector.open();
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
    this.key = register();
  }

  private SelectionKey register() throws IOException {
    try {
      return channel.register(selector, SelectionKey.OP_READ);
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /**
   * Begins to hear.
   *
   * @throws IOException where there is no room for a thread; then this is closed
   */
  void start(String name) throws IOException {
    try {
      Thread.ofPlatform().daemon().name(name).start(this::run);
    } catch (OutOfMemoryError e) {
      discard();
      throw new IOException("there is no room for another thread", e);
    }
  }

  /** Ends one that was not started. */
  void discard() throws IOException {
    end("it was not begun");
    close();
  }

  private void close() throws IOException {
    try (channel;
        selector) {
      return;
    }
  }

  /** How much waits to be written, in bytes. */
  long queuedBytes() {
    lock.lock();
    try {
      return queuedBytes;
    } finally {
      lock.unlock();
    }
  }

  /** Why it has ended; empty while it has not. */
  Optional<String> ended() {
    return ended.get();
  }

  /** Ends it; the first reason counts. */
  void end(String why) {
    if (ended.compareAndSet(Optional.empty(), Optional.of(why))) {
      selector.wakeup();
    }
  }

  /**
   * Sends a frame. Never waits.
   *
   * @return false where the connection has ended before the other side can have the whole frame
   */
  boolean send(ByteBuffer frame) {
    lock.lock();
    try {
      if (ended.get().isPresent()) {
        return false;
      }
      if (queue.isEmpty()) {
        write(frame);
      }
      return !frame.hasRemaining() || queue(frame);
    } catch (IOException e) {
      end(GONE + ": " + e.getMessage());
      return false;
    } finally {
      lock.unlock();
    }
  }

  private boolean queue(ByteBuffer frame) {
    if (queuedBytes + frame.remaining() > MAX_QUEUED_BYTES) {
      end("it does not take what is sent; " + queuedBytes + " bytes wait");
      return false;
    }
    queue.add(frame);
    queuedBytes += frame.remaining();
    writing.begin();
    key.interestOpsOr(SelectionKey.OP_WRITE);
    selector.wakeup();
    return true;
  }

  /** Writes what the socket takes, in pieces, because each is copied on its way. */
  private void write(ByteBuffer frame) throws IOException {
    while (frame.hasRemaining()) {
      ByteBuffer piece = frame.slice(frame.position(), Math.min(frame.remaining(), WRITE_BYTES));
      int written = channel.write(piece);
      frame.position(frame.position() + written);
      if (piece.hasRemaining()) {
        return;
      }
    }
  }

  private void run() {
    try (channel;
        selector) {
      turns();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a connection that has ended can't be closed", e);
    } finally {
      reading.met();
      writing.met();
      ear.lost(ended.get().orElse(GONE));
    }
  }

  private void turns() {
    try {
      ByteBuffer bytes = ByteBuffer.allocateDirect(READ_BYTES);
      while (ended.get().isEmpty()) {
        selector.select();
        if (ended.get().isEmpty()) {
          turn(bytes);
        }
      }
    } catch (ProtocolException e) {
      end("it broke the protocol: " + e.getMessage());
    } catch (IOException e) {
      end(GONE + ": " + e.getMessage());
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "a bug ended a connection", e);
      end("a bug of the Harness ended the connection (" + e + "), which is in its log");
    }
    // Who sends has seen that it has ended, or is through: nobody else needs the key any more.
    lock.lock();
    lock.unlock();
  }

  private void turn(ByteBuffer bytes) throws IOException, ProtocolException {
    if (key.isWritable()) {
      flush();
    }
    if (key.isReadable()) {
      bytes.clear();
      if (channel.read(bytes) < 0) {
        end(GONE + ": the connection was closed");
        return;
      }
      hear(bytes.flip());
    }
  }

  private void hear(ByteBuffer bytes) throws ProtocolException {
    reader.take(
        bytes,
        frame -> {
          reading.met();
          ear.hear(frame);
        });
    if (reader.within()) {
      reading.begin();
    }
  }

  private void flush() throws IOException {
    lock.lock();
    try {
      while (!queue.isEmpty()) {
        ByteBuffer frame = queue.getFirst();
        int before = frame.remaining();
        write(frame);
        queuedBytes -= before - frame.remaining();
        if (frame.hasRemaining()) {
          return;
        }
        queue.removeFirst();
        writing.met();
        if (!queue.isEmpty()) {
          writing.begin();
        }
      }
      key.interestOpsAnd(~SelectionKey.OP_WRITE);
    } finally {
      lock.unlock();
    }
  }
}
