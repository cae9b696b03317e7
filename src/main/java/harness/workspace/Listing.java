package harness.workspace;

import java.util.List;

/** The entries of a directory at one time. */
public interface Listing {
  /**
   * An entry.
   *
   * @param name its name
   * @param kind what it is, {@link FileKind#OTHER} where only {@link OpenDirectory#inode} tells
   */
  record Entry(Name name, FileKind kind) {}

  /** How many there are, without {@code .} and {@code ..}. */
  int count();

  /** All of them, in the order of the system. */
  List<Entry> entries();

  /** One that is known already. */
  static Listing of(List<Entry> known) {
    List<Entry> entries = List.copyOf(known);
    return new Listing() {
      @Override
      public int count() {
        return entries.size();
      }

      @Override
      public List<Entry> entries() {
        return entries;
      }
    };
  }
}
