package harness.workspace;

import java.util.ArrayList;
import java.util.List;

/**
 * A path below the write root taken by its letters, as git takes one: {@code .} and {@code ..} are
 * worked out before anything is looked at, and no name on the way may turn out to be a link.
 *
 * @param names from the write root on; none for the write root itself
 */
record Literal(List<Name> names) {
  Literal {
    names = List.copyOf(names);
  }

  /**
   * Reads a path argument.
   *
   * @param cwdGiven the write root as it was given, which may lead through links
   * @throws PathException where it leaves the write root or names git's own
   */
  static Literal of(Ground ground, String cwdGiven, Wording wording, String path)
      throws PathException {
    List<Name> real = ground.way().stream().skip(1).map(Level::name).toList();
    List<Name> given = ground.below(Steps.of(cwdGiven)).orElse(real);
    Steps steps = Steps.of(path);
    List<Name> names = new ArrayList<>();
    if (!steps.absolute()) {
      names.addAll(real);
    }
    List<Name> rest =
        steps.absolute()
            ? ground.below(steps).orElseThrow(() -> wording.outsideWrite(false))
            : steps.names();
    for (Name name : rest) {
      if (name.isDotDot()) {
        if (names.isEmpty()) {
          throw wording.outsideWrite(false);
        }
        names.removeLast();
      } else if (!name.isDot()) {
        names.add(name);
      }
    }
    Literal literal = new Literal(below(names, real, given, wording));
    for (Name name : literal.names) {
      if (GitOwn.isNamed(name)) {
        throw wording.gitOwn(name.toString());
      }
    }
    if (literal.names.size() > Walk.MAX_DEPTH) {
      throw wording.tooDeep(Walk.MAX_DEPTH);
    }
    return literal;
  }

  private static List<Name> below(
      List<Name> names, List<Name> real, List<Name> given, Wording wording) throws PathException {
    for (List<Name> root : List.of(real, given)) {
      if (names.size() >= root.size() && names.subList(0, root.size()).equals(root)) {
        return names.subList(root.size(), names.size());
      }
    }
    throw wording.outsideWrite(false);
  }

  @Override
  public String toString() {
    return names.isEmpty() ? "." : String.join("/", names.stream().map(Name::toString).toList());
  }
}
