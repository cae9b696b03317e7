package harness.workspace.attach;

import harness.workspace.git.GitException;
import harness.workspace.git.MirrorRepository;
import harness.workspace.git.PlaceOrder;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jgit.errors.NotSupportedException;
import org.eclipse.jgit.errors.TransportException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.EmptyProgressMonitor;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.SymbolicRef;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.transport.FetchResult;
import org.eclipse.jgit.transport.FilterSpec;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.TagOpt;
import org.eclipse.jgit.transport.Transport;
import org.eclipse.jgit.transport.TransportHttp;
import org.jspecify.annotations.Nullable;

/**
 * The mirrors of what is attached, one for each slot and URL. This process alone writes them; the
 * workspace shows them read-only and borrows their objects. What a mirror has once it keeps, so
 * that nothing borrowed ever goes.
 */
public final class Mirrors {
  private static final String TRACKED = "refs/remotes/origin/";
  private static final List<RefSpec> ALL =
      List.of(
          new RefSpec("+refs/heads/*:" + TRACKED + "*"), new RefSpec("+refs/tags/*:refs/tags/*"));

  /** Where a commit is kept that is fetched by its id. */
  private static final String WANTED = "refs/harness/";

  private static final int NAME_DIGITS = 16;

  /** How long one slot is fetched, to its last byte; a large repository needs a depth or filter. */
  private static final Duration MAX_FETCH = Duration.ofMinutes(60);

  private final Path directory;
  private final Path workspace;
  private final List<GitCredential> credentials;
  private final Duration longest;
  private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

  /**
   * @param directory where they are, absolute; made where it is missing
   * @param workspace the workspace root, out of which nothing is fetched
   */
  public Mirrors(Path directory, Path workspace, List<GitCredential> credentials) {
    this(directory, workspace, credentials, MAX_FETCH);
  }

  /**
   * @param longest how long one slot is fetched
   */
  Mirrors(Path directory, Path workspace, List<GitCredential> credentials, Duration longest) {
    this.directory = directory;
    this.workspace = workspace;
    this.credentials = List.copyOf(credentials);
    this.longest = longest;
  }

  /**
   * Fetches all branches and tags of a slot, and what is asked for besides.
   *
   * @return what is to be there of it in the workspace
   * @throws IOException with a sentence that says what failed and the mend
   */
  public PlaceOrder fetch(AttachOrder.Slot slot, String branch, Optional<String> review)
      throws IOException, InterruptedException {
    GitUrl url = GitUrl.of(slot.url());
    checkSource(url);
    String name = name(slot);
    ReentrantLock lock = locks.computeIfAbsent(name, same -> new ReentrantLock());
    lock.lockInterruptibly();
    try {
      try (Repository repository = open(name)) {
        return limited(url, () -> new Fetch(repository, slot, url).run(name, branch, review));
      }
    } catch (InterruptedIOException e) {
      InterruptedException stopped = new InterruptedException("stopped while " + url);
      stopped.initCause(e);
      throw stopped;
    } finally {
      lock.unlock();
    }
  }

  private Repository open(String name) throws IOException {
    try {
      Files.createDirectories(directory);
      Path mirror = directory.toRealPath().resolve(name);
      clean(mirror);
      return MirrorRepository.open(mirror);
    } catch (FileSystemException e) {
      throw new GitException(
          "the directory of mirrors "
              + directory
              + " can't be written ("
              + e
              + "); let this process write it, or name another with workspace.mirrors",
          e);
    }
  }

  private interface Step<T> {
    T run() throws IOException, InterruptedException;
  }

  private <T> T limited(GitUrl url, Step<T> step) throws IOException, InterruptedException {
    try (FetchLimit limit = FetchLimit.of(longest)) {
      try {
        return step.run();
      } catch (IOException | InterruptedException e) {
        if (limit.passed()) {
          throw new GitException(
              url
                  + " did not send all of it within "
                  + longest.toSeconds()
                  + " s, so the fetch was ended; ask for a depth or a filter, or see to the server",
              e);
        }
        throw e;
      }
    }
  }

