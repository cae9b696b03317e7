package harness.tool.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.tool.FakeToolHost;
import harness.workspace.git.PlaceOrder;
import harness.workspace.git.Placed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A slot is placed by a runner, as the Harness says. */
@Timeout(60)
class PlaceTest {
  @TempDir private Path directory;

  private static PlaceOrder order(Optional<String> review) {
    return new PlaceOrder(
        "target",
        "target-0.git",
        "https://git.example.com/target.git",
        "main",
        "a".repeat(40),
        "feature/x",
        "b".repeat(40),
        review,
        Optional.of("blob:none"));
  }

  /** Places as a test says. */
  private static class Placing extends FakeToolHost {
    final List<PlaceOrder> orders = new CopyOnWriteArrayList<>();

    Placing() {
      super((call, progress) -> FakeToolHost.text(""));
    }

    @Override
    public Placed place(PlaceOrder order) throws IOException, InterruptedException {
      orders.add(order);
      if (order.review().isEmpty()) {
        throw new IOException("something is in the way");
      }
      return new Placed(true);
    }
  }

  @Test
  void anOrderArrivesWholeAndSoDoesItsAnswer() throws Exception {
    SocketFixture fixture = SocketFixture.in(directory);
    Placing there = new Placing();
    PlaceOrder whole = order(Optional.of("c".repeat(40)));
    try (Runner runner = fixture.runner(() -> there);
        RunnerToolHost host = fixture.host()) {
      assertEquals(new Placed(true), host.place(whole));
      IOException said = assertThrows(IOException.class, () -> host.place(order(Optional.empty())));
      assertEquals("something is in the way", said.getMessage());
    }
    assertEquals(List.of(whole, order(Optional.empty())), there.orders);
  }

  @Test
  void anInterruptReachesTheRunner() throws Exception {
    SocketFixture fixture = SocketFixture.in(directory);
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Placing there =
        new Placing() {
          @Override
          public Placed place(PlaceOrder order) throws InterruptedException {
            began.countDown();
            try {
              new CountDownLatch(1).await();
              return new Placed(false);
            } finally {
              ended.countDown();
            }
          }
        };
    try (Runner runner = fixture.runner(() -> there);
        RunnerToolHost host = fixture.host()) {
      CountDownLatch interrupted = new CountDownLatch(1);
      Thread caller =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      Object unused = host.place(order(Optional.empty()));
                    } catch (InterruptedException e) {
                      interrupted.countDown();
                    } catch (IOException e) {
                      throw new IllegalStateException(e);
                    }
                  });
      began.await();
      caller.interrupt();
      ended.await();
      interrupted.await();
      assertTrue(caller.join(java.time.Duration.ofSeconds(30)));
    }
  }
}
