package harness.workspace;

import static harness.workspace.Workbench.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import harness.workspace.PathException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Adapter.class)
class CheckDirectoryTest {
  private final Adapter adapter;

  @TempDir(factory = MemoryDirectory.class)
  Path temporary;

  private Workbench bench;

  CheckDirectoryTest(Adapter adapter) {
    this.adapter = adapter;
  }

  @BeforeEach
  void open() throws IOException {
    bench = new Workbench(adapter, temporary);
  }

  @AfterEach
  void close() throws IOException {
    bench.close();
  }

  private void check(String cwd) throws PathException {
    Root.checkDirectory(bench.handles, bench.work.toString(), cwd);
  }

  @Test
  void aDirectoryInTheWorkspaceIsGood() throws IOException {
    check(bench.cwd.toString());
    check(bench.work.toString());
    Files.createSymbolicLink(bench.work.resolve("link"), bench.cwd);
    check(bench.work + "/link");
  }

  @Test
  void aRelativeOneIsRefused() {
    assertRefused(
        Kind.NOT_ABSOLUTE,
        "the working directory 'a/b' is not absolute; start it with '/'",
        () -> check("a/b"));
    assertRefused(Kind.NOT_ABSOLUTE, () -> check("."));
    assertRefused(
        Kind.INVALID, "the working directory is empty; name it from '/' on", () -> check(""));
  }

  @Test
  void oneThatIsNotNormalisedIsRefusedWithWhatToWrite() {
    assertRefused(
        Kind.NOT_ABSOLUTE,
        "the working directory '%s/a/../a/b' is not normalised; it has a '..'"
            .formatted(bench.work),
        () -> check(bench.work + "/a/../a/b"));
    for (String path : List.of("/a/./b", "//a/b", "/a/b/", "/a/b/.", "/a//b/")) {
      assertRefused(
          Kind.NOT_ABSOLUTE,
          "the working directory '%s%s' is not normalised; write it '%s'"
              .formatted(bench.work, path, bench.cwd),
          () -> check(bench.work + path));
    }
  }

  @Test
  void oneOutsideIsRefused() throws IOException {
    assertRefused(
        Kind.OUTSIDE,
        "the working directory '%s' is outside the workspace %s; reads stay inside it"
            .formatted(bench.outside, bench.work),
        () -> check(bench.outside.toString()));
    assertRefused(Kind.OUTSIDE, () -> check("/"));
    assertRefused(Kind.OUTSIDE, () -> check(bench.base.toString()));
    Files.createSymbolicLink(bench.work.resolve("out"), bench.outside);
    assertRefused(
        Kind.OUTSIDE,
        "the working directory '%s/out' leads through a link out of the workspace %s; reads stay"
                .formatted(bench.work, bench.work)
            + " inside it",
        () -> check(bench.work + "/out"));
  }

  @Test
  void oneThatIsNotThereOrNoDirectoryIsRefused() {
    assertRefused(
        Kind.NOT_FOUND,
        "the working directory '%s/none' is not there".formatted(bench.work),
        () -> check(bench.work + "/none"));
    assertRefused(
        Kind.NOT_FOUND,
        "the working directory '%s/none/deeper' is not there: there is no '%s/none'"
            .formatted(bench.work, bench.work),
        () -> check(bench.work + "/none/deeper"));
    assertRefused(
        Kind.NOT_A_DIRECTORY,
        "the working directory '%s/shared' is not a directory".formatted(bench.work),
        () -> check(bench.work + "/shared"));
  }

  @Test
  void oneWithANulOrHalfACharacterIsRefused() {
    assertRefused(Kind.INVALID, () -> check(bench.work + "/a\0"));
    assertRefused(Kind.INVALID, () -> check("\0"));
    assertRefused(Kind.INVALID, () -> check(bench.work + "/\ud83d"));
    assertRefused(Kind.INVALID, () -> check("/" + "x/".repeat(3000)));
  }

  @Test
  void aWorkspaceRootThatIsNotThereIsSaid() {
    PathException refused =
        org.junit.jupiter.api.Assertions.assertThrows(
            PathException.class,
            () -> Root.open(bench.handles, bench.base + "/none", bench.base + "/none/a"));
    assertEquals(
        "the workspace root '%s/none' is not there".formatted(bench.base), refused.getMessage());
  }
}
