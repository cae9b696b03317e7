package harness.workspace;

import static harness.workspace.Workbench.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.FaultyHandles.Step;
import harness.workspace.PathException.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Adapter.class)
class FailedWriteTest {
  private final Adapter adapter;

  @TempDir(factory = MemoryDirectory.class)
  Path temporary;

  private Workbench bench;
  private FaultyHandles faulty;
  private Root root;

  FailedWriteTest(Adapter adapter) {
    this.adapter = adapter;
  }

  @BeforeEach
  void open() throws IOException {
    bench = new Workbench(adapter, temporary);
    faulty = new FaultyHandles(bench.handles);
    root = Root.open(faulty, bench.work.toString(), bench.cwd.toString());
  }

  @AfterEach
  void close() throws IOException {
    root.close();
    assertEquals(0, faulty.open());
    assertEquals(0, Places.OF_PROCESS.size());
    bench.close();
  }

  private void write(String path) throws IOException {
    try (Target target = root.target(path)) {
      target.replace("new content".getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void aWriteThatFailsLeavesTheOldFileAndNothingElse() throws IOException {
    Map<String, String> before = Workbench.snapshot(bench.base);
    for (Step step : List.of(Step.LOOK, Step.CREATE, Step.WRITE, Step.SYNC, Step.RENAME)) {
      faulty.fail(step, new FileSystemException("x", null, "no space left on the device"));
      for (String path : List.of("file", "new")) {
        assertRefused(
            Kind.SYSTEM,
            "'" + path + "' can't be written: no space left on the device",
            () -> write(path));
      }
      assertEquals(before, Workbench.snapshot(bench.base), step::toString);
    }
  }

  @Test
  void aDirectoryThatIsNotSyncedIsSaid() throws IOException {
    faulty.fail(Step.SYNC_DIRECTORY, new FileSystemException("x", null, "input/output error"));
    assertRefused(
        Kind.SYSTEM,
        "'file' is written, but may be lost in a crash of the machine: input/output error",
        () -> write("file"));
    assertEquals("new content", bench.read("file"));
    assertRefused(
        Kind.SYSTEM, "'new/file' can't be written: input/output error", () -> write("new/file"));
  }

  @Test
  void aDeniedAccessIsSaid() {
    faulty.fail(Step.OPEN, new AccessDeniedException("x"));
    assertRefused(
        Kind.SYSTEM, "'file' can't be opened: permission denied", () -> root.file("file"));
    faulty.fail(Step.CREATE, new AccessDeniedException("x"));
    assertRefused(Kind.SYSTEM, "'file' can't be written: permission denied", () -> write("file"));
  }

  @Test
  void aFailureWithoutAMessageIsNamed() {
    faulty.fail(Step.OPEN, new java.nio.channels.ClosedByInterruptException());
    assertRefused(
        Kind.SYSTEM, "'file' can't be opened: ClosedByInterruptException", () -> root.file("file"));
  }

  @Test
  void aRefusedPathLeavesNothingOpen() throws IOException {
    int held = faulty.open();
    for (String path : List.of("a", "a/b", "../x", "file/x", ".git/x", "d/../x", "\0", "/")) {
      try {
        root.file(path).close();
      } catch (PathException e) {
        assertEquals(held, faulty.open(), path);
      }
      try {
        root.target(path).close();
      } catch (PathException e) {
        assertEquals(held, faulty.open(), path);
      }
    }
    faulty.fail(Step.LOOK, new AccessDeniedException("x"));
    assertRefused(Kind.SYSTEM, () -> root.directory("../../a"));
    assertRefused(
        Kind.SYSTEM,
        () -> Root.checkDirectory(faulty, bench.work.toString(), bench.cwd.toString()));
    assertEquals(held, faulty.open());
    assertTrue(held > 0);
  }
}
