package harness.scenario;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Removes a directory and what is in it; a link goes, what it points to stays. */
public final class Removal extends SimpleFileVisitor<Path> {
  private Removal() {}

  /** Removes it. */
  public static void of(Path directory) throws IOException {
    Files.walkFileTree(directory, new Removal());
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
    Files.delete(file);
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
      throws IOException {
    if (failure != null) {
      throw failure;
    }
    Files.delete(directory);
    return FileVisitResult.CONTINUE;
  }
}
