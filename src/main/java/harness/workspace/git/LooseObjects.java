package harness.workspace.git;

import harness.workspace.Content;
import harness.workspace.Name;
import harness.workspace.OpenDirectory;
import harness.workspace.TemporaryOutput;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.TreeSet;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.transport.PackParser;
import org.eclipse.jgit.util.sha1.SHA1;

/**
 * Writes objects into the open directory of a repository's objects, each whole and on stable
 * storage before it has its name. {@link #flush} then waits until the names are there too.
 */
final class LooseObjects extends ObjectInserter {
  /** Up to this size an object is made in memory, in bytes. */
  private static final int MAX_MEMORY_BYTES = 1024 * 1024;

  private static final int BUFFER_BYTES = 64 * 1024;
  private static final int DIRECTORY_DIGITS = 2;
  private static final int READ_ONLY = 0444;

  /** What git itself takes for the rest of a write that was cut off, and cleans away. */
  private static final String TEMPORARY_PREFIX = "tmp_obj_";

  private final OpenDirectory objects;
  private final Repository repository;
  private final ObjectReader reader;
  private final TreeSet<String> toSync = new TreeSet<>();

  /**
   * @param objects stays open as long as this is used
   */
  LooseObjects(OpenDirectory objects, Repository repository) {
    this.objects = objects;
    this.repository = repository;
    this.reader = repository.newObjectReader();
  }

  /**
   * Keeps a blob.
   *
   * @param length of the content, in bytes
   * @throws GitException where the content has another length or changes meanwhile
   */
  ObjectId blob(long length, Content content) throws IOException {
    if (length <= MAX_MEMORY_BYTES) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream((int) length);
      content.writeTo(bytes);
      check(bytes.size() == length);
      return insert(Constants.OBJ_BLOB, bytes.toByteArray());
    }
    ObjectId id = digest(Constants.OBJ_BLOB, length, content, OutputStream.nullOutputStream());
    if (!reader.has(id)) {
      store(id, Constants.OBJ_BLOB, length, content);
    }
    return id;
  }

  @Override
  public ObjectId insert(int type, byte[] data, int offset, int length) throws IOException {
    ObjectId id = idFor(type, data, offset, length);
    if (!reader.has(id)) {
      store(id, type, length, out -> out.write(data, offset, length));
    }
    return id;
  }

  @Override
  public ObjectId insert(int type, long length, InputStream in) throws IOException {
    byte[] data = in.readNBytes(Math.toIntExact(length));
    check(data.length == length);
    return insert(type, data, 0, data.length);
  }

  private void store(ObjectId id, int type, long length, Content content) throws IOException {
    String name = id.name();
    Name fan = Name.of(name.substring(0, DIRECTORY_DIGITS));
    try (OpenDirectory directory = fanOut(fan)) {
      OpenDirectory.Temporary file = directory.temporary(TEMPORARY_PREFIX);
      try (file) {
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try (OutputStream out = new DeflaterOutputStream(TemporaryOutput.of(file), deflater)) {
          check(digest(type, length, content, out).equals(id));
        } finally {
          deflater.end();
        }
        file.mode(_ -> READ_ONLY);
        file.sync();
        directory.rename(file.name(), Name.of(name.substring(DIRECTORY_DIGITS)));
      } catch (IOException | RuntimeException e) {
        remove(directory, file.name(), e);
        throw e;
      }
    }
    toSync.add(fan.toString());
  }

  private OpenDirectory fanOut(Name name) throws IOException {
    try {
      return objects.directory(name);
    } catch (NoSuchFileException e) {
      try {
        objects.makeDirectory(name);
      } catch (FileAlreadyExistsException made) {
        // Somebody else was faster.
      }
      return objects.directory(name);
    }
  }

  /** Writes an object out, header first, and tells its id. */
  private static ObjectId digest(int type, long length, Content content, OutputStream out)
      throws IOException {
    Digesting digesting = new Digesting(out);
    OutputStream buffered = new BufferedOutputStream(digesting, BUFFER_BYTES);
    String header = Constants.typeString(type) + " " + length + "\0";
    byte[] bytes = header.getBytes(StandardCharsets.US_ASCII);
    buffered.write(bytes);
    content.writeTo(buffered);
    buffered.flush();
    check(digesting.written == bytes.length + length);
    return digesting.sha1.toObjectId();
  }

  private static void check(boolean unchanged) throws GitException {
    if (!unchanged) {
      throw new GitException("it changes while it is read; try again when it is at rest");
    }
  }

  private static void remove(OpenDirectory directory, Name temporary, Exception cause) {
    try {
      directory.unlink(temporary);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  @Override
  public PackParser newPackParser(InputStream in) {
    throw new UnsupportedOperationException("objects are written one by one here");
  }

  @Override
  public ObjectReader newReader() {
    return repository.newObjectReader();
  }

  @Override
  public void flush() throws IOException {
    for (String fan : toSync) {
      try (OpenDirectory directory = objects.directory(Name.of(fan))) {
        directory.sync();
      }
    }
    if (!toSync.isEmpty()) {
      objects.sync();
      toSync.clear();
    }
  }

  @Override
  public void close() {
    reader.close();
  }

  private static final class Digesting extends OutputStream {
    private final SHA1 sha1 = SHA1.newInstance();
    private final OutputStream out;
    private long written;

    Digesting(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      sha1.update(bytes, offset, length);
      out.write(bytes, offset, length);
      written += length;
    }
  }
}
