package harness.workspace.git;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import harness.Seed;
import harness.workspace.PathException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever stands in git's own files, reading them ends soon and in a sentence at worst. {@code
 * -Dseed=N} replays, {@code -Drounds=N} makes so many damages.
 */
class DamagedRepositoryTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 120);
  private static final Duration SOON = Duration.ofSeconds(10);

  @TempDir private Path temporary;

  private static Path make(Path directory) throws Exception {
    GitProgram git = GitProgram.init(directory);
    Path file = directory.resolve("src/a.txt");
    Files.createDirectories(directory.resolve("src"));
    for (int i = 0; i < 5; i++) {
      Files.writeString(file, ("a line of many " + i + "\n").repeat(200));
      Files.writeString(directory.resolve("b" + i), i + "\n");
      git.run("add", ".");
      git.run("commit", "-qm", "Commit " + i);
    }
    git.run("tag", "-am", "Tag", "v1");
    git.run("repack", "-adq");
    git.run("pack-refs", "--all");
    Files.writeString(directory.resolve("c"), "c\n");
    git.run("add", ".");
    git.run("commit", "-qm", "Loose");
    Files.writeString(file, "changed\n");
    return directory;
  }

  private static List<Path> files(Path git) throws IOException {
    try (Stream<Path> walk = Files.walk(git)) {
      return walk.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .filter(file -> !file.toString().contains("/hooks/") && !file.endsWith("description"))
          .sorted()
          .toList();
    }
  }

  @Test
  void damagedBytesAreASentenceAtWorst() throws Exception {
    long seed = Seed.get(DamagedRepositoryTest.class);
    Random random = new Random(seed);
    Path repository = make(temporary.toRealPath().resolve("repo"));
    List<Path> files = files(repository.resolve(".git"));
    for (int round = 0; round < ROUNDS; round++) {
      Path file = files.get(random.nextInt(files.size()));
      byte[] whole = Files.readAllBytes(file);
      boolean writable = file.toFile().setWritable(true) && whole.length > 0;
      if (!writable) {
        continue;
      }
      byte[] damaged = damage(whole, random);
      String where = "seed " + seed + ", round " + round + ", " + file;
      Files.write(file, damaged);
      try {
        assertTimeoutPreemptively(SOON, () -> read(repository, where), where);
      } finally {
        Files.write(file, whole);
      }
    }
  }

  private static byte[] damage(byte[] whole, Random random) {
    int at = random.nextInt(whole.length);
    return switch (random.nextInt(4)) {
      case 0 -> Arrays.copyOf(whole, at);
      case 1 -> {
        byte[] longer = Arrays.copyOf(whole, whole.length + 1 + random.nextInt(64));
        yield longer;
      }
      default -> {
        byte[] damaged = whole.clone();
        for (int i = random.nextInt(4); i >= 0; i--) {
          damaged[random.nextInt(whole.length)] = (byte) random.nextInt(256);
        }
        yield damaged;
      }
    };
  }

  private interface Reading {
    Object of(GitView view) throws IOException, InterruptedException;
  }

  private void read(Path repository, String where) throws InterruptedException {
    List<Reading> readings = new ArrayList<>();
    readings.add(GitView::status);
    readings.add(GitView::branch);
    readings.add(view -> view.diff(DiffQuery.WORKTREE));
    readings.add(view -> view.diff(DiffQuery.STAGED));
    readings.add(view -> view.diff(query("HEAD~3", "v1")));
    readings.add(view -> view.log(20, Optional.of("src")));
    readings.add(view -> view.show("v1"));
    for (Reading reading : readings) {
      try (GitView view = GitView.open(temporary.toRealPath(), repository)) {
        Object unused = reading.of(view);
      } catch (PathException | GitException e) {
        // A sentence.
      } catch (IOException | RuntimeException e) {
        throw new AssertionError(where, e);
      }
    }
  }

  private static DiffQuery query(String from, String to) {
    return new DiffQuery(Optional.of(from), Optional.of(to), false, List.of(), false);
  }
}
