package harness.workspace.git;

import harness.workspace.Inode;
import harness.workspace.Name;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;

/**
 * Writes an index: the entries of an old one with some of them changed, byte by byte as they were
 * where they are not. Of the extensions it keeps the ids of directories.
 */
final class IndexWriter {
  private static final int SIGNATURE = 0x44495243; // DIRC
  private static final int TREE = 0x54524545;
  private static final int HEADER_BYTES = 12;
  private static final int FLAGS_AT = 60;
  private static final int SIZE_AT = 36;
  private static final int EXTENDED = 0x4000;
  private static final int KEPT_FLAGS = 0xB000;
  private static final int NAME_MASK = 0xFFF;

  private final IndexFile old;
  private final WorktreeFiles files;
  private final StatRules rules;
  private final ByteArrayOutputStream entries = new ByteArrayOutputStream();
  private int count;
  private int version = 2;

  private IndexWriter(Worktree worktree) {
    this.old = worktree.index();
    this.files = worktree.files();
    this.rules = StatRules.of(worktree.repository().getConfig());
  }

  /** The bytes of the index of a worktree, changed. */
  static byte[] bytes(Worktree worktree, IndexEdit edit) throws IOException {
    Optional<CacheTree> tree = worktree.index().cacheTree();
    for (byte[] path : edit.edits().keySet()) {
      tree = tree.map(known -> without(known, path, 0));
    }
    return bytes(worktree, edit, tree);
  }

  /**
   * The bytes of the index of a worktree, unchanged but for the ids of its directories.
   *
   * @param tree those ids
   */
  static byte[] bytes(Worktree worktree, CacheTree tree) throws IOException {
    return bytes(worktree, new IndexEdit(worktree.index()), Optional.of(tree));
  }

  /**
   * The bytes of the index of a worktree, changed.
   *
   * @param tree the ids of its directories then, as far as they are known
   */
  static byte[] bytes(Worktree worktree, IndexEdit edit, Optional<CacheTree> tree)
      throws IOException {
    IndexWriter writer = new IndexWriter(worktree);
    writer.merge(edit);
    byte[] bare = writer.assembled(new byte[0]);
    if (tree.isEmpty()) {
      return bare;
    }
    IndexFile fresh = new IndexParser(bare, "the index").parse(0);
    ByteArrayOutputStream trees = new ByteArrayOutputStream();
    tree(fresh, tree.get(), new byte[0], 0, fresh.size(), 0, trees);
    ByteBuffer extension = ByteBuffer.allocate(8 + trees.size());
    extension.putInt(TREE).putInt(trees.size()).put(trees.toByteArray());
    return writer.assembled(extension.array());
  }

  private void merge(IndexEdit edit) throws IOException {
    Iterator<Map.Entry<byte[], Optional<IndexEdit.Entry>>> edits =
        edit.edits().entrySet().iterator();
    Optional<Map.Entry<byte[], Optional<IndexEdit.Entry>>> next = next(edits);
    for (int at = 0; at < old.size(); at++) {
      byte[] path = old.path(at);
      while (next.isPresent() && Arrays.compareUnsigned(next.get().getKey(), path) < 0) {
        put(next.get());
        next = next(edits);
      }
      boolean edited = next.isPresent() && Arrays.equals(next.get().getKey(), path);
      if (!edited) {
        keep(at, path);
      } else if (at + 1 == old.size() || !old.sharesPath(at + 1, at)) {
        put(next.get());
        next = next(edits);
      }
    }
    while (next.isPresent()) {
      put(next.get());
      next = next(edits);
    }
  }

  private static <T> Optional<T> next(Iterator<T> all) {
    return all.hasNext() ? Optional.of(all.next()) : Optional.empty();
  }

  private void put(Map.Entry<byte[], Optional<IndexEdit.Entry>> edit) {
    if (edit.getValue().isEmpty()) {
      return;
    }
    IndexEdit.Entry entry = edit.getValue().get();
    ByteBuffer head = ByteBuffer.allocate(FLAGS_AT);
    if (entry.inode().isPresent()) {
      Inode inode = entry.inode().get();
      head.putInt((int) inode.changedSecond()).putInt(inode.changedNano());
      head.putInt((int) inode.modifiedSecond()).putInt(inode.modifiedNano());
      head.putInt((int) inode.device()).putInt((int) inode.number());
      head.putInt(SIZE_AT, (int) inode.size());
    }
    head.putInt(24, entry.mode().getBits());
    byte[] id = new byte[Constants.OBJECT_ID_LENGTH];
    entry.id().copyRawTo(id, 0);
    head.position(40).put(id);
    write(head.array(), 0, 0, edit.getKey());
  }

