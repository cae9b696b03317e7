package harness.workspace;

import static harness.workspace.Workbench.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.FaultyHandles.Step;
import harness.workspace.PathException.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Several places that are changed together, all or none. */
@ParameterizedClass
@EnumSource(Adapter.class)
@Timeout(60)
class TargetsTest {
  private final Adapter adapter;

  @TempDir(factory = MemoryDirectory.class)
  Path temporary;

  private Workbench bench;
  private FaultyHandles faulty;
  private Root root;

  TargetsTest(Adapter adapter) {
    this.adapter = adapter;
  }

  @BeforeEach
  void open() throws IOException {
    bench = new Workbench(adapter, temporary);
    faulty = new FaultyHandles(bench.handles);
    root = Root.open(faulty, bench.work.toString(), bench.cwd.toString());
    for (String name : List.of("one", "two", "old", "older")) {
      Files.writeString(bench.cwd.resolve(name), name);
    }
    Files.setPosixFilePermissions(
        bench.cwd.resolve("one"), PosixFilePermissions.fromString("rwxr-x--x"));
  }

  @AfterEach
  void close() throws IOException {
    root.close();
    assertEquals(0, faulty.open());
    assertEquals(0, Places.OF_PROCESS.size());
    bench.close();
  }

  private static void stage(Target target, String content) throws IOException {
    target.current();
    target.stage(content.getBytes(StandardCharsets.UTF_8));
  }

  /** Changes two files, makes two in a new directory, removes two. */
  private void changeAll() throws IOException {
    try (Targets targets =
        root.targets(List.of("one", "two", "new/a", "new/deep/b"), List.of("old", "older"))) {
      List<Target> all = targets.all();
      stage(all.get(0), "1");
      stage(all.get(1), "2");
      stage(all.get(2), "a");
      stage(all.get(3), "b");
      all.get(3).stageMode(true);
      for (Target removed : all.subList(4, 6)) {
        removed.current();
        removed.stageRemoval();
      }
      targets.commit();
    }
  }

  @Test
  void allIsChanged() throws IOException {
    changeAll();
    assertEquals("1", bench.read("one"));
    assertEquals("2", bench.read("two"));
    assertEquals("a", bench.read("new/a"));
    assertEquals("b", bench.read("new/deep/b"));
    assertEquals(List.of("file", "new", "one", "two"), bench.namesIn(bench.cwd));
    assertEquals("rwxr-x--x", mode("one"));
    assertEquals("rwxr-xr-x", mode("new/deep/b"));
    assertEquals("rw-r--r--", mode("new/a"));
  }

