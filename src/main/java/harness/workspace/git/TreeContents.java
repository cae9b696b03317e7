package harness.workspace.git;

import harness.workspace.Name;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;

/**
 * What a commit's tree holds, all of it looked at before any of it is written. A tree comes from
 * whoever serves the repository: one that names what no checkout may have is refused whole.
 *
 * @param files everything that is no directory, in the order of an index
 * @param directories each after the one that it lies in; the top is not among them
 * @param cacheTree the same as an index remembers it
 * @param attributed whether any of it is called {@code .gitattributes}
 */
record TreeContents(
    List<TreeContents.File> files,
    List<byte[]> directories,
    CacheTree cacheTree,
    boolean attributed) {
  /** How many files and directories one checkout has at most. */
  static final int MAX_ENTRIES = 4_000_000;

  /** How deep directories lie in each other at most. */
  static final int MAX_DEPTH = 256;

  /** The longest path, in bytes; the system opens none that is longer. */
  private static final int MAX_PATH_BYTES = 4_000;

  private static final String ATTRIBUTES = ".gitattributes";

  /**
   * A file, a link or the place of a submodule.
   *
   * @param path from the top, with slashes
   * @param directory how much of the path names its directory, without the slash; 0 at the top
   */
  @SuppressWarnings("ArrayRecordComponent")
  record File(byte[] path, int directory, FileMode mode, ObjectId id) {
    Name name() {
      return Name.of(Arrays.copyOfRange(path, directory == 0 ? 0 : directory + 1, path.length));
    }
  }

  /** Reads a tree and all that is in it. */
  static TreeContents read(ObjectReader reader, ObjectId tree)
      throws IOException, InterruptedException {
    Reading reading = new Reading(reader);
    CacheTree cacheTree = reading.tree(tree, new byte[0], 0);
    List<File> files = new ArrayList<>(reading.files);
    files.sort((one, other) -> Arrays.compareUnsigned(one.path, other.path));
    return new TreeContents(files, reading.directories, cacheTree, reading.attributed);
  }

  private static final class Reading {
    private final ObjectReader reader;
    private final List<File> files = new ArrayList<>();
    private final List<byte[]> directories = new ArrayList<>();
    private boolean attributed;

    Reading(ObjectReader reader) {
      this.reader = reader;
    }

    CacheTree tree(ObjectId id, byte[] path, int depth) throws IOException, InterruptedException {
      Interrupts.check();
      byte[] raw = reader.open(id, Constants.OBJ_TREE).getBytes();
      Map<Name, CacheTree> below = new HashMap<>();
      Set<Name> names = new HashSet<>();
      for (int at = 0; at < raw.length; ) {
        int space = end(raw, at, ' ', id);
        int zero = end(raw, space + 1, 0, id);
        int next = zero + 1 + Constants.OBJECT_ID_LENGTH;
        if (next > raw.length) {
          throw damaged(id);
        }
        FileMode mode = mode(Arrays.copyOfRange(raw, at, space), id);
        Name name = Name.of(Arrays.copyOfRange(raw, space + 1, zero));
        byte[] inner = joined(path, name);
        check(name, mode, inner, names.add(name), depth);
        ObjectId entry = ObjectId.fromRaw(raw, zero + 1);
        if (FileMode.TREE.equals(mode)) {
          directories.add(inner);
          below.put(name, tree(entry, inner, depth + 1));
        } else {
          attributed |= name.equals(Name.of(ATTRIBUTES));
          files.add(new File(inner, path.length, mode, entry));
        }
        at = next;
      }
      return new CacheTree(Optional.of(id), below);
    }

    private void check(Name name, FileMode mode, byte[] path, boolean first, int depth)
        throws GitException {
      if (!isName(name, mode)) {
        throw new GitException(
            "the repository has the path "
                + Name.textOf(path)
                + ", which no checkout may have; nothing was checked out");
      }
      if (!first) {
        throw new GitException("the repository has two entries named " + Name.textOf(path));
      }
      if (path.length > MAX_PATH_BYTES || depth == MAX_DEPTH) {
        throw new GitException(
            "the repository has a path of "
                + path.length
                + " bytes in "
                + (depth + 1)
                + " directories; at most "
                + MAX_PATH_BYTES
                + " and "
                + MAX_DEPTH
                + " are checked out");
      }
      if (files.size() + directories.size() == MAX_ENTRIES) {
        throw new GitException(
            "the repository has more than " + MAX_ENTRIES + " files; they are not checked out");
      }
    }

    /** Also by the names under which other systems find git's own, as the git program does. */
    private static boolean isName(Name name, FileMode mode) {
      byte[] bytes = name.bytes();
      boolean link = FileMode.SYMLINK.equals(mode);
      for (byte b : bytes) {
        if (b == '/') {
          return false;
        }
      }
      return bytes.length > 0
          && !name.isDot()
          && !name.isDotDot()
          && !name.isIgnoringCase(".git")
          && !name.isIgnoringCase("git~1")
          && !(link && name.isIgnoringCase(".gitmodules"));
    }

    private static FileMode mode(byte[] octal, ObjectId tree) throws GitException {
      try {
        int bits = Integer.parseInt(new String(octal, StandardCharsets.US_ASCII), 8);
        FileMode mode = FileMode.fromBits(bits);
        if (FileMode.MISSING.equals(mode)) {
          throw damaged(tree);
        }
        return mode;
      } catch (NumberFormatException e) {
        throw damaged(tree);
      }
    }

    private static int end(byte[] raw, int from, int terminator, ObjectId tree)
        throws GitException {
      for (int at = from; at < raw.length; at++) {
        if (raw[at] == terminator) {
          return at;
        }
      }
      throw damaged(tree);
    }

    private static GitException damaged(ObjectId tree) {
      return new GitException("the tree " + tree.name() + " of the repository is damaged");
    }

    private static byte[] joined(byte[] path, Name name) {
      if (path.length == 0) {
        return name.bytes();
      }
      ByteArrayOutputStream joined = new ByteArrayOutputStream();
      joined.writeBytes(path);
      joined.write('/');
      joined.writeBytes(name.bytes());
      return joined.toByteArray();
    }
  }
}
