package harness.workspace.attach;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A repository of the other side, and the git program in any directory. */
public final class Remote {
  private final Path directory;

  private Remote(Path directory) {
    this.directory = directory;
  }

  /** A new one with the branch main and one commit of what checkouts get wrong. */
  public static Remote with(Path directory) throws Exception {
    Files.createDirectories(directory);
    git(directory, "init", "-q", "-b", "main");
    Remote remote = new Remote(directory);
    Files.createDirectories(directory.resolve("deep/er"));
    Files.writeString(directory.resolve("README.md"), "A target.\n");
    Files.writeString(directory.resolve("deep/er/a file.txt"), "deep\n");
    Files.writeString(directory.resolve("deep/line\nend"), "odd\n");
    Files.writeString(directory.resolve(".gitattributes"), "*.bat text eol=crlf\n");
    Files.writeString(directory.resolve("run.bat"), "one\ntwo\n");
    Files.writeString(directory.resolve("run.sh"), "#!/bin/sh\n");
    boolean unused = directory.resolve("run.sh").toFile().setExecutable(true);
    Files.createSymbolicLink(directory.resolve("link"), Path.of("deep/er"));
    Files.createSymbolicLink(directory.resolve("out"), Path.of("/nowhere"));
    Files.createDirectory(directory.resolve("empty"));
    Files.writeString(directory.resolve("empty/nothing"), "");
    String id = git(directory, "hash-object", "-w", "--stdin").strip();
    remote.commit("First");
    git(directory, "update-index", "--add", "--cacheinfo", "160000," + remote.head() + ",module");
    git(directory, "commit", "-q", "-m", "A submodule, " + id);
    git(directory, "tag", "-a", "-m", "One", "v1");
    return remote;
  }

  public Path directory() {
    return directory;
  }

  public String head() throws Exception {
    return git(directory, "rev-parse", "HEAD").strip();
  }

  public String commit(String message) throws Exception {
    git(directory, "add", "-A", "--", ".", ":!module");
    git(directory, "commit", "-q", "--allow-empty", "-m", message);
    return head();
  }

  /** Lets a branch lead to a tree of these entries, which git itself would never write. */
  public void hostile(String branch, byte[] tree) throws Exception {
    String id =
        git(directory, tree, "hash-object", "-t", "tree", "-w", "--stdin", "--literally").strip();
    String commit = git(directory, "commit-tree", "-m", "Hostile", id).strip();
    git(directory, "update-ref", "refs/heads/" + branch, commit);
  }

  /** Runs git and returns what it printed; fails where it does. */
  public static String git(Path directory, String... arguments) throws Exception {
    return git(directory, new byte[0], arguments);
  }

  static String git(Path directory, byte[] input, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().put("HOME", "/nonexistent");
    builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
    for (String who : List.of("AUTHOR", "COMMITTER")) {
      builder.environment().put("GIT_" + who + "_NAME", "Ada");
      builder.environment().put("GIT_" + who + "_EMAIL", "ada@example.org");
    }
    Process process = builder.redirectErrorStream(true).start();
    try (var in = process.getOutputStream()) {
      in.write(input);
    } catch (IOException e) {
      // It wants none.
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new AssertionError(command + " in " + directory + " failed: " + output);
    }
    return output;
  }
}
