package harness.cli;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Copies this program, which a pod does for its workspace, whose image is somebody else's. */
@Command(
    name = "install",
    description =
        "Copies this program with its runtime into a directory, from which the workspace's container"
            + " runs it. For images built by container/build.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class InstallCommand implements Callable<Integer> {
  private final Surroundings surroundings;
  private final Path home;

  @Option(
      names = "--to",
      paramLabel = "DIR",
      required = true,
      description = "An existing directory; what is there under the same names is replaced.")
  private String to = "";

  /**
   * @param home where this program lies
   */
  InstallCommand(Surroundings surroundings, Path home) {
    this.surroundings = surroundings;
    this.home = home;
  }

  @Override
  public Integer call() throws IOException {
    if (!Files.isDirectory(home.resolve("runtime"))) {
      throw new ConfigurationException(
          List.of(home + " has no runtime of its own; install from an image of container/build"));
    }
    Path target = surroundings.directory().resolve(to).normalize();
    Files.walkFileTree(home, new Copy(home, target));
    return Program.DONE;
  }

  /** With times, because the cache of classes fits files of its own times alone. */
  private static final class Copy extends SimpleFileVisitor<Path> {
    private final Path from;
    private final Path to;

    Copy(Path from, Path to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
        throws IOException {
      Files.createDirectories(target(directory));
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.copy(
          file,
          target(file),
          StandardCopyOption.REPLACE_EXISTING,
          StandardCopyOption.COPY_ATTRIBUTES,
          LinkOption.NOFOLLOW_LINKS);
      return FileVisitResult.CONTINUE;
    }

    private Path target(Path path) {
      return to.resolve(from.relativize(path));
    }
  }
}
