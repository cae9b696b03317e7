package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.fault.Refusal;
import harness.fault.RefusedException;
import harness.workspace.Slots;
import harness.workspace.attach.AttachException;
import harness.workspace.attach.AttachOrder;
import harness.workspace.attach.AttachedSlots;
import harness.workspace.attach.Mirrors;
import harness.workspace.attach.Remote;
import harness.workspace.git.PlaceOrder;
import harness.workspace.git.Placed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** While the Harness drains nothing is attached any more, and what is at work ends. */
@Timeout(60)
class AttachmentsTest {
  private final CountDownLatch placing = new CountDownLatch(1);
  private final CountDownLatch placed = new CountDownLatch(1);
  private volatile boolean full;
  private Attachments attachments;
  private AttachOrder order;

  @BeforeEach
  void prepare(@TempDir Path directory) throws Exception {
    Path base = directory.toRealPath();
    Remote remote = Remote.with(base.resolve("served"));
    Path root = Files.createDirectories(base.resolve("work"));
    Path state = Files.createDirectories(base.resolve("state"));
    ToolHost tools =
        new FakeToolHost((call, progress) -> FakeToolHost.text("")) {
          @Override
          public Placed place(PlaceOrder one) throws InterruptedException {
            placing.countDown();
            placed.await();
            if (full) {
              throw new OutOfMemoryError("of the test");
            }
            return new Placed(false);
          }
        };
    attachments =
        new Attachments(
            new Mirrors(base.resolve("mirrors"), root, List.of()),
            tools,
            AttachedSlots.open(new Slots(root.toString(), Map.of()), state));
    AttachOrder.Slot slot =
        AttachOrder.Slot.of(
            "slots",
            "target",
            "file://" + remote.directory(),
            Optional.empty(),
            OptionalInt.empty(),
            Optional.empty());
    order = AttachOrder.of(List.of(slot), "feature-x", Optional.empty());
  }

  private CompletableFuture<Attachments.Attached> attach() {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return attachments.attach(order);
          } catch (InterruptedException e) {
            throw new CompletionException(e);
          }
        },
        // Not on the common pool, which JGit waits for.
        task -> Thread.ofPlatform().daemon().start(task));
  }

  @Test
  void nothingIsAttachedAnyMoreAndWhatIsAtWorkFinishes() throws Exception {
    CompletableFuture<Attachments.Attached> working = attach();
    placing.await();
    attachments.drain();
    RefusedException refused =
        assertThrows(RefusedException.class, () -> attachments.attach(order));
    Refusal refusal = assertInstanceOf(Refusal.Draining.class, refused.refusal());
    assertTrue(refusal.message().contains("draining"), refusal.message());
    placed.countDown();
    assertTrue(attachments.awaitQuiet(Duration.ofMinutes(1)));
    assertEquals(1, working.join().repos().size());
  }

  @Test
  void whatIsAtWorkWhenTheTimeIsOverIsEnded() throws Exception {
    CompletableFuture<Attachments.Attached> working = attach();
    placing.await();
    attachments.drain();
    assertFalse(attachments.awaitQuiet(Duration.ofMillis(1)));
    CompletionException ended = assertThrows(CompletionException.class, working::join);
    assertInstanceOf(InterruptedException.class, ended.getCause());
    assertTrue(attachments.awaitQuiet(Duration.ofMinutes(1)));
  }

  @Test
  void aSlotForWhichThereIsTooLittleMemoryIsAFailureThatNamesIt() throws Exception {
    full = true;
    placed.countDown();
    AttachException failed = assertThrows(AttachException.class, () -> attachments.attach(order));
    assertEquals("target", failed.slot());
    assertTrue(String.valueOf(failed.getMessage()).contains("too little memory"), failed::toString);
    assertEquals(Map.of(), attachments.slots().slots().worktrees());
  }

  @Test
  void aToolHostThatDoesNotAnswerIsAskedForOneBranchAlone(@TempDir Path state) throws Exception {
    AtomicInteger asked = new AtomicInteger();
    ToolHost gone =
        new FakeToolHost((call, progress) -> FakeToolHost.text("")) {
          @Override
          public Optional<String> branch(String worktree) {
            asked.incrementAndGet();
            throw new RefusedException(new Refusal.NoToolHost("it is gone", Duration.ZERO));
          }
        };
    Slots configured = new Slots("/work", Map.of("a", "/work/a", "b", "/work/b", "c", "/work/c"));
    Attachments all =
        new Attachments(
            new Mirrors(state.resolve("mirrors"), state, List.of()),
            gone,
            AttachedSlots.open(configured, state));
    assertEquals(3, all.branches().size());
    assertEquals(1, asked.get());
  }
}
