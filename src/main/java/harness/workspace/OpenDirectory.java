package harness.workspace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * An open directory of the system, and what can be done with single names in it. Nothing here
 * follows a link. What is not there is a {@link java.nio.file.NoSuchFileException}, what is no
 * directory a {@link java.nio.file.NotDirectoryException}, what exists already a {@link
 * java.nio.file.FileAlreadyExistsException}; the names {@code .} and {@code ..} are never given.
 */
public interface OpenDirectory extends AutoCloseable {
  /** Which directory it is, for as long as it is open; equal for two handles of one directory. */
  Object key() throws IOException;

  /** What it is itself. */
  FileStatus status() throws IOException;

  /** What an entry is itself; empty where there is none. */
  Optional<FileStatus> status(Name name) throws IOException;

  /**
   * What an entry is itself, as finely as the system tells it; empty where there is none, also
   * where this directory has gone.
   */
  default Optional<Inode> inode(Name name) throws IOException {
    return status(name).map(Inode::of);
  }

  /** All entries at once. */
  default Listing listing() throws IOException {
    List<Listing.Entry> all = new ArrayList<>();
    try (Entries entries = entries()) {
      while (entries.hasNext()) {
        Directory.Entry entry = entries.next();
        all.add(new Listing.Entry(Name.of(Name.bytesOf(entry.name())), entry.kind()));
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return Listing.of(all);
  }

  /** Opens a directory in it that will be listed; a link is no directory. */
  default OpenDirectory listable(Name name) throws IOException {
    return directory(name);
  }

  /** Opens a directory in it; a link is no directory. */
  OpenDirectory directory(Name name) throws IOException;

  /** A second handle of the same directory. */
  OpenDirectory again() throws IOException;

  /**
   * Opens a file in it for reading, without waiting for anything.
   *
   * @throws NotAFileException where it is no regular file
   */
  FileHandle file(Name name) throws IOException;

  /**
   * What a link says.
   *
   * @throws NotALinkException where it is none
   */
  byte[] readLink(Name name) throws IOException;

  /** Makes a directory, with the mode that the process gives new directories. */
  void makeDirectory(Name name) throws IOException;

  /**
   * Makes a new file in it, under a name of its own that tells what it is.
   *
   * @param like the file whose mode and owner it gets; where empty or not there, it gets the mode
   *     that the process gives new files
   */
  Temporary temporary(Optional<Name> like) throws IOException;

  /**
   * Makes a new, empty file with this name.
   *
   * @throws java.nio.file.FileAlreadyExistsException where anything has the name
   */
  Temporary create(Name name) throws IOException;

  /**
   * Makes a new file in it, under a name of its own.
   *
   * @param prefix how the name starts, in ASCII
   */
  Temporary temporary(String prefix) throws IOException;

  /** Makes a link in it, under a name of its own that tells what it is, and returns that name. */
  Name temporaryLink(byte[] target) throws IOException;

  /**
   * Adds bytes at the end of a file, at one stroke; the file is made where it is missing.
   *
   * @throws NotAFileException where it is no regular file
   */
  void append(Name name, byte[] content) throws IOException;

  /** Gives an entry another name, over what has that name. */
  void rename(Name from, Name to) throws IOException;

  /**
   * Gives an entry a name in another directory, or another one here, where nothing has it.
   *
   * @throws java.nio.file.FileAlreadyExistsException where something has it
   * @throws OtherFileSystemException where that directory is on another file system
   */
  void move(Name from, OpenDirectory directory, Name to) throws IOException;

  /** Removes an entry that is no directory. */
  void unlink(Name name) throws IOException;

  /** Removes a directory that is empty. */
  void removeDirectory(Name name) throws IOException;

  /**
   * Whether nobody writes a temporary file any more, as far as the system knows: then who made it
   * is gone. Where it knows nothing of it, every one counts as abandoned.
   */
  boolean abandoned(Name temporary) throws IOException;

  /** A pass over its entries. */
  Entries entries() throws IOException;

  /** Waits until its entries are on stable storage. */
  void sync() throws IOException;

  /**
   * Where it is, for what starts programs in it; its descriptor is valid until the use returns.
   *
   * @throws FileSystemException where these handles are none of the system's own
   */
  default <T> T enter(Root.Entering<T> use) throws IOException {
    throw new FileSystemException(
        "the working directory", null, "no program can be started in it on this system");
  }

  @Override
  void close();

  /** A pass over the entries; failures arrive as {@link java.io.UncheckedIOException}. */
  interface Entries extends Iterator<Directory.Entry>, AutoCloseable {
    @Override
    void close();
  }

  /** A new file that is being written. */
  interface Temporary extends AutoCloseable {
    Name name();

    /** Adds all the bytes at its end. */
    void write(byte[] content) throws IOException;

    /** Adds all that remains in the buffer at its end. */
    default void write(ByteBuffer content) throws IOException {
      byte[] bytes = new byte[content.remaining()];
      content.get(bytes);
      write(bytes);
    }

    /** Changes its permission bits, given the ones that it has; nothing where there are none. */
    void mode(IntUnaryOperator change) throws IOException;

    /** Waits until its content is on stable storage. */
    void sync() throws IOException;

    @Override
    void close();
  }

  /** A name can't be given across file systems. */
  final class OtherFileSystemException extends FileSystemException {
    private static final long serialVersionUID = 1L;

    OtherFileSystemException(Name name) {
      super(
          name.toString(),
          null,
          "it would go to another file system; copy it there by a command and delete it here");
    }
  }

  /** What was to be opened as a file is none. */
  final class NotAFileException extends FileSystemException {
    private static final long serialVersionUID = 1L;

    private final FileKind kind;

    NotAFileException(Name name, FileKind kind) {
      super(name.toString(), null, "no regular file");
      this.kind = kind;
    }

    FileKind kind() {
      return kind;
    }
  }

  /** What was to be read as a link is none. */
  final class NotALinkException extends FileSystemException {
    private static final long serialVersionUID = 1L;

    NotALinkException(Name name) {
      super(name.toString(), null, "no link");
    }
  }
}
