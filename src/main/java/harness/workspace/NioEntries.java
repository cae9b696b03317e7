package harness.workspace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;

/** A pass over a directory of NIO. */
final class NioEntries implements OpenDirectory.Entries {
  private final NioDirectory directory;
  private final DirectoryStream<Path> listing;
  private final Iterator<Path> paths;
  private Optional<Directory.Entry> next = Optional.empty();

  NioEntries(NioDirectory directory, DirectoryStream<Path> listing) {
    this.directory = directory;
    this.listing = listing;
    this.paths = listing.iterator();
  }

  @Override
  public boolean hasNext() {
    try {
      while (next.isEmpty() && paths.hasNext()) {
        next = entry(paths.next());
      }
    } catch (DirectoryIteratorException e) {
      throw new UncheckedIOException(e.getCause());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (next.isEmpty()) {
      close();
    }
    return next.isPresent();
  }

  @Override
  public Directory.Entry next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Directory.Entry entry = next.orElseThrow();
    next = Optional.empty();
    return entry;
  }

  /** Empty where it has gone since. */
  private Optional<Directory.Entry> entry(Path path) throws IOException {
    String text = path.getName(path.getNameCount() - 1).toString();
    Name name = Name.of(text.getBytes(StandardCharsets.UTF_8));
    return directory
        .status(name)
        .map(status -> new Directory.Entry(name.toString(), status.kind()));
  }

  @Override
  public void close() {
    try {
      listing.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