  private void keep(int entry, byte[] path) throws IOException {
    byte[] head = old.head(entry);
    if (isDoubtful(entry, path)) {
      // By the time of the new index it would count as surely unchanged. Without a size it is
      // looked at.
      Arrays.fill(head, SIZE_AT, SIZE_AT + 4, (byte) 0);
    }
    write(head, old.flags(entry) & KEPT_FLAGS, old.extendedFlags(entry), path);
  }

  private boolean isDoubtful(int entry, byte[] path) throws IOException {
    if (!old.changedInTheSecond(entry) || FileMode.GITLINK.equals(old.mode(entry))) {
      return false;
    }
    Optional<Inode> inode = files.inode(path);
    return inode.isEmpty() || !old.looksUnchanged(entry, inode.get(), rules);
  }

  private void write(byte[] head, int flags, int extended, byte[] path) {
    int length = Math.min(path.length, NAME_MASK);
    ByteBuffer tail = ByteBuffer.allocate(extended == 0 ? 2 : 4);
    tail.putShort((short) (flags | length | (extended == 0 ? 0 : EXTENDED)));
    if (extended != 0) {
      tail.putShort((short) extended);
      version = 3;
    }
    entries.writeBytes(head);
    entries.writeBytes(tail.array());
    entries.writeBytes(path);
    int bytes = head.length + tail.capacity() + path.length;
    entries.writeBytes(new byte[8 - bytes % 8]);
    count++;
  }

  private byte[] assembled(byte[] extensions) {
    int length = HEADER_BYTES + entries.size() + extensions.length;
    ByteBuffer all = ByteBuffer.allocate(length + Constants.OBJECT_ID_LENGTH);
    all.putInt(SIGNATURE).putInt(version).putInt(count);
    all.put(entries.toByteArray()).put(extensions);
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-1");
      digest.update(all.array(), 0, length);
      return all.put(digest.digest()).array();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-1", e);
    }
  }

  /** What is remembered once a path below is another. */
  private static CacheTree without(CacheTree tree, byte[] path, int from) {
    int slash = from;
    while (slash < path.length && path[slash] != '/') {
      slash++;
    }
    Name name = Name.of(Arrays.copyOfRange(path, from, slash));
    Map<Name, CacheTree> below = new HashMap<>(tree.below());
    if (slash == path.length) {
      // A file in the place of a directory.
      below.remove(name);
    } else {
      int next = slash + 1;
      below.computeIfPresent(name, (key, inner) -> without(inner, path, next));
    }
    return new CacheTree(Optional.empty(), below);
  }

  /** Writes what is remembered of a directory, which holds a part of the entries. */
  private static void tree(
      IndexFile index,
      CacheTree tree,
      byte[] name,
      int from,
      int to,
      int prefix,
      ByteArrayOutputStream out) {
    ByteArrayOutputStream below = new ByteArrayOutputStream();
    int inner = 0;
    for (int at = from; at < to; ) {
      int end = index.nameEnd(at, prefix);
      if (end == index.pathLength(at)) {
        at = index.endOfPath(at, to);
        continue;
      }
      int next = index.endOfPrefix(at, end + 1, to);
      byte[] child = index.path(at, prefix, end);
      CacheTree known = tree.below().get(Name.of(child));
      if (known != null) {
        tree(index, known, child, at, next, end + 1, below);
        inner++;
      }
      at = next;
    }
    int count = tree.id().isPresent() ? to - from : -1;
    out.writeBytes(name);
    out.write(0);
    out.writeBytes((count + " " + inner + "\n").getBytes(StandardCharsets.US_ASCII));
    tree.id()
        .ifPresent(
            id -> {
              byte[] raw = new byte[Constants.OBJECT_ID_LENGTH];
              id.copyRawTo(raw, 0);
              out.writeBytes(raw);
            });
    out.writeBytes(below.toByteArray());
  }
}