  private String mode(String name) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(bench.cwd.resolve(name)));
  }

  @Test
  void whereOneStepFailsNothingIsChangedAndNothingLeft() throws IOException {
    Map<String, String> before = Workbench.snapshot(bench.base);
    int failed = 0;
    for (Step step : List.of(Step.CREATE, Step.WRITE, Step.SYNC, Step.RENAME, Step.UNLINK)) {
      for (int after = 0; ; after++) {
        faulty.failAfter(step, after, new FileSystemException("x", null, "input/output error"));
        try {
          changeAll();
          break;
        } catch (PathException e) {
          failed++;
          assertEquals(before, Workbench.snapshot(bench.base), step + " after " + after);
          assertEquals("rwxr-x--x", mode("one"));
          assertTrue(String.valueOf(e.getMessage()).endsWith("input/output error"), e::toString);
        }
      }
      undoBy(before);
    }
    assertTrue(failed >= 20, "only " + failed);
  }

  /** Back to what it was before all was changed. */
  private void undoBy(Map<String, String> before) throws IOException {
    for (String name : List.of("one", "two", "old", "older")) {
      Files.writeString(bench.cwd.resolve(name), name);
    }
    for (String name : List.of("new/a", "new/deep/b", "new/deep", "new")) {
      Files.delete(bench.cwd.resolve(name));
    }
    // What is no longer needed and could not be removed is for the next process to sweep.
    for (String name : bench.namesIn(bench.cwd)) {
      if (name.startsWith(".harness-")) {
        Files.delete(bench.cwd.resolve(name));
      }
    }
    assertEquals(before, Workbench.snapshot(bench.base));
  }

  @Test
  void whatAppearedSinceItWasLookedAtIsNotReplaced() throws IOException {
    try (Targets targets = root.targets(List.of("one", "new"), List.of())) {
      stage(targets.all().get(0), "1");
      stage(targets.all().get(1), "mine");
      Files.writeString(bench.cwd.resolve("new"), "theirs");
      assertRefused(
          Kind.EXISTS,
          "'new' has appeared since it was looked at; read it first, then try again",
          targets::commit);
    }
    assertEquals("theirs", bench.read("new"));
    assertEquals("one", bench.read("one"));
    try (Target target = root.target("newer")) {
      target.current();
      target.stage(new byte[] {'1'});
      Files.writeString(bench.cwd.resolve("newer"), "theirs");
      assertRefused(Kind.EXISTS, target::commit);
    }
    assertEquals("theirs", bench.read("newer"));
  }

  @Test
  void filesThatTogetherWouldMakeAGitDirectoryAreNotMade() throws IOException {
    Map<String, String> before = Workbench.snapshot(bench.base);
    assertRefused(
        Kind.GIT_OWN,
        () -> {
          try (Targets targets = root.targets(List.of("d/HEAD", "d/commondir"), List.of())) {
            stage(targets.all().get(0), "ref: x");
            stage(targets.all().get(1), "/elsewhere");
            targets.commit();
          }
        });
    assertEquals(before, Workbench.snapshot(bench.base));
  }

  @Test
  void aLinkIsNotRemovedInThePlaceOfAFile() throws IOException {
    Files.createSymbolicLink(bench.cwd.resolve("link"), bench.path("one"));
    try (Targets targets = root.targets(List.of(), List.of("link"))) {
      assertRefused(
          Kind.NOT_A_FILE,
          "'link' is a link, not a regular file",
          () -> targets.all().getFirst().current());
    }
  }

  /** In each order of their places, by names and by links to them. */
  @Test
  void twoThatNeedTheSamePlacesNeverWaitForEachOther() throws Exception {
    Files.createSymbolicLink(bench.cwd.resolve("uno"), bench.path("one"));
    List<String> places = List.of("one", "two", "old", "new/x");
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        List<String> mine = new ArrayList<>(places);
        Collections.rotate(mine, thread);
        mine.replaceAll(name -> name.equals("one") && mine.hashCode() % 2 == 0 ? "uno" : name);
        running.add(
            pool.submit(
                () -> {
                  for (int round = 0; round < 20; round++) {
                    try (Targets targets = root.targets(mine, List.of())) {
                      for (Target target : targets.all()) {
                        stage(target, "x");
                      }
                      targets.commit();
                    }
                  }
                  return mine;
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    }
    assertEquals("x", bench.read("one"));
  }

  @Test
  void whoWaitsForPlacesIsNotOvertakenByWhoWantsOneOfThem() throws Exception {
    Places places = new Places(Duration.ofSeconds(20));
    Places.Place one = new Places.Place("d", Name.of("one"));
    Places.Place two = new Places.Place("d", Name.of("two"));
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      Places.Hold held = places.take(Set.of(one));
      Future<?> both = pool.submit(() -> take(places, Set.of(one, two), "both", order));
      while (places.size() < 2 && !both.isDone()) {
        Thread.onSpinWait();
      }
      Future<?> second = pool.submit(() -> take(places, Set.of(two), "second", order));
      while (places.size() < 3 && !second.isDone()) {
        Thread.onSpinWait();
      }
      held.close();
      both.get();
      second.get();
    }
    assertEquals(List.of("both", "second"), order);
  }

  private static Object take(
      Places places, Set<Places.Place> wanted, String who, List<String> order) throws Exception {
    try (Places.Hold hold = places.take(wanted)) {
      order.add(who);
      return hold;
    }
  }
}
