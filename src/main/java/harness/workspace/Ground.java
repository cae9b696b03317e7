package harness.workspace;

import java.util.List;
import java.util.Optional;

/**
 * What paths are walked on.
 *
 * @param way the open directories from the read root down to where relative paths start, that is,
 *     the write root
 * @param prefixes the absolute paths that all name the read root, by their names
 * @param guarded whether git's own files are out of reach
 * @param relative whether what lies in the write root is shown relative to it
 */
record Ground(List<Level> way, List<List<Name>> prefixes, boolean guarded, boolean relative) {
  Ground {
    way = List.copyOf(way);
    prefixes = List.copyOf(prefixes);
  }

  Level top() {
    return way.getFirst();
  }

  Level start() {
    return way.getLast();
  }

  boolean holds(Level level) {
    return way.contains(level);
  }

  /** The names of an absolute path below the read root; empty where it does not lie there. */
  Optional<List<Name>> below(Steps absolute) {
    List<Name> names = absolute.names();
    for (List<Name> prefix : prefixes) {
      if (names.size() >= prefix.size() && names.subList(0, prefix.size()).equals(prefix)) {
        return Optional.of(names.subList(prefix.size(), names.size()));
      }
    }
    return Optional.empty();
  }
}
