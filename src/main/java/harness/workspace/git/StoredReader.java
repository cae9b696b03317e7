package harness.workspace.git;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.errors.LargeObjectException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.AbbreviatedObjectId;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.ObjectStream;

/** Reads {@link StoredObjects}. */
final class StoredReader extends ObjectReader {
  /** The largest file that is held in memory, in bytes; larger ones are read as they are used. */
  private static final int MAX_FILE_BYTES = 16 * 1024 * 1024;

  /** How many ids an abbreviated one may stand for, as far as it is told. */
  private static final int MAX_RESOLVED = 256;

  /** The header of an object in a file of its own: its type, its size and a zero. */
  private static final int MAX_HEADER_BYTES = 32;

  private final StoredObjects objects;

  StoredReader(StoredObjects objects) {
    this.objects = objects;
  }

  @Override
  public ObjectReader newReader() {
    return new StoredReader(objects);
  }

  @Override
  public Collection<ObjectId> resolve(AbbreviatedObjectId id) throws IOException {
    if (id.isComplete()) {
      return has(id.toObjectId()) ? Set.of(id.toObjectId()) : Set.of();
    }
    return id.length() < 2 ? Set.of() : objects.resolve(id, MAX_RESOLVED);
  }

  @Override
  public boolean has(AnyObjectId id) throws IOException {
    if (objects.packed(id).isPresent()) {
      return true;
    }
    Optional<PagedFile> loose = objects.loose(id);
    loose.ifPresent(PagedFile::close);
    return loose.isPresent();
  }

  @Override
  public ObjectLoader open(AnyObjectId id, int wanted) throws IOException {
    Optional<StoredObjects.Packed> packed = objects.packed(id);
    if (packed.isPresent()) {
      return packed(packed.get().pack(), packed.get().offset(), id, wanted);
    }
    Optional<PagedFile> loose = objects.loose(id);
    if (loose.isPresent()) {
      return loose(loose.get(), id, wanted);
    }
    throw new MissingObjectException(
        id.copy(), wanted == OBJ_ANY ? "object" : Constants.typeString(wanted));
  }

  private static ObjectLoader packed(Pack pack, long offset, AnyObjectId id, int wanted)
      throws IOException {
    int type = pack.type(offset);
    check(id, type, wanted);
    long size = pack.size(offset);
    if (isWhole(type, size)) {
      return new ObjectLoader.SmallObject(type, pack.whole(offset).bytes());
    }
    return new Large(
        type,
        size,
        () ->
            pack.isPlain(offset)
                ? pack.stream(offset)
                : new ByteArrayInputStream(pack.whole(offset).bytes()));
  }

  /** Of what is no file, all is looked at, so it is held whole. */
  private static boolean isWhole(int type, long size) {
    return size <= (type == Constants.OBJ_BLOB ? MAX_FILE_BYTES : Pack.MAX_WHOLE_BYTES);
  }

  private static void check(AnyObjectId id, int type, int wanted) throws IOException {
    if (wanted != OBJ_ANY && wanted != type) {
      throw new IncorrectObjectTypeException(id.copy(), wanted);
    }
  }

  private ObjectLoader loose(PagedFile file, AnyObjectId id, int wanted) throws IOException {
    ObjectId known = id.copy();
    try (file;
        InputStream in = new Pack.Inflated(file, 0)) {
      Header header = Header.read(in, known);
      check(known, header.type, wanted);
      if (!isWhole(header.type, header.size)) {
        return new Large(header.type, header.size, () -> looseStream(known));
      }
      byte[] bytes = in.readNBytes((int) header.size);
      if (bytes.length < header.size || in.read() >= 0) {
        throw new CorruptObjectException(known, "it has another size than it says");
      }
      return new ObjectLoader.SmallObject(header.type, bytes);
    }
  }

  private InputStream looseStream(ObjectId id) throws IOException {
    PagedFile file =
        objects.loose(id).orElseThrow(() -> new MissingObjectException(id, Constants.TYPE_BLOB));
    InputStream in = new Pack.Inflated(file, 0, List.of(file));
    try {
      Header unused = Header.read(in, id);
      return in;
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  /** What an object in a file of its own begins with. */
  private record Header(int type, long size) {
    static Header read(InputStream in, ObjectId id) throws IOException {
      StringBuilder text = new StringBuilder();
      for (int b = in.read(); b > 0 && text.length() < MAX_HEADER_BYTES; b = in.read()) {
        text.append((char) b);
      }
      int space = text.indexOf(" ");
      try {
        byte[] type = text.substring(0, Math.max(0, space)).getBytes(StandardCharsets.US_ASCII);
        long size = Long.parseLong(text.substring(space + 1));
        if (size >= 0) {
          int known =
              switch (new String(type, StandardCharsets.US_ASCII)) {
                case Constants.TYPE_BLOB -> Constants.OBJ_BLOB;
                case Constants.TYPE_TREE -> Constants.OBJ_TREE;
                case Constants.TYPE_COMMIT -> Constants.OBJ_COMMIT;
                case Constants.TYPE_TAG -> Constants.OBJ_TAG;
                default -> throw new CorruptObjectException(id, "it is of no kind");
              };
          return new Header(known, size);
        }
      } catch (NumberFormatException e) {
        CorruptObjectException corrupt = new CorruptObjectException(id, "it has no size");
        corrupt.initCause(e);
        throw corrupt;
      }
      throw new CorruptObjectException(id, "its size is below zero");
    }
  }

  @Override
  public Set<ObjectId> getShallowCommits() throws IOException {
    return objects.getShallowCommits();
  }

  @Override
  public void close() {
    // What is open is the repository's.
  }

  private interface Opening {
    InputStream open() throws IOException;
  }

  /** An object that is read as it is used. */
  private static final class Large extends ObjectLoader {
    private final int type;
    private final long size;
    private final Opening opening;

    Large(int type, long size, Opening opening) {
      this.type = type;
      this.size = size;
      this.opening = opening;
    }

    @Override
    public int getType() {
      return type;
    }

    @Override
    public long getSize() {
      return size;
    }

    @Override
    public boolean isLarge() {
      return true;
    }

    @Override
    public byte[] getCachedBytes() {
      throw new LargeObjectException();
    }

    @Override
    public ObjectStream openStream() throws IOException {
      return new ObjectStream.Filter(type, size, opening.open());
    }
  }
}
