package harness.workspace.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.Handles;
import harness.workspace.Root;
import harness.workspace.git.CommitOrder;
import harness.workspace.git.GitChanges;
import harness.workspace.git.GitException;
import harness.workspace.git.GitView;
import harness.workspace.git.PlaceOrder;
import harness.workspace.git.Placed;
import harness.workspace.git.Placement;
import harness.workspace.git.Signature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A slot is fetched from a real server, and real git finds its clone and worktrees in order. */
class AttachTest {
  @TempDir private Path directory;
  private Path root;
  private Remote remote;
  private GitHttpServer server;
  private final Handles handles = Handles.system(new Random(1));

  @BeforeEach
  void serve() throws Exception {
    directory = directory.toRealPath();
    root = Files.createDirectories(directory.resolve("work"));
    remote = Remote.with(directory.resolve("served/target"));
    server = new GitHttpServer(directory.resolve("served"));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private Mirrors mirrors(GitCredential... credentials) {
    return new Mirrors(root.resolve(PlaceOrder.MIRRORS), root, List.of(credentials));
  }

  private AttachOrder.Slot slot(String ref) {
    return AttachOrder.Slot.of(
        "slots",
        "target",
        server.url("target/.git"),
        Optional.of(ref).filter(text -> !text.isEmpty()),
        OptionalInt.empty(),
        Optional.empty());
  }

  private Placed attach(String branch, String ref, String review) throws Exception {
    Optional<String> sha = Optional.of(review).filter(text -> !text.isEmpty());
    return place(mirrors().fetch(slot(ref), branch, sha));
  }

  private Placed place(PlaceOrder order) throws Exception {
    return Placement.run(handles, root.toString(), order, InstantSource.system());
  }

  private static String refusal(Executable attach) {
    return String.valueOf(assertThrows(GitException.class, attach).getMessage());
  }

  private Path at(String path) {
    return root.resolve("target").resolve(path);
  }

  private String git(String in, String... arguments) throws Exception {
    return Remote.git(at(in), arguments);
  }

  @Test
  void gitFindsTheCloneAndTheWorktreeCleanAndWhole() throws Exception {
    Placed placed = attach("feature/x", "", "");
    assertFalse(placed.review());
    for (String checkout : List.of("default", "feature/x")) {
      assertEquals("", git(checkout, "status", "--porcelain", "--ignored"));
      assertEquals(remote.head(), git(checkout, "rev-parse", "HEAD").strip());
      assertEquals("one\r\ntwo\r\n", Files.readString(at(checkout).resolve("run.bat")));
      assertEquals("odd\n", Files.readString(at(checkout).resolve("deep/line\nend")));
      assertTrue(Files.isExecutable(at(checkout).resolve("run.sh")));
      assertEquals(Path.of("/nowhere"), Files.readSymbolicLink(at(checkout).resolve("out")));
      assertTrue(Files.isDirectory(at(checkout).resolve("module"), LinkOption.NOFOLLOW_LINKS));
      String fsck = git(checkout, "fsck", "--strict");
      assertFalse(fsck.contains("error") || fsck.contains("missing"), fsck);
    }
    assertEquals("main", git("default", "symbolic-ref", "--short", "HEAD").strip());
    assertEquals("feature/x", git("feature/x", "symbolic-ref", "--short", "HEAD").strip());
    assertTrue(git("default", "worktree", "list").contains(at("feature/x").toString()));
    assertEquals("", git("default", "worktree", "prune", "-n", "-v"));
    assertEquals(remote.head(), git("feature/x", "rev-parse", "origin/main").strip());
    assertEquals("v1", git("default", "tag").strip());
  }

  @Test
  void mirrorsThatCantBeWrittenAreNamedWithTheMend() throws Exception {
    Path mirrors = Files.writeString(root.resolve(PlaceOrder.MIRRORS), "no directory");
    String refusal = refusal(() -> attach("feature-x", "", ""));
    assertTrue(refusal.startsWith("the directory of mirrors " + mirrors + " can't be"), refusal);
    assertTrue(refusal.contains("workspace.mirrors"), refusal);
  }

  @Test
  void filesOfAllSizesAndDifferencesInAPackAreWhatGitHas() throws Exception {
    Random random = new Random(7);
    List<Integer> sizes = List.of(0, 1, 65_536, 262_143, 262_144, 400_000, 1_048_576, 1_048_577);
    byte[] version = new byte[300_000];
    random.nextBytes(version);
    for (int size : sizes) {
      byte[] content = new byte[size];
      random.nextBytes(content);
      Files.write(remote.directory().resolve("of-" + size), content);
      version[size % version.length]++;
      Files.write(remote.directory().resolve("like-" + size), version);
    }
    String text = "the same line, again and again\n".repeat(200_000);
    Files.writeString(remote.directory().resolve("text"), text);
    remote.commit("Sizes");
    Remote.git(remote.directory(), "repack", "-adfq");
    attach("feature-x", "", "");
    // An index that knows nothing of the files: each one is read.
    git("feature-x", "read-tree", "HEAD");
    assertEquals("", git("feature-x", "status", "--porcelain"));
    assertEquals(text, Files.readString(at("feature-x/text")));
  }

  @Test
  void theCloneBorrowsItsObjectsAndHoldsNoCredential() throws Exception {
    attach("feature-x", "", "");
    try (Stream<Path> objects = Files.walk(at("default/.git/objects"))) {
      assertEquals(
          List.of("alternates"),
          objects.filter(Files::isRegularFile).map(p -> p.getFileName().toString()).toList());
    }
    Files.writeString(at("feature-x/NEW.md"), "new\n");
    git("feature-x", "add", "-A");
    git("feature-x", "commit", "-q", "-m", "New");
    assertEquals("", git("feature-x", "status", "--porcelain"));
    assertEquals(remote.head(), git("default", "rev-parse", "HEAD").strip());
  }

  @Test
  void attachedAgainEverythingStaysAsItIs() throws Exception {
    attach("feature-x", "", "");
    Files.writeString(at("feature-x/README.md"), "mine\n");
    Files.writeString(remote.directory().resolve("README.md"), "theirs\n");
    String moved = remote.commit("Second");
    attach("feature-x", "", "");
    assertEquals("mine\n", Files.readString(at("feature-x/README.md")));
    attach("later", "", "");
    assertEquals(moved, git("later", "rev-parse", "HEAD").strip());
  }

  @Test
  void aNewBranchBeginsAtItsRefOrAtItsNamesakeOnTheOtherSide() throws Exception {
    String first = Remote.git(remote.directory(), "rev-parse", "HEAD~1").strip();
    Remote.git(remote.directory(), "branch", "known", first);
    attach("known", "", "");
    assertEquals(first, git("known", "rev-parse", "HEAD").strip());
    attach("by-tag", "v1", "");
    assertEquals(remote.head(), git("by-tag", "rev-parse", "HEAD").strip());
    attach("by-commit", first, "");
    assertEquals(first, git("by-commit", "rev-parse", "HEAD").strip());
    String said = refusal(() -> attach("none", "no-such", ""));
    assertTrue(said.contains("no branch, tag or commit no-such"), said);
  }

  @Test
  void aReviewStandsAtItsCommitAndMovesNoBranch() throws Exception {
    attach("feature-x", "", "");
    Files.writeString(at("feature-x/README.md"), "to review\n");
    git("feature-x", "commit", "-q", "-a", "-m", "To review");
    String sha = git("feature-x", "rev-parse", "HEAD").strip();
    assertTrue(attach("feature-x", "", sha).review());
    String review = "review-" + sha;
    assertEquals("", git(review, "status", "--porcelain"));
    assertEquals(sha, git(review, "rev-parse", "HEAD").strip());
    assertEquals("to review\n", Files.readString(at(review).resolve("README.md")));
    Files.writeString(at(review).resolve("README.md"), "changed in review\n");
    try (Root here = Root.open(handles, root.toString(), at(review).toString());
        GitChanges changes = GitChanges.open(here, InstantSource.system())) {
      Object added = changes.add(List.of("README.md"));
      Object committed = changes.commit(order());
    }
    git(review, "branch", "-f", "feature-x", "HEAD");
    git(review, "update-ref", "refs/heads/main", "HEAD");
    assertFalse(git(review, "rev-parse", "HEAD").strip().equals(sha));
    assertEquals(sha, git("feature-x", "rev-parse", "HEAD").strip());
    assertEquals(remote.head(), git("default", "rev-parse", "main").strip());
    String fsck = git(review, "fsck");
    assertFalse(fsck.contains("error") || fsck.contains("missing"), fsck);
  }

  private static CommitOrder order() {
    Signature who = new Signature("Ada", "ada@example.org", InstantSource.system().instant());
    return new CommitOrder("In review", List.of(), who, who, false);
  }

  @Test
  void aReviewOfACommitThatNobodyHasIsNone() throws Exception {
    assertFalse(attach("feature-x", "", "0123456789012345678901234567890123456789").review());
  }

  @Test
  void aShallowSlotHasSoManyCommits() throws Exception {
    AttachOrder.Slot slot =
        AttachOrder.Slot.of(
            "slots",
            "target",
            server.url("target/.git"),
            Optional.empty(),
            OptionalInt.of(1),
            Optional.empty());
    place(mirrors().fetch(slot, "feature-x", Optional.empty()));
    assertEquals("1", git("feature-x", "rev-list", "--count", "HEAD").strip());
    assertEquals("", git("feature-x", "status", "--porcelain"));
    String fsck = git("default", "fsck");
    assertFalse(fsck.contains("error") || fsck.contains("missing"), fsck);
    // The same slot with its whole history.
    attach("deep", "", "");
    assertEquals("", git("deep", "status", "--porcelain"));
  }

  @Test
  void aPartialSlotHasTheFilesOfItsCheckoutsAlone() throws Exception {
    Path changing = remote.directory().resolve("README.md");
    String old = Remote.git(remote.directory(), "rev-parse", "HEAD:README.md").strip();
    String first = remote.head();
    Files.writeString(changing, "Another target.\n");
    Files.write(remote.directory().resolve("large"), new byte[100_000]);
    remote.commit("Second");
    PlaceOrder order = mirrors().fetch(partial("blob:none"), "feature-x", Optional.empty());
    place(order);
    git("feature-x", "read-tree", "HEAD");
    assertEquals("", git("feature-x", "status", "--porcelain"));
    assertEquals("Another target.\n", Files.readString(at("feature-x/README.md")));
    String objects = git("feature-x", "rev-list", "--objects", "--missing=print", "HEAD");
    assertTrue(objects.contains("?" + old), objects);
    assertEquals(1, objects.lines().filter(line -> line.startsWith("?")).count(), objects);
    String fsck = git("default", "fsck");
    assertFalse(fsck.contains("error") || fsck.contains("missing"), fsck);
    // What no checkout has is refused by its name.
    try (GitView view = GitView.open(root, at("feature-x"))) {
      String said = refusal(() -> view.show(first + ":README.md"));
      assertTrue(said.contains(old), said);
    }
    // And fetched once a review has it.
    PlaceOrder again = mirrors().fetch(partial("blob:none"), "feature-x", Optional.of(first));
    assertTrue(place(again).review());
    assertEquals("", git("review-" + first, "status", "--porcelain"));
  }

  @Test
  void aLimitLeavesOutLargerFilesOfThePastAlone() throws Exception {
    Path large = Files.write(remote.directory().resolve("large"), new byte[100_000]);
    remote.commit("Large");
    Files.delete(large);
    remote.commit("Small again");
    place(mirrors().fetch(partial("blob:limit=1000"), "feature-x", Optional.empty()));
    String objects = git("feature-x", "rev-list", "--objects", "--missing=print", "HEAD");
    assertEquals(1, objects.lines().filter(line -> line.startsWith("?")).count(), objects);
    assertEquals("", git("feature-x", "status", "--porcelain"));
  }

  @Test
  void aFilterThatTheServerDoesNotKnowIsRefusedByName() {
    server.knowsNoFilter();
    String said =
        refusal(() -> mirrors().fetch(partial("blob:none"), "feature-x", Optional.empty()));
    assertTrue(said.contains("filter"), said);
  }

  private AttachOrder.Slot partial(String filter) {
    return AttachOrder.Slot.of(
        "slots",
        "target",
        server.url("target/.git"),
        Optional.empty(),
        OptionalInt.empty(),
        Optional.of(filter));
  }

  // Credentials, and whom they reach

  @Test
  void aCredentialOpensItsServer() throws Exception {
    server.requires("Basic eC1hY2Nlc3MtdG9rZW46czNjcmV0");
    Path token = Files.writeString(directory.resolve("token"), "s3cret\n");
    GitCredential credential = new GitCredential(server.host(), "x-access-token", token);
    place(mirrors(credential).fetch(slot(""), "feature-x", Optional.empty()));
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file :
          files.filter(f -> Files.isRegularFile(f, LinkOption.NOFOLLOW_LINKS)).toList()) {
        String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        assertFalse(text.contains("s3cret") || text.contains("czNjcmV0"), file.toString());
      }
    }
  }

  @Test
  void aCredentialOfAnotherServerIsNotShown() throws Exception {
    server.requires("Basic eC1hY2Nlc3MtdG9rZW46czNjcmV0");
    Path token = Files.writeString(directory.resolve("token"), "s3cret\n");
    GitCredential other = new GitCredential("git.example.com", "x-access-token", token);
    String said = refusal(() -> mirrors(other).fetch(slot(""), "x", Optional.empty()));
    assertTrue(said.contains("add a credential for " + server.host()), said);
    assertTrue(server.asked().stream().allMatch(asked -> asked.authorization().isEmpty()));
  }

  @Test
  void aRedirectToAnotherServerIsNotFollowed() throws Exception {
    try (GitHttpServer other = new GitHttpServer(directory.resolve("served"))) {
      server.redirectsTo("http://" + other.host());
      Path token = Files.writeString(directory.resolve("token"), "s3cret\n");
      GitCredential mine = new GitCredential(server.host(), "x-access-token", token);
      String said = refusal(() -> mirrors(mine).fetch(slot(""), "x", Optional.empty()));
      assertTrue(said.contains("redirects to " + other.host()), said);
      assertEquals(List.of(), other.asked());
    }
  }

  @Test
  void nothingOfTheMachineIsReadThatNamesAProxyACredentialOrAnotherUrl() throws Exception {
    try (GitHttpServer other = new GitHttpServer(directory.resolve("served"))) {
      Path home = Files.createDirectories(directory.resolve("home"));
      String elsewhere = "http://" + other.host() + "/";
      Files.writeString(
          home.resolve(".gitconfig"),
          "[http]\n\tproxy = "
              + elsewhere
              + "\n\textraHeader = \"Cookie: a=b\"\n[url \""
              + elsewhere
              + "\"]\n\tinsteadOf = http://"
              + server.host()
              + "/\n");
      Files.writeString(home.resolve(".netrc"), "machine 127.0.0.1 login ada password s3cret\n");
      ProcessBuilder builder =
          new ProcessBuilder(
              ProcessHandle.current().info().command().orElseThrow(),
              "--enable-native-access=ALL-UNNAMED",
              "-Duser.home=" + home,
              "-Dhttp.proxyHost=127.0.0.1",
              "-Dhttp.proxyPort=" + other.host().split(":")[1],
              "-Dhttp.nonProxyHosts=",
              "-cp",
              System.getProperty("java.class.path"),
              FetchOnce.class.getName(),
              root.toString(),
              server.url("target/.git"));
      builder.environment().put("HOME", home.toString());
      builder.environment().put("XDG_CONFIG_HOME", home.toString());
      builder.environment().put("GIT_CONFIG_GLOBAL", home.resolve(".gitconfig").toString());
      for (String variable : List.of("http_proxy", "HTTP_PROXY", "all_proxy")) {
        builder.environment().put(variable, elsewhere);
      }
      Process process = builder.redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, process.waitFor(), output);
      assertEquals(List.of(), other.asked());
      assertFalse(server.asked().isEmpty());
      assertTrue(
          server.asked().stream()
              .allMatch(asked -> asked.authorization().isEmpty() && asked.cookie().isEmpty()));
    }
  }

  @Test
  void aRepositoryInTheWorkspaceIsNotFetched() throws Exception {
    Path inside = Remote.with(root.resolve("inside")).directory();
    AttachOrder.Slot slot =
        AttachOrder.Slot.of(
            "slots",
            "target",
            "file://" + inside,
            Optional.empty(),
            OptionalInt.empty(),
            Optional.empty());
    String said = refusal(() -> mirrors().fetch(slot, "x", Optional.empty()));
    assertTrue(said.contains("lies in the workspace"), said);
  }

  @Test
  void aDirectoryOfTheMachineIsFetchedByItsFileUrl() throws Exception {
    AttachOrder.Slot slot =
        AttachOrder.Slot.of(
            "slots",
            "target",
            "file://" + remote.directory(),
            Optional.empty(),
            OptionalInt.empty(),
            Optional.empty());
    place(mirrors().fetch(slot, "feature-x", Optional.empty()));
    assertEquals("", git("feature-x", "status", "--porcelain"));
  }

  // Hostile repositories

  @ParameterizedTest
  @ValueSource(strings = {".git", ".GIT", "git~1", "..", ".", "a/b"})
  void aNameThatNoCheckoutMayHaveIsRefusedBeforeAnythingIsWritten(String name) throws Exception {
    String blob = Remote.git(remote.directory(), "rev-parse", "HEAD:README.md").strip();
    remote.hostile("hostile", entries("100644 README.md", blob, "100644 " + name, blob));
    String said = refusal(() -> attach("feature-x", "hostile", ""));
    assertTrue(said.contains("which no checkout may have"), said);
    assertFalse(Files.exists(at("feature-x")));
    // The next attach finds nothing in its way.
    attach("other", "", "");
    assertEquals("", git("other", "status", "--porcelain"));
  }

  @Test
  void whatHidesBehindALinkOfItsOwnRepositoryIsNotWritten() throws Exception {
    Path outside = Files.createDirectories(directory.resolve("outside"));
    String blob = Remote.git(remote.directory(), "rev-parse", "HEAD:README.md").strip();
    String link =
        Remote.git(
                remote.directory(),
                outside.toString().getBytes(StandardCharsets.UTF_8),
                "hash-object",
                "-w",
                "--stdin")
            .strip();
    byte[] inner = entries("100644 planted", blob);
    String tree =
        Remote.git(remote.directory(), inner, "hash-object", "-t", "tree", "-w", "--stdin").strip();
    remote.hostile("hostile", entries("120000 a", link, "40000 a", tree));
    String said = refusal(() -> attach("feature-x", "hostile", ""));
    assertTrue(said.contains("two entries named a"), said);
    try (Stream<Path> planted = Files.list(outside)) {
      assertEquals(0, planted.count());
    }
  }

  private static byte[] entries(String... namesAndIds) throws IOException {
    ByteArrayOutputStream tree = new ByteArrayOutputStream();
    for (int i = 0; i < namesAndIds.length; i += 2) {
      tree.write(namesAndIds[i].getBytes(StandardCharsets.UTF_8));
      tree.write(0);
      tree.write(HexFormat.of().parseHex(namesAndIds[i + 1]));
    }
    return tree.toByteArray();
  }

  // Interrupts

  @Test
  void afterAnInterruptInAFetchTheNextOneIsWhole() throws Exception {
    CountDownLatch held = server.holdsObjects();
    Mirrors mirrors = mirrors();
    AtomicReference<Throwable> ended = new AtomicReference<>();
    Thread fetching =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    Object unused = mirrors.fetch(slot(""), "feature-x", Optional.empty());
                  } catch (Exception e) {
                    ended.set(e);
                  }
                });
    held.await();
    fetching.interrupt();
    fetching.join();
    assertEquals(InterruptedException.class, ended.get().getClass());
    server.sendsObjects();
    place(mirrors.fetch(slot(""), "feature-x", Optional.empty()));
    assertEquals("", git("feature-x", "status", "--porcelain"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aServerThatTakesTooLongIsNamedAndTheNextFetchIsWhole(boolean inTheBody) throws Exception {
    if (inTheBody) {
      server.stallsInObjects();
    } else {
      CountDownLatch unused = server.holdsObjects();
    }
    Mirrors brief =
        new Mirrors(root.resolve(PlaceOrder.MIRRORS), root, List.of(), Duration.ofSeconds(1));
    String said = refusal(() -> brief.fetch(slot(""), "feature-x", Optional.empty()));
    assertTrue(said.contains(server.url("target/.git")), said);
    assertTrue(said.contains("within 1 s"), said);
    assertFalse(Thread.interrupted());
    server.sendsObjects();
    attach("feature-x", "", "");
    assertEquals("", git("feature-x", "status", "--porcelain"));
  }

  @Test
  void whatATryThatWasCutOffLeftIsRemovedByTheNext() throws Exception {
    PlaceOrder order = mirrors().fetch(slot(""), "feature-x", Optional.empty());
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> place(order));
    assertFalse(Thread.interrupted());
    place(order);
    // As if the process had gone just before the worktree got its name.
    Files.move(at("feature-x"), at(".attach-worktree"));
    Files.createDirectories(at(".attach-default/.git/objects"));
    Files.writeString(root.resolve(PlaceOrder.MIRRORS + "/" + order.mirror() + "/HEAD.lock"), "");
    attach("feature-x", "", "");
    assertEquals("", git("feature-x", "status", "--porcelain"));
    assertEquals("", git("default", "worktree", "prune", "-n", "-v"));
    try (Stream<Path> entries = Files.list(at(""))) {
      assertEquals(
          List.of("default", "feature-x"),
          entries.map(p -> p.getFileName().toString()).sorted().toList());
    }
  }

  @Test
  void whatIsInTheWayIsNamedAndStays() throws Exception {
    Files.createDirectories(at("feature-x"));
    Files.writeString(at("feature-x/mine"), "mine\n");
    String said = refusal(() -> attach("feature-x", "", ""));
    assertTrue(said.contains("is no worktree of"), said);
    assertEquals("mine\n", Files.readString(at("feature-x/mine")));
    String main = refusal(() -> attach("main", "", ""));
    assertTrue(main.contains("main is checked out in " + at("default")), main);
  }

  @Test
  void whatBearsTheNameOfAReviewAndIsNoneIsNamedAndStays() throws Exception {
    attach("feature-x", "", "");
    String sha = git("default", "rev-parse", "HEAD").strip();
    Path review = at("review-" + sha);
    Files.writeString(review, "approve me\n");
    assertTrue(refusal(() -> attach("feature-x", "", sha)).contains("review-" + sha));
    Files.delete(review);
    Files.createDirectories(review);
    Files.writeString(review.resolve("x"), "approve me\n");
    String said = refusal(() -> attach("feature-x", "", sha));
    assertTrue(said.contains("has not " + sha + " checked out"), said);
    assertEquals("approve me\n", Files.readString(review.resolve("x")));
  }

  @Test
  void aReviewThatHasMovedOnIsNone() throws Exception {
    attach("feature-x", "", "");
    String sha = git("default", "rev-parse", "HEAD").strip();
    assertTrue(attach("feature-x", "", sha).review());
    git("review-" + sha, "commit", "-q", "--allow-empty", "-m", "Another");
    String said = refusal(() -> attach("feature-x", "", sha));
    assertTrue(said.contains("has not " + sha + " checked out"), said);
  }
}