  /** A repository that an Agent can write is opened where the tools run, and not here. */
  private void checkSource(GitUrl url) throws IOException {
    if (!url.isFile()) {
      return;
    }
    Path source;
    try {
      source = Path.of(url.uri().getPath()).toRealPath();
    } catch (IOException e) {
      throw new GitException("there is no repository at " + url, e);
    }
    if (!Files.isDirectory(source)) {
      throw new GitException(url + " is no directory, so no repository");
    }
    Path root = Files.exists(workspace) ? workspace.toRealPath() : workspace;
    if (source.startsWith(root) || root.startsWith(source)) {
      throw new GitException(
          url + " lies in the workspace, where Agents can write; push it to a server first");
    }
  }

  private static String name(AttachOrder.Slot slot) {
    try {
      String filter = slot.filter().map(text -> "\n" + text).orElse("");
      String what = slot.url() + "\n" + slot.depth().orElse(0) + filter;
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(what.getBytes(StandardCharsets.UTF_8));
      return slot.name()
          + "-"
          + HexFormat.of().formatHex(digest).substring(0, NAME_DIGITS)
          + ".git";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Removes what a fetch that was cut off left, and refuses a mirror that is not all its own. */
  private static void clean(Path mirror) throws IOException {
    if (!Files.exists(mirror, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        mirror,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes is) throws IOException {
            if (!is.isRegularFile()) {
              throw new GitException(
                  file + " is no file that a mirror has; remove the mirror, and attach again");
            }
            String name = String.valueOf(file.getFileName());
            if (name.endsWith(".lock") || name.startsWith("incoming_") || name.endsWith(".new")) {
              Files.delete(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** One fetch into one mirror. */
  private final class Fetch {
    private final Repository repository;
    private final AttachOrder.Slot slot;
    private final GitUrl url;

    Fetch(Repository repository, AttachOrder.Slot slot, GitUrl url) {
      this.repository = repository;
      this.slot = slot;
      this.url = url;
    }

    PlaceOrder run(String mirror, String branch, Optional<String> review)
        throws IOException, InterruptedException {
      FetchResult result = fetch(ALL);
      Ref head = head(result);
      if (head == null || head.getObjectId() == null) {
        throw new GitException(url + " has no branch that its HEAD names, or no commit yet");
      }
      String headBranch = Repository.shortenRefName(head.getTarget().getName());
      ObjectId headCommit = commit(head.getObjectId());
      if (review.isPresent()) {
        wanted(review.get());
      }
      ObjectId start = start(branch, headCommit);
      if (slot.filter().isPresent()) {
        new PartialMirror(repository).complete(commits(headCommit, start, review), this::connected);
      }
      writeRefs();
      return new PlaceOrder(
          slot.name(),
          mirror,
          slot.url(),
          headBranch,
          headCommit.name(),
          branch,
          start.name(),
          review,
          slot.filter());
    }

    private Set<ObjectId> commits(ObjectId head, ObjectId start, Optional<String> review)
        throws IOException {
      Set<ObjectId> commits = new LinkedHashSet<>(List.of(head, start));
      Optional<ObjectId> reviewed = review.map(ObjectId::fromString);
      if (reviewed.isPresent() && repository.getObjectDatabase().has(reviewed.get())) {
        commits.add(reviewed.get());
      }
      return commits;
    }

    private FetchResult fetch(List<RefSpec> what) throws IOException, InterruptedException {
      return connected(
          repository,
          (transport, progress) -> {
            transport.setTagOpt(TagOpt.NO_TAGS);
            transport.setRemoveDeletedRefs(true);
            slot.depth().ifPresent(transport::setDepth);
            if (slot.filter().isPresent()) {
              transport.setFilterSpec(FilterSpec.fromFilterLine(slot.filter().get()));
              // A difference may else be from what was left out.
              transport.setFetchThin(false);
            }
            return transport.fetch(progress, what, Constants.HEAD);
          });
    }

    private <T> T connected(Repository into, PartialMirror.Use<T> use)
        throws IOException, InterruptedException {
      try (GitServer server = new GitServer(url.uri(), url.isFile() ? List.of() : credentials);
          Transport transport = Transport.open(into, url.address())) {
        if (transport instanceof TransportHttp http) {
          http.setHttpConnectionFactory(server);
        }
        return use.of(transport, new Interruptible());
      } catch (TransportException | NotSupportedException e) {
        throw failed(e);
      }
    }

    private IOException failed(IOException e) throws InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException("stopped while fetching " + url);
      }
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof GitException said) {
          return said;
        }
      }
      return new GitException("can't fetch " + url + ": " + e.getMessage(), e);
    }

    /** The branch that HEAD names on the other side. */
    private @Nullable Ref head(FetchResult result) {
      Ref head = result.getAdvertisedRef(Constants.HEAD);
      if (head == null || head.isSymbolic()) {
        return head;
      }
      // A server that does not say: the usual name first, then any that is there.
      return result.getAdvertisedRefs().stream()
          .filter(ref -> ref.getName().startsWith(Constants.R_HEADS))
          .filter(ref -> Objects.equals(head.getObjectId(), ref.getObjectId()))
          .min(
              (one, other) ->
                  Boolean.compare(
                      other.getName().endsWith("/main"), one.getName().endsWith("/main")))
          .map(ref -> new SymbolicRef(Constants.HEAD, ref))
          .orElse(null);
    }

    /** The commit where a new branch begins. */
    private ObjectId start(String branch, ObjectId head) throws IOException, InterruptedException {
      if (slot.ref().isEmpty()) {
        Ref same = repository.exactRef(TRACKED + branch);
        return same == null ? head : commit(same.getObjectId());
      }
      String ref = slot.ref().get();
      String plain =
          ref.startsWith(Constants.R_HEADS) ? ref.substring(Constants.R_HEADS.length()) : ref;
      for (String name :
          List.of(
              TRACKED + plain,
              Constants.R_TAGS + plain,
              ref.startsWith(Constants.R_TAGS) ? ref : Constants.R_TAGS + plain)) {
        Ref found = repository.exactRef(name);
        if (found != null) {
          return commit(found.getObjectId());
        }
      }
      if (ObjectId.isId(ref) && wanted(ref)) {
        return commit(ObjectId.fromString(ref));
      }
      throw new GitException(url + " has no branch, tag or commit " + ref);
    }

    /** Whether a commit is there, fetched by its id where no branch or tag led to it. */
    private boolean wanted(String id) throws IOException, InterruptedException {
      ObjectId commit = ObjectId.fromString(id);
      if (!repository.getObjectDatabase().has(commit)) {
        try {
          fetch(List.of(new RefSpec(id + ":" + WANTED + id)));
        } catch (GitException e) {
          // Not every server gives what no ref leads to, and the clone may have it itself.
          return false;
        }
      }
      return repository.getObjectDatabase().has(commit);
    }

    private ObjectId commit(@Nullable ObjectId id) throws IOException {
      if (id == null) {
        throw new GitException("a ref of " + url + " leads to nothing");
      }
      try (RevWalk walk = new RevWalk(repository)) {
        return walk.parseCommit(id).copy();
      }
    }

    /** Writes what a clone takes over, as one file. */
    private void writeRefs() throws IOException {
      StringBuilder lines = new StringBuilder();
      for (String prefix : List.of(TRACKED, Constants.R_TAGS)) {
        for (Ref ref : repository.getRefDatabase().getRefsByPrefix(prefix)) {
          ObjectId id = ref.getObjectId();
          if (id != null) {
            lines.append(id.name()).append(' ').append(ref.getName()).append('\n');
          }
        }
      }
      Path file = repository.getDirectory().toPath().resolve(PlaceOrder.REFS);
      Path fresh = file.resolveSibling(PlaceOrder.REFS + ".new");
      Files.writeString(fresh, lines);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Ends a fetch soon after an interrupt. */
  private static final class Interruptible extends EmptyProgressMonitor {
    @Override
    public boolean isCancelled() {
      return Thread.currentThread().isInterrupted();
    }
  }
}
