package harness.cli;

import harness.scenario.GitRepositories;
import harness.scenario.Host;
import harness.scenario.Tree;
import harness.workspace.git.DiffQuery;
import harness.workspace.git.GitView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The demo's repository, its worktree, and what the scripted model does in it. */
final class DemoWorkspace {
  static final String MODEL = "demo";
  static final String PROMPT = "Greet Ada in a file of her own, and sign the README.";

  private static final String GREETING = "Hello, Ada!\n";
  private static final String README = "# Greetings\n\nSigned by: nobody yet\n";
  private static final String SIGNED = README.replace("nobody yet", "the coder");

  /** It tries a path outside its worktree on the way, as a confused model would. */
  private static final String SCRIPT =
      """
      models:
        demo:
          - steps:
              - text: I look around first.
                calls:
                  - { name: list, input: { path: . } }
                  - { name: read, input: { path: README.md } }
              - text: I write the greeting beside the other checkout.
                calls:
                  - { name: write, input: { path: ../default/greetings/ada.txt, content: "Hello, Ada!\\n" } }
              - text: That is outside my working directory, so I write it here, and sign the README.
                calls:
                  - { name: write, input: { path: greetings/ada.txt, content: "Hello, Ada!\\n" } }
                  - { name: edit, input: { path: README.md, edits: [ { old: nobody yet, new: the coder } ] } }
                  - { name: git_status, input: {} }
              - text: Ada is greeted and the README is signed.
      """;

  private final Path base;
  private final Tree before;

  private DemoWorkspace(Path base) throws IOException {
    this.base = base;
    this.before = Tree.of(root());
  }

  /**
   * Makes it in a directory.
   *
   * @param base empty, absolute, and free of links
   */
  static DemoWorkspace create(Path base) throws IOException {
    GitRepositories repositories = new GitRepositories();
    Path clone = base.resolve("work/target/default");
    repositories.create(clone, Map.of("README.md", README));
    repositories.addWorktree(clone, "feature-x", base.resolve("work/target/feature-x"));
    Files.writeString(base.resolve("script.yaml"), SCRIPT);
    return new DemoWorkspace(base);
  }

  Path root() {
    return base.resolve("work");
  }

  Path worktree() {
    return root().resolve("target/feature-x");
  }

  Host.Setup setup() {
    return new Host.Setup(
        root(),
        Map.of("target", worktree().toString()),
        base.resolve("state"),
        base.resolve("script.yaml"),
        Optional.empty(),
        Map.of(),
        Map.of(),
        false);
  }

  /** What is wrong with what the Turn left; empty when each file is where it belongs. */
  Set<String> faults() throws IOException {
    Set<String> faults = new TreeSet<>(before.changed(Tree.of(root())));
    for (String expected :
        new String[] {
          "target/feature-x/README.md",
          "target/feature-x/greetings",
          "target/feature-x/greetings/ada.txt"
        }) {
      if (!faults.remove(expected)) {
        faults.add(expected + " is as it was");
      }
    }
    check(faults, "greetings/ada.txt", GREETING);
    check(faults, "README.md", SIGNED);
    return faults;
  }

  private void check(Set<String> faults, String name, String content) throws IOException {
    Path file = worktree().resolve(name);
    if (Files.isRegularFile(file) && !Files.readString(file).equals(content)) {
      faults.add(name + " holds something else");
    }
  }

  /** What git says of the worktree: its status, then its diff. */
  String gitState() throws IOException, InterruptedException {
    Path worktree = worktree().toRealPath();
    try (GitView view = GitView.open(Objects.requireNonNull(worktree.getRoot()), worktree)) {
      return "## "
          + view.branch().orElse("(no branch)")
          + "\n"
          + String.join("\n", view.status().lines())
          + "\n\n"
          + view.diff(DiffQuery.WORKTREE).text();
    }
  }
}
