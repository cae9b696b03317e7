package harness.tool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An expression as a machine that can be at several places of it at once. It reads one byte after
 * the other and never goes back, so its time is linear; {@link LineScan} runs it and remembers the
 * steps.
 */
final class Automaton {
  /** The most places; longer expressions do without. */
  static final int MAX_PLACES = 8_000;

  /** What a place asks for. */
  enum Kind {
    CHARACTER,
    EITHER,
    EDGE,
    MATCH
  }

  private final List<Kind> kinds = new ArrayList<>();
  private final List<Integer> first = new ArrayList<>();
  private final List<Integer> second = new ArrayList<>();
  private final List<Letters> letters = new ArrayList<>();
  private final Map<Letters, Integer> known = new HashMap<>();

  private Kind[] kind = new Kind[0];
  private int[] next = new int[0];
  private int[] other = new int[0];

  private final int[] classOf = new int[Letters.ASCII];
  private final List<Integer> sample = new ArrayList<>();
  private boolean edges;

  private Automaton() {}

  /** Empty where it would be too large. */
  static Optional<Automaton> of(Syntax syntax) {
    Automaton made = new Automaton();
    if (!made.add(syntax) || made.add(Kind.MATCH, 0, 0) < 0) {
      return Optional.empty();
    }
    made.kind = made.kinds.toArray(new Kind[0]);
    made.next = made.first.stream().mapToInt(Integer::intValue).toArray();
    made.other = made.second.stream().mapToInt(Integer::intValue).toArray();
    made.partition();
    return Optional.of(made);
  }

  int places() {
    return kind.length;
  }

  Kind kind(int place) {
    return kind[place];
  }

  /** Where a place leads that asks for a character or an edge, or one of two. */
  int next(int place) {
    return kind[place] == Kind.EITHER ? next[place] : place + 1;
  }

  /** The other one of two. */
  int other(int place) {
    return other[place];
  }

  /** The edge that a place asks for. */
  Syntax.Edge edge(int place) {
    return Syntax.Edge.values()[next[place]];
  }

  /** Whether it asks for edges at all. */
  boolean edges() {
    return edges;
  }

  /** Whether a place takes an ASCII character. */
  boolean takes(int place, int character) {
    return letters.get(next[place]).has(character);
  }

  /** Whether a place takes the characters outside ASCII. */
  boolean takesBeyond(int place) {
    return letters.get(next[place]).beyond() == Letters.Beyond.ALL;
  }

  /** Whether no place tells characters outside ASCII apart. */
  boolean beyondAlike() {
    return letters.stream().noneMatch(set -> set.beyond() == Letters.Beyond.SOME);
  }

  /** In how many classes ASCII falls, of characters that no place tells apart. */
  int classes() {
    return sample.size();
  }

  int classOf(int character) {
    return classOf[character];
  }

  /** A character of a class. */
  int sample(int classNumber) {
    return sample.get(classNumber);
  }

  static boolean isWord(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }

  private int add(Kind what, int a, int b) {
    if (kinds.size() == MAX_PLACES) {
      return -1;
    }
    kinds.add(what);
    first.add(a);
    second.add(b);
    return kinds.size() - 1;
  }

  private boolean add(Syntax syntax) {
    return switch (syntax) {
      case Syntax.Empty() -> true;
      case Syntax.One(Letters set) -> {
        int number =
            known.computeIfAbsent(
                set,
                added -> {
                  letters.add(added);
                  return letters.size() - 1;
                });
        yield add(Kind.CHARACTER, number, 0) >= 0;
      }
      case Syntax.At(Syntax.Edge edge) -> {
        edges = true;
        yield add(Kind.EDGE, edge.ordinal(), 0) >= 0;
      }
      case Syntax.Sequence(List<Syntax> parts) -> parts.stream().allMatch(this::add);
      case Syntax.Choice(List<Syntax> options) -> addChoice(options);
      case Syntax.Repeat(Syntax what, int least, int most) -> addRepeat(what, least, most);
    };
  }

  private boolean addChoice(List<Syntax> options) {
    List<Integer> ends = new ArrayList<>();
    for (Syntax option : options.subList(0, options.size() - 1)) {
      int split = add(Kind.EITHER, kinds.size() + 1, 0);
      if (split < 0 || !add(option)) {
        return false;
      }
      int end = add(Kind.EITHER, 0, 0);
      if (end < 0) {
        return false;
      }
      ends.add(end);
      second.set(split, kinds.size());
    }
    if (!add(options.getLast())) {
      return false;
    }
    for (int end : ends) {
      first.set(end, kinds.size());
      second.set(end, kinds.size());
    }
    return true;
  }

  private boolean addRepeat(Syntax what, int least, int most) {
    for (int i = 0; i < least; i++) {
      if (!add(what)) {
        return false;
      }
    }
    if (most == Syntax.Repeat.ANY) {
      int split = add(Kind.EITHER, kinds.size() + 1, 0);
      if (split < 0 || !add(what) || add(Kind.EITHER, split, split) < 0) {
        return false;
      }
      second.set(split, kinds.size());
      return true;
    }
    List<Integer> splits = new ArrayList<>();
    for (int i = least; i < most; i++) {
      int split = add(Kind.EITHER, kinds.size() + 1, 0);
      if (split < 0 || !add(what)) {
        return false;
      }
      splits.add(split);
    }
    splits.forEach(split -> second.set(split, kinds.size()));
    return true;
  }

  /** Numbers the classes of characters. */
  private void partition() {
    Map<List<Integer>, Integer> numbers = new HashMap<>();
    for (int c = 0; c < Letters.ASCII; c++) {
      List<Integer> takers = new ArrayList<>();
      takers.add(edges && isWord(c) ? 1 : 0);
      for (int set = 0; set < letters.size(); set++) {
        if (letters.get(set).has(c)) {
          takers.add(set + 2);
        }
      }
      Integer number = numbers.get(takers);
      if (number == null) {
        number = sample.size();
        numbers.put(takers, number);
        sample.add(c);
      }
      classOf[c] = number;
    }
  }

  @Override
  public String toString() {
    return Arrays.toString(kind);
  }
}
