package harness.workspace.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.PathException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A repository that an Agent wrote names programs and places; none is run, none is gone to. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HostileRepositoryTest {
  private static final String SECRET = "s3cret-beyond-the-root";

  @TempDir private Path temporary;
  private Path root;
  private Path outside;
  private Path canary;
  private Path program;
  private Path repository;
  private GitProgram git;

  @BeforeEach
  void makeARepository() throws Exception {
    root = Files.createDirectories(temporary.toRealPath().resolve("root"));
    outside = Files.createDirectories(temporary.toRealPath().resolve("outside"));
    canary = outside.resolve("canary");
    Files.writeString(outside.resolve("secret.txt"), SECRET + "\n");
    program = temporary.toRealPath().resolve("program");
    Files.writeString(program, "#!/bin/sh\necho ran \"$0\" \"$@\" >> " + canary + "\ncat\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    repository = root.resolve("repo");
    git = GitProgram.init(repository);
    Files.writeString(repository.resolve("a.txt"), "one\n");
    git.run("add", ".");
    git.run("commit", "-qm", "First");
  }

  /** Everything that is shown of it. */
  private String everything(Path cwd) throws IOException, InterruptedException {
    try (GitView view = GitView.open(root, cwd)) {
      DiffQuery head =
          new DiffQuery(Optional.of("HEAD"), Optional.empty(), false, List.of(), false);
      return view.status()
          + view.diff(DiffQuery.WORKTREE).text()
          + view.diff(DiffQuery.STAGED).text()
          + view.diff(head).text()
          + view.log(20, Optional.of("a.txt"))
          + view.log(20, Optional.empty());
    }
  }

  private void change() throws IOException {
    Files.writeString(repository.resolve("a.txt"), "two\n");
    Files.writeString(repository.resolve("new.txt"), "new\n");
  }

  private void checkHarmless(String shown) throws IOException {
    assertFalse(Files.exists(canary), () -> "something ran, see " + canary);
    assertFalse(shown.contains(SECRET), shown);
    assertTrue(shown.contains("+two"), shown);
    assertTrue(shown.contains("-one"), shown);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "core.fsmonitor=PROGRAM",
        "core.hooksPath=DIRECTORY",
        "core.sshCommand=PROGRAM",
        "core.pager=PROGRAM",
        "core.editor=PROGRAM",
        "core.askPass=PROGRAM",
        "core.gitProxy=PROGRAM",
        "core.alternateRefsCommand=PROGRAM",
        "diff.external=PROGRAM",
        "diff.x.command=PROGRAM",
        "diff.x.textconv=PROGRAM",
        "filter.x.clean=PROGRAM",
        "filter.x.smudge=PROGRAM",
        "filter.x.process=PROGRAM",
        "merge.x.driver=PROGRAM",
        "credential.helper=!PROGRAM",
        "gpg.program=PROGRAM",
        "gpg.ssh.program=PROGRAM",
        "alias.status=!PROGRAM",
        "pager.status=PROGRAM",
        "sequence.editor=PROGRAM",
        "uploadpack.packObjectsHook=PROGRAM",
        "remote.origin.uploadpack=PROGRAM",
        "trailer.x.command=PROGRAM",
        "core.worktree=OUTSIDE",
        "core.excludesFile=OUTSIDE/secret.txt",
        "core.attributesFile=OUTSIDE/attributes",
        "include.path=OUTSIDE/config",
        "includeIf.gitdir:/.path=OUTSIDE/config",
        "commit.gpgSign=true",
        "commit.template=OUTSIDE/secret.txt"
      })
  void aKeyThatNamesAProgramOrAPlaceDoesNothing(String setting) throws Exception {
    Files.writeString(outside.resolve("attributes"), "* filter=x diff=x merge=x\n");
    Files.writeString(
        outside.resolve("config"), "[filter \"x\"]\n\tclean = " + program + "\n\trequired\n");
    Files.writeString(repository.resolve(".gitattributes"), "* filter=x diff=x merge=x\n");
    git.run("add", ".");
    git.run("commit", "-qm", "Attributes");
    int equals = setting.indexOf('=');
    String value =
        setting
            .substring(equals + 1)
            .replace("PROGRAM", program.toString())
            .replace("DIRECTORY", temporary.toRealPath().toString())
            .replace("OUTSIDE", outside.toString());
    // With the git program, so that the file is as an Agent's shell would leave it.
    git.run("config", setting.substring(0, equals), value);
    change();
    checkHarmless(everything(repository));
  }

  @Test
  void hooksAndAFilterOfEveryKindTogetherRunNothing() throws Exception {
    for (String hook :
        List.of("pre-commit", "post-checkout", "post-index-change", "fsmonitor-watchman")) {
      Path file = Files.createDirectories(repository.resolve(".git/hooks")).resolve(hook);
      Files.copy(program, file, StandardCopyOption.COPY_ATTRIBUTES);
    }
    Files.writeString(repository.resolve(".git/info/attributes"), "* filter=x diff=x\n");
    git.run("config", "filter.x.clean", program.toString());
    git.run("config", "filter.x.required", "true");
    git.run("config", "filter.x.useJGitBuiltin", "true");
    change();
    checkHarmless(everything(repository));
    Worktrees.commit(repository, "Commit", new Signature("Ada", "", Instant.EPOCH));
    Worktrees.add(repository, "other", root.resolve("other"));
    assertFalse(Files.exists(canary));
  }

  /** Not even git itself, which JGit asks where the system's configuration is, nor a shell. */
  @Test
  void noProcessIsStartedAtAll() throws Exception {
    Path record = temporary.resolve("processes.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("jdk.ProcessStart").withoutStackTrace();
      recording.start();
      Path made = root.resolve("made");
      Signature ada = new Signature("Ada", "", Instant.EPOCH);
      Worktrees.create(made, "main", Map.of("a.txt", "one\n", "run.sh", "#!/bin/sh\n"), ada);
      assertTrue(made.resolve("run.sh").toFile().setExecutable(true));
      Worktrees.commit(made, "Executable", ada);
      Worktrees.add(made, "x", root.resolve("linked"));
      Files.writeString(root.resolve("linked/a.txt"), "two\n");
      checkHarmless(everything(root.resolve("linked")));
      recording.stop();
      recording.dump(record);
    }
    assertEquals(List.of(), RecordingFile.readAllEvents(record));
  }

  @Test
  void theConfigurationOfAWorktreeAloneDoesNothing() throws Exception {
    git.run("worktree", "add", "-q", root.resolve("linked").toString());
    git.run("config", "core.repositoryformatversion", "1");
    git.run("config", "extensions.worktreeConfig", "true");
    for (Path place :
        List.of(repository.resolve(".git"), repository.resolve(".git/worktrees/linked"))) {
      Files.writeString(
          place.resolve("config.worktree"),
          "[core]\n\tworktree = " + outside + "\n\tfsmonitor = " + program + "\n");
    }
    change();
    checkHarmless(everything(repository));
    Files.writeString(root.resolve("linked/a.txt"), "two\n");
    checkHarmless(everything(root.resolve("linked")));
  }

  private String refused(PathException.Kind kind, Path cwd) {
    return refused(kind, () -> everything(cwd));
  }

  private String refused(PathException.Kind kind, Executable reading) {
    PathException refused = assertThrows(PathException.class, reading);
    assertEquals(kind, refused.kind(), refused.getMessage());
    String message = String.valueOf(refused.getMessage());
    assertFalse(message.contains(SECRET), message);
    assertFalse(Files.exists(canary));
    return message;
  }

  @Test
  void aGitFileThatLeadsElsewhereIsRefusedByName() throws Exception {
    Path elsewhere = GitProgramFixture.committed(outside.resolve("repo"), SECRET);
    Path cwd = Files.createDirectories(root.resolve("pointer"));
    Files.writeString(cwd.resolve(".git"), "gitdir: " + elsewhere.resolve(".git") + "\n");
    String message = refused(PathException.Kind.OUTSIDE, cwd);
    assertTrue(message.contains(cwd.toString()) && message.contains(root.toString()), message);
    Files.writeString(cwd.resolve(".git"), "gitdir: ../../outside/repo/.git\n");
    refused(PathException.Kind.OUTSIDE, cwd);
    Files.delete(cwd.resolve(".git"));
    Files.createSymbolicLink(cwd.resolve(".git"), elsewhere.resolve(".git"));
    refused(PathException.Kind.OUTSIDE, cwd);
  }

  @Test
  void aCommonDirectoryElsewhereIsRefused() throws Exception {
    Path elsewhere = GitProgramFixture.committed(outside.resolve("repo"), SECRET);
    Files.writeString(repository.resolve(".git/commondir"), elsewhere.resolve(".git") + "\n");
    refused(PathException.Kind.OUTSIDE, repository);
  }

  @Test
  void objectsBorrowedFromElsewhereAreRefused() throws Exception {
    Path elsewhere = GitProgramFixture.committed(outside.resolve("repo"), SECRET);
    String head = new GitProgram(elsewhere).run("rev-parse", "HEAD");
    Path alternates = repository.resolve(".git/objects/info/alternates");
    Files.createDirectories(alternates.getParent());
    Files.writeString(alternates, elsewhere.resolve(".git/objects") + "\n");
    Files.writeString(repository.resolve(".git/refs/heads/main"), head);
    String message = refused(PathException.Kind.OUTSIDE, repository);
    assertTrue(message.contains("alternates"), message);
  }

  @Test
  void objectsBorrowedThroughANeighbourFromElsewhereAreRefused() throws Exception {
    Path elsewhere = GitProgramFixture.committed(outside.resolve("repo"), SECRET);
    Path neighbour = GitProgramFixture.committed(root.resolve("neighbour"), "near");
    borrow(repository, neighbour);
    assertTrue(everything(repository).contains("First"));
    borrow(neighbour, elsewhere);
    refused(PathException.Kind.OUTSIDE, repository);
  }

  private static void borrow(Path repository, Path from) throws IOException {
    Path alternates = repository.resolve(".git/objects/info/alternates");
    Files.createDirectories(alternates.resolveSibling("."));
    Files.writeString(alternates, from.resolve(".git/objects") + "\n");
  }

  @Test
  void objectsBorrowedFromANeighbourInsideAreRead() throws Exception {
    Path neighbour = GitProgramFixture.committed(root.resolve("neighbour"), "near");
    borrow(repository, neighbour);
    git.run("reset", "-q", "--hard", new GitProgram(neighbour).run("rev-parse", "HEAD").strip());
    // The neighbour's own configuration is never read: this one has no end.
    Files.writeString(neighbour.resolve(".git/config"), "[include]\n\tpath = /dev/zero\n");
    Files.writeString(repository.resolve("file.txt"), "far\n");
    String shown = everything(repository);
    assertTrue(shown.contains("-near"), shown);
    assertFalse(Files.exists(canary));
  }

  /** What is shown of it, a revision of that name included. */
  private String everything(Path cwd, String revision) throws IOException, InterruptedException {
    try (GitView view = GitView.open(root, cwd)) {
      DiffQuery query =
          new DiffQuery(Optional.of(revision), Optional.empty(), false, List.of(), false);
      return everything(cwd) + view.diff(query).text();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "HEAD, HEAD",
    "index, HEAD",
    "packed-refs, packed",
    "refs/heads/leak, leak",
    "info/exclude, HEAD",
    "info/attributes, HEAD",
    "config, HEAD",
    "shallow, HEAD",
    "logs/refs/heads/main, main@{0}"
  })
  void aLinkInTheGitDirectoryThatLeadsOutIsRefused(String name, String revision) throws Exception {
    change();
    Files.writeString(repository.resolve(".gitattributes"), "*.none text\n");
    Path link = repository.resolve(".git").resolve(name);
    Files.deleteIfExists(link);
    Files.createDirectories(link.resolveSibling("."));
    Files.createSymbolicLink(link, outside.resolve("secret.txt"));
    String message = refused(PathException.Kind.OUTSIDE, () -> everything(repository, revision));
    assertTrue(message.contains(name), message);
  }

  @ParameterizedTest
  @CsvSource({
    "objects, HEAD",
    "refs, HEAD",
    "objects/pack, HEAD",
    "objects/info, HEAD",
    "info, HEAD",
    "logs, HEAD@{1}"
  })
  void aLinkedDirectoryOfGitThatLeadsOutIsRefused(String name, String revision) throws Exception {
    Files.createDirectories(repository.resolve(".git/objects/info"));
    Files.writeString(repository.resolve(".git/objects/info/alternates"), "");
    Path link = repository.resolve(".git").resolve(name);
    Files.move(link, outside.resolve("moved"));
    Files.createSymbolicLink(link, outside.resolve("moved"));
    refused(PathException.Kind.OUTSIDE, () -> everything(repository, revision));
  }

  @Test
  void anObjectThatIsALinkOutIsRefused() throws Exception {
    String blob = git.run("rev-parse", "HEAD:a.txt").strip();
    String loose = blob.substring(0, 2) + "/" + blob.substring(2);
    for (String place : List.of(loose, blob.substring(0, 2))) {
      Path object = repository.resolve(".git/objects").resolve(place);
      Path moved = outside.resolve(object.getFileName());
      Files.move(object, moved);
      Files.createSymbolicLink(object, moved);
      change();
      refused(PathException.Kind.OUTSIDE, () -> everything(repository, "HEAD"));
      Files.delete(object);
      Files.move(moved, object);
    }
    git.run("repack", "-adq");
    try (Stream<Path> packs = Files.list(repository.resolve(".git/objects/pack"))) {
      for (Path file : packs.toList()) {
        Path moved = outside.resolve(file.getFileName());
        Files.move(file, moved);
        Files.createSymbolicLink(file, moved);
        if (!file.toString().endsWith(".rev")) {
          refused(PathException.Kind.OUTSIDE, () -> everything(repository, "HEAD"));
        }
        Files.delete(file);
        Files.move(moved, file);
      }
    }
    checkHarmless(everything(repository, "HEAD"));
  }

  @ParameterizedTest
  @CsvSource({
    "HEAD, HEAD",
    "index, HEAD",
    "packed-refs, packed",
    "refs/heads/pipe, pipe",
    "info/exclude, HEAD",
    "config, HEAD",
    "commondir, HEAD",
    "logs/refs/heads/main, main@{0}"
  })
  void aPipeInTheGitDirectoryHoldsNoThread(String name, String revision) throws Exception {
    Path pipe = repository.resolve(".git").resolve(name);
    Files.deleteIfExists(pipe);
    makePipe(pipe);
    assertThrows(IOException.class, () -> everything(repository, revision));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pipe", ".gitignore", ".gitattributes", "a.txt", "dir/pipe"})
  void aPipeInTheWorktreeHoldsNoThread(String name) throws Exception {
    Path pipe = repository.resolve(name);
    Files.createDirectories(pipe.resolveSibling("."));
    Files.deleteIfExists(pipe);
    makePipe(pipe);
    everything(repository);
  }

  @Test
  void aGitFileThatIsAPipeHoldsNoThread() throws Exception {
    Path cwd = Files.createDirectories(root.resolve("pipe"));
    makePipe(cwd.resolve(".git"));
    assertThrows(IOException.class, () -> everything(cwd));
  }

  private static void makePipe(Path pipe) throws Exception {
    Process made = new ProcessBuilder("mkfifo", pipe.toString()).inheritIO().start();
    assertEquals(0, made.waitFor());
  }

  @Test
  void linksInTheWorktreeAreShownAsLinks() throws Exception {
    Files.delete(repository.resolve("a.txt"));
    Files.createSymbolicLink(repository.resolve("a.txt"), outside.resolve("secret.txt"));
    Files.createSymbolicLink(repository.resolve("directory"), outside);
    Files.createSymbolicLink(repository.resolve(".gitignore"), outside.resolve("secret.txt"));
    String shown = everything(repository);
    assertFalse(shown.contains(SECRET), shown);
    assertTrue(shown.contains("+" + outside.resolve("secret.txt")), shown);
  }

  @Test
  void aSubmoduleThatLeadsElsewhereIsNotGoneTo() throws Exception {
    Path elsewhere = GitProgramFixture.committed(outside.resolve("repo"), SECRET);
    git.run("submodule", "add", "-q", elsewhere.toString(), "sub");
    git.run("commit", "-qm", "Submodule");
    new GitProgram(elsewhere).run("commit", "-q", "--allow-empty", "-m", "Moved on");
    String there = new GitProgram(elsewhere).run("rev-parse", "HEAD").strip();
    Files.writeString(
        repository.resolve("sub/.git"), "gitdir: " + elsewhere.resolve(".git") + "\n");
    String shown = everything(repository);
    assertFalse(shown.contains(there), shown);
    assertFalse(shown.contains(SECRET), shown);
  }

  @Test
  void nothingAboveTheRootIsFound() throws Exception {
    GitProgramFixture.committed(temporary.toRealPath(), SECRET);
    Path cwd = Files.createDirectories(root.resolve("plain/below"));
    String message = refused(PathException.Kind.NOT_FOUND, cwd);
    assertTrue(message.contains("no git repository holds " + cwd), message);
    assertThrows(PathException.class, () -> GitView.open(root, outside));
  }

  @Test
  void aFormatThatIsNotKnownIsRefusedWithTheMend() throws Exception {
    git.run("config", "core.repositoryformatversion", "1");
    git.run("config", "extensions.refStorage", "reftable");
    GitException refused = assertThrows(GitException.class, () -> everything(repository));
    assertTrue(String.valueOf(refused.getMessage()).contains("reftable"), refused.getMessage());
    Files.writeString(
        repository.resolve(".git/config"),
        "[core]\nrepositoryformatversion = 1\n[extensions]\nnovelty = true\n");
    assertThrows(GitException.class, () -> everything(repository));
    Files.writeString(repository.resolve(".git/config"), "[core\n");
    assertThrows(GitException.class, () -> everything(repository));
  }

  @Test
  void damageIsASentenceAndNoBug() throws Exception {
    byte[] index = Files.readAllBytes(repository.resolve(".git/index"));
    byte[] huge = index.clone();
    huge[8] = 0x7f;
    for (byte[] bad : List.of(huge, new byte[5], Arrays.copyOf(index, 40))) {
      Files.write(repository.resolve(".git/index"), bad);
      assertThrows(GitException.class, () -> everything(repository));
    }
    Files.write(repository.resolve(".git/index"), index);
    Files.writeString(repository.resolve(".git/HEAD"), "ref: ../../../outside/secret.txt\n");
    try {
      assertFalse(everything(repository).contains(SECRET));
    } catch (GitException e) {
      assertFalse(String.valueOf(e.getMessage()).contains(SECRET), e.getMessage());
    }
  }
}
