package harness.tool;

import java.util.List;
import java.util.Optional;

/**
 * What a patch does to one file.
 *
 * @param from the file before; empty where it is new
 * @param to the file afterwards; empty where it is deleted
 * @param copies whether the file before stays where it has another path
 * @param executable whether it is to be run as a program; empty where the patch does not say
 */
record PatchFile(
    Optional<String> from,
    Optional<String> to,
    boolean copies,
    Optional<Boolean> executable,
    List<Hunk> hunks) {
  PatchFile {
    hunks = List.copyOf(hunks);
  }

  /** How it is named in messages. */
  String path() {
    return to.or(() -> from).orElseThrow();
  }

  /** Whether the file before is gone afterwards. */
  boolean removes() {
    return from.isPresent() && !copies && !from.equals(to);
  }
}
