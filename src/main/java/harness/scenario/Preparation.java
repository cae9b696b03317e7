package harness.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Makes the workspace of a scenario. */
final class Preparation {
  private static final String CLONE = "default";

  private final Repositories repositories;
  private final Names names;

  Preparation(Repositories repositories, Names names) {
    this.repositories = repositories;
    this.names = names;
  }

  void prepare(Scenario.Workspace workspace, Path root, Path outside)
      throws IOException, ScenarioFailure {
    Files.createDirectories(root);
    for (Map.Entry<String, Scenario.Repository> each : workspace.repositories().entrySet()) {
      Path directory = root.resolve(each.getKey());
      Path clone = directory.resolve(CLONE);
      repositories.create(clone, filled(each.getValue().files()));
      for (String branch : each.getValue().worktrees()) {
        repositories.addWorktree(clone, branch, directory.resolve(branch));
      }
    }
    write(root, filled(workspace.files()));
    write(outside, filled(workspace.outside()));
    for (Map.Entry<String, String> link : workspace.links().entrySet()) {
      Path path = made(root.resolve(link.getKey()));
      Files.createSymbolicLink(path, Path.of(names.fill(link.getValue())));
    }
  }

  private Map<String, String> filled(Map<String, String> files) throws ScenarioFailure {
    Map<String, String> filled = new LinkedHashMap<>();
    for (Map.Entry<String, String> file : files.entrySet()) {
      filled.put(file.getKey(), names.fill(file.getValue()));
    }
    return filled;
  }

  private static void write(Path directory, Map<String, String> files) throws IOException {
    for (Map.Entry<String, String> file : files.entrySet()) {
      Files.writeString(made(directory.resolve(file.getKey())), file.getValue());
    }
  }

  private static Path made(Path path) throws IOException {
    Files.createDirectories(Objects.requireNonNull(path.getParent()));
    return path;
  }
}
