package harness.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Seed;
import harness.workspace.PathException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Paths made up of whatever a tree full of links has, and of what it has not. */
@ParameterizedClass
@EnumSource(Adapter.class)
class GeneratedPathsTest {
  private static final int PATHS = 10_000;
  private static final int MAX_NAMES = 7;
  private static final int COMPARED_EVERY = 1000;

  private final Adapter adapter;

  @TempDir(factory = MemoryDirectory.class)
  Path temporary;

  GeneratedPathsTest(Adapter adapter) {
    this.adapter = adapter;
  }

  @Test
  void nothingOutsideTheRootsIsEverReadWrittenOrCreated() throws IOException {
    long seed = Seed.get(GeneratedPathsTest.class);
    Random random = new Random(seed);
    try (Workbench bench = new Workbench(adapter, temporary)) {
      plant(bench);
      Map<String, String> beyond = beyond(bench);
      Outcomes outcomes = new Outcomes();
      for (int i = 0; i < PATHS; i++) {
        String path = path(bench, random);
        String told = "seed " + seed + ", path " + i + ": '" + path + "'";
        outcomes.read(bench, path, told);
        outcomes.write(bench, path, told);
        if (i % COMPARED_EVERY == 0) {
          assertEquals(beyond, beyond(bench), told);
        }
      }
      assertEquals(beyond, beyond(bench), "seed " + seed);
      System.out.println(outcomes);
      // A test in which nearly everything is refused would show nothing.
      assertTrue(outcomes.reads > PATHS / 40, outcomes::toString);
      assertTrue(outcomes.writes > PATHS / 40, outcomes::toString);
      assertTrue(outcomes.refused(Kind.OUTSIDE) > PATHS / 20, outcomes::toString);
      assertTrue(outcomes.refused(Kind.GIT_OWN) > PATHS / 50, outcomes::toString);
      assertTrue(outcomes.refused(Kind.LINK_LOOP) > 0, outcomes::toString);
      assertEquals(0, outcomes.refused(Kind.SYSTEM), outcomes::toString);
    }
  }

  /** All that no write may change: what is beside the workspace, and what is in it but not ours. */
  private static Map<String, String> beyond(Workbench bench) throws IOException {
    Map<String, String> all = new TreeMap<>(Workbench.snapshot(bench.base));
    String ours = bench.base.relativize(bench.cwd).toString();
    all.keySet().removeIf(path -> path.startsWith(ours + "/") && !path.startsWith(ours + "/.git"));
    return all;
  }

  private static void plant(Workbench bench) throws IOException {
    for (Path directory : List.of(bench.work, bench.work.resolve("a"), bench.cwd, bench.outside)) {
      String kind = directory.equals(bench.outside) ? "outside" : "inside";
      for (String name : List.of("d1", "d2", "d1/d2", "d2/d1", ".git", "d1/.git")) {
        Files.createDirectories(directory.resolve(name));
        Files.writeString(directory.resolve(name).resolve("f1"), kind);
        Files.writeString(directory.resolve(name).resolve("f2"), kind);
      }
      Files.writeString(directory.resolve("f1"), kind);
      Files.writeString(directory.resolve("f2"), kind);
    }
    Map<String, String> links = new TreeMap<>();
    links.put("in", "d1");
    links.put("leaf", "d1/f1");
    links.put("up", "..");
    links.put("upup", "../..");
    links.put("out", bench.outside.toString());
    links.put("outleaf", bench.outside + "/f1");
    links.put("outnew", bench.outside + "/new");
    links.put("sneak", "../../../outside");
    links.put("etc", "/etc");
    links.put("top", "/");
    links.put("ours", bench.cwd.toString());
    links.put("roundabout", "d1/../../b/d2/up/d1");
    links.put("loop", "loop");
    links.put("ping", "pong/d1");
    links.put("pong", "ping");
    links.put("dangling", "gone/f1");
    links.put("git", ".git");
    links.put("work", bench.work + "/d2/../d1");
    for (Path directory :
        List.of(
            bench.work,
            bench.work.resolve("d1"),
            bench.cwd,
            bench.cwd.resolve("d1"),
            bench.cwd.resolve("d1/d2"),
            bench.cwd.resolve("d2"))) {
      for (Map.Entry<String, String> link : links.entrySet()) {
        Files.createSymbolicLink(directory.resolve(link.getKey()), bench.path(link.getValue()));
      }
    }
  }

