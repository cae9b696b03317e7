package harness.workspace.git;

import harness.workspace.PathException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/**
 * Checks what lies inside a git directory before JGit opens it by name: links stay inside the read
 * root, nothing that is read is a FIFO, and the index is not a claim that would fill memory. Single
 * loose objects are not looked at: what they lead to is read only where it is a git object.
 */
final class GitLinks {
  /** Directories whose whole tree is looked at. */
  private static final List<String> DEEP = List.of("refs", "logs", "info");

  private static final int INDEX_HEADER_BYTES = 12;

  /** The least that one entry of an index takes, in bytes, whatever its version. */
  private static final int INDEX_ENTRY_BYTES = 62;

  private GitLinks() {}

  static void check(GitPlaces places) throws IOException {
    check(places.readRoot(), places.gitDir());
    if (!places.commonDir().equals(places.gitDir())) {
      check(places.readRoot(), places.commonDir());
    }
    for (Path objects : places.alternates()) {
      children(places.readRoot(), objects);
      children(places.readRoot(), objects.resolve("pack"));
    }
    checkIndex(places.gitDir().resolve("index"));
  }

  private static void check(Path readRoot, Path gitDir) throws IOException {
    children(readRoot, gitDir);
    Path objects = gitDir.resolve("objects");
    children(readRoot, objects);
    children(readRoot, objects.resolve("pack"));
    children(readRoot, objects.resolve("info"));
    for (String name : DEEP) {
      deep(readRoot, gitDir.resolve(name));
    }
  }

  private static void children(Path readRoot, Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        checkEntry(readRoot, entry);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private static void deep(Path readRoot, Path directory) throws IOException {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isSymbolicLink() && Files.isDirectory(file)) {
              throw new PathException(
                  PathException.Kind.OUTSIDE,
                  file
                      + " is a link to a directory, through which git's own files could lie anywhere;"
                      + " put the directory itself there");
            }
            checkEntry(readRoot, file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
  }

  private static void checkEntry(Path readRoot, Path entry) throws IOException {
    BasicFileAttributes attributes;
    try {
      attributes =
          Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (attributes.isSymbolicLink()) {
        GitPlaces.contained(readRoot, entry, "what " + entry + " links to");
        attributes = Files.readAttributes(entry, BasicFileAttributes.class);
      }
    } catch (NoSuchFileException e) {
      // Another git process removed it meanwhile, so nothing will be read there either.
      return;
    }
    // A socket may lie there by right: git's own file system monitor listens on one.
    boolean socket = entry.getFileName().toString().endsWith(".ipc");
    if (attributes.isOther() && !socket) {
      throw new PathException(
          PathException.Kind.NOT_A_FILE,
          entry + " is neither a file nor a directory, so the repository is not opened; delete it");
    }
  }

  private static void checkIndex(Path index) throws IOException {
    if (!Files.exists(index)) {
      return;
    }
    byte[] header;
    try (InputStream in = Files.newInputStream(index)) {
      header = in.readNBytes(INDEX_HEADER_BYTES);
    }
    if (header.length < INDEX_HEADER_BYTES) {
      throw new GitException(index + " is cut short; git reset makes it anew");
    }
    long entries = Integer.toUnsignedLong(ByteBuffer.wrap(header).getInt(8));
    if (entries * INDEX_ENTRY_BYTES > Files.size(index)) {
      throw new GitException(
          index + " claims more entries than it can hold; git reset makes it anew");
    }
  }
}
