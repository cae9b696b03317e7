package harness.model.http;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer as it comes in, waited for with a limit and ended by an interrupt; the
 * client's own stream knows no limit. It holds at most two of the client's batches.
 */
final class BodyQueue implements BodySubscriber<BodyQueue>, AutoCloseable {
  /** What came. */
  sealed interface Item {
    record Bytes(List<ByteBuffer> buffers) implements Item {}

    record End() implements Item {}

    record Failed(Throwable cause) implements Item {}
  }

  private final BlockingQueue<Item> items = new LinkedBlockingQueue<>();
  private @Nullable Subscription subscription;
  private boolean closed;

  /** The next item, if one comes within the time. */
  Optional<Item> poll(Duration atMost) throws InterruptedException {
    Item item = items.poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
    if (item instanceof Item.Bytes) {
      requestOne();
    }
    return Optional.ofNullable(item);
  }

  private synchronized void requestOne() {
    if (subscription != null && !closed) {
      subscription.request(1);
    }
  }

  @Override
  public CompletionStage<BodyQueue> getBody() {
    return CompletableFuture.completedFuture(this);
  }

  @Override
  public synchronized void onSubscribe(Subscription given) {
    subscription = given;
    if (closed) {
      given.cancel();
    } else {
      given.request(1);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    items.add(new Item.Bytes(buffers));
  }

  @Override
  public void onError(Throwable cause) {
    items.add(new Item.Failed(cause));
  }

  @Override
  public void onComplete() {
    items.add(new Item.End());
  }

  /** Ends the exchange if it still goes on. */
  @Override
  public synchronized void close() {
    closed = true;
    if (subscription != null) {
      subscription.cancel();
    }
  }
}
