package harness.workspace.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.Handles;
import harness.workspace.Root;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a container counts, in a tree that is laid out as the system does it. */
@Timeout(60)
class ContainerMemoryTest {
  private static final long MEBIBYTE = 1024 * 1024;

  @TempDir private Path cgroup;

  private void newer(long anon, String limit) throws Exception {
    Files.writeString(cgroup.resolve("memory.max"), limit + "\n");
    Files.writeString(
        cgroup.resolve("memory.stat"),
        "anon " + anon + "\nfile 999999999999\nkernel 1\nshmem " + MEBIBYTE + "\nshmem_thp 7\n");
  }

  @Test
  void theNewerKindCountsWhatIsItsOwnAndWhatIsShared() throws Exception {
    newer(3 * MEBIBYTE, "67108864");
    assertEquals(
        Optional.of(new ContainerMemory.Usage(4 * MEBIBYTE, 64 * MEBIBYTE)),
        new ContainerMemory(cgroup).look());
  }

  @Test
  void theOlderKindCountsTheSame() throws Exception {
    Path memory = Files.createDirectory(cgroup.resolve("memory"));
    Files.writeString(memory.resolve("memory.limit_in_bytes"), "67108864\n");
    Files.writeString(
        memory.resolve("memory.stat"),
        "rss 1\nshmem 1\ntotal_cache 99999999999\ntotal_rss 3145728\ntotal_shmem 1048576\n");
    assertEquals(
        Optional.of(new ContainerMemory.Usage(4 * MEBIBYTE, 64 * MEBIBYTE)),
        new ContainerMemory(cgroup).look());
    Files.writeString(memory.resolve("memory.limit_in_bytes"), "9223372036854771712\n");
    assertEquals(Optional.empty(), new ContainerMemory(cgroup).look());
  }

  @Test
  void withoutALimitThereIsNothingToLookAt() throws Exception {
    assertEquals(Optional.empty(), new ContainerMemory(cgroup).look());
    newer(3 * MEBIBYTE, "max");
    assertEquals(Optional.empty(), new ContainerMemory(cgroup).look());
  }

  @Test
  void aCommandEndsBeforeItsContainerDoes() throws Exception {
    newer(3 * MEBIBYTE, "67108864");
    CommandRunner runner =
        new CommandRunner(
            new CommandRunner.Settings(
                Path.of(System.getProperty("java.io.tmpdir")),
                System.getenv(),
                Set.of(),
                Optional.empty(),
                Long.MAX_VALUE,
                Optional.of(new ContainerMemory(cgroup))),
            InstantSource.system(),
            new Random(1));
    Path work = Files.createDirectory(cgroup.resolve("work")).toRealPath();
    try (Root root = Root.open(Handles.system(new Random(2)), work.toString(), work.toString());
        Command command =
            runner.start(
                root,
                new Order(
                    "echo up; exec sleep 50",
                    true,
                    Optional.of(Duration.ofSeconds(55)),
                    said -> true,
                    said -> {}))) {
      newer(62 * MEBIBYTE, "67108864");
      assertEquals(
          new Command.End.OutOfMemory(63 * MEBIBYTE, 64 * MEBIBYTE),
          command.awaitUninterruptibly());
      assertTrue(command.survivors().isEmpty());
    }
  }
}
