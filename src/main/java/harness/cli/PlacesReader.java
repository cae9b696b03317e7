package harness.cli;

import harness.author.Grants;
import harness.cli.Configuration.Seat;
import harness.cli.Configuration.ToolHosting;
import harness.workspace.Slots;
import harness.workspace.attach.GitCredential;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads where things are, and keeps apart what Agents can write and what they must not read. */
final class PlacesReader {
  private static final int MOST_CPUS = 10_000;
  private static final int MOST_MEMORY_MIB = 100_000_000;
  private static final String IN_PROCESS = "in-process";
  private static final String NO_HOST = "none";
  private static final String UNIX = "unix:";

  /** What servers that look at the token alone are told. */
  private static final String GIT_USER = "x-access-token";

  private final FileSystem files;

  PlacesReader(FileSystem files) {
    this.files = files;
  }

  Slots workspace(Section workspace) {
    Path root = workspace.path("root", files).orElse(files.getPath("/work"));
    Map<String, String> worktrees = new LinkedHashMap<>();
    Section slots = workspace.section("slots");
    for (Map.Entry<String, String> slot : workspace.named("slots").entrySet()) {
      slots
          .absolute(slot.getKey(), slot.getValue(), files)
          .filter(worktree -> !worktree.startsWith(root) || worktree.equals(root))
          .ifPresent(
              worktree ->
                  slots.fault(
                      slot.getKey(), worktree + " must lie under the workspace root " + root));
      worktrees.put(slot.getKey(), slot.getValue());
    }
    workspace.end();
    return new Slots(root.toString(), worktrees);
  }

  /** Whose token an Agent could read is no secret of this process. */
  List<GitCredential> credentials(Section git, String root) {
    List<GitCredential> credentials = new ArrayList<>();
    for (Section one : git.sections("credentials", "host")) {
      String host = one.text("host").orElse("");
      if (!host.matches("[A-Za-z0-9.\\[\\]:-]+")) {
        one.fault("host", "must be the name of a git server, like git.example.com or HOST:PORT");
      }
      String username = one.text("username").orElse(GIT_USER);
      if (username.contains(":")) {
        one.fault("username", "can't hold a ':'");
      }
      Optional<Path> token = one.path("token-file", files);
      if (token.isEmpty()) {
        one.fault("token-file", "is missing; it names the file with the token");
      } else if (token.get().startsWith(files.getPath(root))) {
        one.fault("token-file", token.get() + " must lie outside the workspace root " + root);
      }
      token.ifPresent(file -> credentials.add(new GitCredential(host, username, file)));
      one.end();
    }
    git.end();
    return credentials;
  }

  /** What an Agent can write never holds the state, nor the state what an Agent can write. */
  void checkApart(Section harness, Path state, String root) {
    Path workspace = files.getPath(root);
    if (state.startsWith(workspace) || workspace.startsWith(state)) {
      harness.fault(
          "state",
          state
              + " and the workspace root "
              + workspace
              + " must lie apart, or an Agent could read and write the state");
    }
  }

  /** The file of rights, whose own faults are told with those of the configuration. */
  Optional<Path> authority(Section harness, String root) {
    Optional<Path> file = harness.path("authority", files);
    if (file.isPresent() && file.get().startsWith(files.getPath(root))) {
      harness.fault(
          "authority",
          file.get()
              + " must lie outside the workspace root "
              + root
              + ", or an Agent could grant itself what it likes");
    } else if (file.isPresent()) {
      Grants.faults(file.get()).forEach(fault -> harness.fault("authority", fault));
    }
    return file;
  }

  ToolHosting toolHost(Section harness, String root) {
    String text = harness.text("tool-host").orElse(IN_PROCESS);
    Optional<Seat> seat = seat(harness.section("seat"));
    if (seat.isPresent() && !text.startsWith(UNIX)) {
      harness.fault(
          "seat", "is of a runner's container; leave it out, or have tool-host: unix:PATH");
    }
    if (text.equals(IN_PROCESS)) {
      return new ToolHosting.InProcess();
    }
    if (text.equals(NO_HOST)) {
      return new ToolHosting.None();
    }
    if (!text.startsWith(UNIX)) {
      harness.fault(
          "tool-host",
          "must be in-process, none, or unix: and the path of a runner's socket, like"
              + " unix:/run/harness/runner.sock; got '"
              + text
              + "'");
      return new ToolHosting.InProcess();
    }
    Optional<Path> socket = harness.absolute("tool-host", text.substring(UNIX.length()), files);
    if (socket.isPresent() && socket.get().startsWith(files.getPath(root))) {
      harness.fault(
          "tool-host",
          socket.get()
              + " must lie outside the workspace root "
              + root
              + ", or an Agent could put another in its place");
    }
    return socket
        .<ToolHosting>map(path -> new ToolHosting.Runner(path, seat))
        .orElseGet(ToolHosting.InProcess::new);
  }

  private static Optional<Seat> seat(Section seat) {
    int cpus = seat.count("cpus", 0, 1, MOST_CPUS);
    int memory = seat.count("memory-mib", 0, 1, MOST_MEMORY_MIB);
    seat.end();
    if (cpus > 0 != memory > 0) {
      seat.fault(cpus > 0 ? "memory-mib" : "cpus", "is missing beside the other");
    }
    return Optional.of(new Seat(cpus, memory)).filter(_ -> cpus > 0 && memory > 0);
  }
}
