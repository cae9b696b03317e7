package harness.workspace.git;

import harness.workspace.FileHandle;
import harness.workspace.Name;
import harness.workspace.OpenDirectory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import org.eclipse.jgit.attributes.Attributes;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;

/**
 * Files of a worktree as git would store them: with the line ends that attributes and configuration
 * ask for. No filter is run, so that what one would make of a file is not known here, but for the
 * pointer that Git LFS makes, which can be told. Safe for many threads.
 */
final class StoredForm {
  /** Larger files keep their line ends, in bytes: those that change are held in memory. */
  static final int MAX_CONVERTED_BYTES = 32 * 1024 * 1024;

  private static final int CHUNK_BYTES = 64 * 1024;

  private final AttributeFiles attributes;
  private final IndexFile index;
  private final Repository repository;
  private final Config config;

  StoredForm(AttributeFiles attributes, IndexFile index, Repository repository) {
    this.attributes = attributes;
    this.index = index;
    this.repository = repository;
    this.config = repository.getConfig();
  }

  /** The id of a link that says this. */
  static ObjectId id(byte[] link) {
    MessageDigest digest = begin(link.length);
    digest.update(link);
    return ObjectId.fromRaw(digest.digest());
  }

  /**
   * The id of a file's content.
   *
   * @param path its path, for its attributes
   */
  ObjectId id(OpenDirectory directory, Name name, byte[] path) throws IOException {
    try (Content content = open(directory.file(name), path)) {
      MessageDigest digest = begin(content.size());
      byte[] chunk = new byte[CHUNK_BYTES];
      for (int n = content.in().read(chunk); n >= 0; n = content.in().read(chunk)) {
        digest.update(chunk, 0, n);
      }
      return ObjectId.fromRaw(digest.digest());
    }
  }

  private static MessageDigest begin(long size) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-1");
      digest.update(("blob " + size + "\0").getBytes(StandardCharsets.US_ASCII));
      return digest;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-1", e);
    }
  }

  /**
   * What git would store.
   *
   * @param size in bytes
   */
  record Content(InputStream in, long size) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  /**
   * Reads a file as git would store it.
   *
   * @param file taken over, and closed with the content
   */
  Content open(FileHandle file, byte[] path) throws IOException {
    FileStream in = new FileStream(file);
    try {
      long size = file.status().size();
      Attributes given = attributes.of(path);
      if (isLarge(given, path)
          && !LfsPointer.is(new FileStream(file).readNBytes(LfsPointer.MAX_BYTES))) {
        byte[] pointer = LfsPointer.to(in);
        in.close();
        return new Content(new ByteArrayInputStream(pointer), pointer.length);
      }
      LineEnds ends = LineEnds.of(given, config);
      if (!ends.changes() || size > MAX_CONVERTED_BYTES) {
        return new Content(in, size);
      }
      byte[] content = in.readNBytes(MAX_CONVERTED_BYTES);
      byte[] stored = stored(ends, content, path);
      in.close();
      return new Content(new ByteArrayInputStream(stored), stored.length);
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  /** Whether git has the pointer of Git LFS in the place of a file. */
  private boolean isLarge(Attributes given, byte[] path) throws IOException {
    if (!"lfs".equals(given.getValue("filter"))) {
      return false;
    }
    Optional<byte[]> blob = inGit(path, LfsPointer.MAX_BYTES);
    return blob.filter(LfsPointer::is).isPresent();
  }

  private byte[] stored(LineEnds ends, byte[] content, byte[] path) throws IOException {
    LineStats stats = stats(content);
    if (!ends.toLf(stats, ends.guessed() && stats.crlf() > 0 && hasCrlfInGit(path))) {
      return content;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(content.length);
    try (OutputStream lf = LineEnds.lf(out)) {
      lf.write(content);
    }
    return out.toByteArray();
  }

  private static LineStats stats(byte[] content) {
    LineStats stats = new LineStats();
    stats.write(content, 0, content.length);
    return stats;
  }

  private boolean hasCrlfInGit(byte[] path) throws IOException {
    Optional<byte[]> blob = inGit(path, MAX_CONVERTED_BYTES);
    if (blob.isEmpty()) {
      return false;
    }
    LineStats stats = stats(blob.get());
    return stats.crlf() > 0 && !stats.binary();
  }

  /** What the index has of a file, where that is not larger. */
  private Optional<byte[]> inGit(byte[] path, int maxBytes) throws IOException {
    int entry = index.find(path);
    if (!index.hasPath(entry, path)) {
      return Optional.empty();
    }
    try (ObjectReader reader = repository.newObjectReader()) {
      ObjectLoader blob = reader.open(index.id(entry), Constants.OBJ_BLOB);
      return blob.getSize() > maxBytes
          ? Optional.empty()
          : Optional.of(blob.getCachedBytes(maxBytes));
    }
  }
}
