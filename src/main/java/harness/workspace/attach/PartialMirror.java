package harness.workspace.attach;

import harness.workspace.git.GitException;
import harness.workspace.git.MirrorRepository;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectIdRef;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.ProgressMonitor;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.transport.FetchConnection;
import org.eclipse.jgit.transport.Transport;
import org.eclipse.jgit.treewalk.TreeWalk;

/** A mirror that was fetched with a filter, so that files are missing that no checkout has. */
final class PartialMirror {
  /** How many objects one request names: 50 bytes of it each. */
  private static final int MAX_WANTED = 100_000;

  private final Repository repository;

  PartialMirror(Repository repository) {
    this.repository = repository;
  }

  /** What is done with a connection to the server. */
  interface Use<T> {
    T of(Transport transport, ProgressMonitor progress) throws IOException;
  }

  /** Connects a repository with the server of the mirror. */
  interface Connecting {
    <T> T run(Repository into, Use<T> use) throws IOException, InterruptedException;
  }

  /**
   * Fetches what is missing of the trees of commits, and marks the packs as git marks those that
   * come from a server which promises the rest.
   */
  void complete(Set<ObjectId> commits, Connecting server) throws IOException, InterruptedException {
    List<ObjectId> missing = List.copyOf(missing(commits));
    Path mirror = repository.getDirectory().toPath();
    try (Repository objects = MirrorRepository.withoutRefs(mirror)) {
      for (int from = 0; from < missing.size(); from += MAX_WANTED) {
        List<ObjectId> some = missing.subList(from, Math.min(missing.size(), from + MAX_WANTED));
        Object unused =
            server.run(objects, (transport, progress) -> fetch(transport, progress, some));
      }
    }
    mark(mirror.resolve("objects/pack"));
    Set<ObjectId> left = missing(commits);
    if (!left.isEmpty()) {
      throw new GitException(
          "the server did not send "
              + left.size()
              + " files of the checkout, "
              + left.iterator().next().name()
              + " for one; attach without a filter");
    }
  }

  private Set<ObjectId> missing(Set<ObjectId> commits) throws IOException {
    Set<ObjectId> missing = new LinkedHashSet<>();
    try (ObjectReader reader = repository.newObjectReader();
        RevWalk commitsRead = new RevWalk(reader);
        TreeWalk walk = new TreeWalk(reader)) {
      for (ObjectId commit : commits) {
        walk.reset(commitsRead.parseCommit(commit).getTree());
        walk.setRecursive(true);
        while (walk.next()) {
          ObjectId id = walk.getObjectId(0);
          if (!FileMode.GITLINK.equals(walk.getFileMode(0)) && !reader.has(id)) {
            missing.add(id);
          }
        }
      }
    }
    return missing;
  }

  private static List<ObjectId> fetch(
      Transport transport, ProgressMonitor progress, List<ObjectId> wanted) throws IOException {
    List<Ref> refs = new ArrayList<>();
    for (ObjectId id : wanted) {
      refs.add(new ObjectIdRef.Unpeeled(Ref.Storage.NETWORK, id.name(), id));
    }
    try (FetchConnection connection = transport.openFetch()) {
      connection.fetch(progress, refs, Set.of());
    }
    return wanted;
  }

  private static void mark(Path packs) throws IOException {
    List<Path> unmarked = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(packs, "*.pack")) {
      for (Path pack : all) {
        String name = pack.getFileName().toString();
        Path mark = pack.resolveSibling(name.replaceFirst("pack$", "promisor"));
        if (!Files.exists(mark)) {
          unmarked.add(mark);
        }
      }
    }
    for (Path mark : unmarked) {
      Files.createFile(mark);
    }
  }
}