  private static final List<String> NAMES =
      List.of(
          "d1",
          "d1",
          "d1",
          "d2",
          "d2",
          "d2",
          "f1",
          "f1",
          "f2",
          "in",
          "leaf",
          "up",
          "upup",
          "out",
          "outleaf",
          "outnew",
          "sneak",
          "etc",
          "top",
          "ours",
          "ours",
          "roundabout",
          "loop",
          "ping",
          "dangling",
          "git",
          ".git",
          ".GIT",
          "work",
          "..",
          "..",
          "..",
          ".",
          "",
          "new",
          "passwd",
          "a",
          "b",
          "outside",
          "secret",
          "harness-was-here");

  private static String path(Workbench bench, Random random) {
    StringBuilder path =
        new StringBuilder(
            switch (random.nextInt(12)) {
              case 0 -> bench.work + "/";
              case 1 -> bench.cwd + "/";
              case 2 -> random.nextBoolean() ? bench.outside + "/" : "/";
              case 3 -> bench.cwd + "/../../";
              default -> "";
            });
    int names = 1 + random.nextInt(MAX_NAMES);
    for (int i = 0; i < names; i++) {
      path.append(NAMES.get(random.nextInt(NAMES.size()))).append(i < names - 1 ? "/" : "");
    }
    if (random.nextInt(3) == 0) {
      path.append("/f1");
    }
    return path.toString();
  }

  /** What came of the paths. */
  private static final class Outcomes {
    private final Map<Kind, Integer> refusedReads = new EnumMap<>(Kind.class);
    private final Map<Kind, Integer> refusedWrites = new EnumMap<>(Kind.class);
    private int reads;
    private int writes;

    int refused(Kind kind) {
      return refusedReads.getOrDefault(kind, 0) + refusedWrites.getOrDefault(kind, 0);
    }

    void read(Workbench bench, String path, String told) throws IOException {
      Path named = path.startsWith("/") ? bench.path(path) : bench.cwd.resolve(path);
      try {
        String content = bench.read(path);
        reads++;
        // What the system itself finds there has to be the same, and in the workspace.
        Path real = named.toRealPath();
        assertTrue(real.startsWith(bench.work), told + " is " + real);
        assertEquals(Files.readString(real), content, told);
        assertFalse(content.equals("outside") || content.equals("secret"), told);
        assertFalse(real.toString().contains("/.git"), told);
      } catch (PathException e) {
        refusedReads.merge(e.kind(), 1, Integer::sum);
        if (e.kind() == Kind.NOT_FOUND && !path.isEmpty()) {
          assertFalse(Files.exists(named), told + ": " + e.getMessage());
        }
      }
    }

    void write(Workbench bench, String path, String told) throws IOException {
      try {
        bench.write(path, "inside, written to");
        writes++;
        Path named = path.startsWith("/") ? bench.path(path) : bench.cwd.resolve(path);
        Path real = named.toRealPath();
        assertTrue(real.startsWith(bench.cwd), told + " is " + real);
        assertEquals("inside, written to", Files.readString(real), told);
      } catch (PathException e) {
        refusedWrites.merge(e.kind(), 1, Integer::sum);
      }
    }

    @Override
    public String toString() {
      List<String> lines = new ArrayList<>();
      lines.add("reads " + reads + ", refused " + refusedReads);
      lines.add("writes " + writes + ", refused " + refusedWrites);
      return String.join("; ", lines);
    }
  }
}
