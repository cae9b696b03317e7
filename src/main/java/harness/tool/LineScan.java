package harness.tool;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Runs an {@link Automaton} over lines of bytes and remembers each step it has made, so that a step
 * it meets again costs one look into a table. When the table is full it begins anew. For one
 * thread.
 */
final class LineScan {
  /** How large the table and the states behind it grow, in steps and places. */
  static final int MAX_TABLE = 256 * 1024;

  /** So many states there are at least, however large each of them is. */
  static final int LEAST_STATES = 4;

  // What a table says instead of the next state.
  private static final int UNKNOWN = -1;
  private static final int MATCH = -2;
  private static final int CARRIAGE_RETURN = -3;
  private static final int BEYOND = -4;
  private static final int DEAD = -5;

  /** Decides about a line that holds characters which only the engine tells apart. */
  interface Engine {
    /** About the text between two places. */
    boolean matches(byte[] bytes, int from, int to) throws InterruptedException;
  }

  /** What is known of a match that has to begin at one place. */
  enum Verdict {
    MATCHES,
    FAILS,
    /** More would have to be read. */
    OPEN
  }

  private final Automaton automaton;
  private final boolean anchored;
  private final Engine engine;
  private final boolean beyondAlike;
  private final byte[] column = new byte[256];
  private final int stride;
  private final int carriageReturn;
  private final int lineEnd;
  private final int beyond;

  private int[] table = new int[0];
  private int states;
  private int held;
  private final Map<State, Integer> numbers = new HashMap<>();
  private State[] known = new State[0];
  private int start;
  private int startInside;
  private int startAfterWord;
  private boolean always;

  private final int[] stack;
  private final boolean[] reached;
  private int[] places;
  private int placeCount;
  private boolean matched;

  /**
   * @param places where the machine is, before it knows what comes next
   */
  private record State(int[] places, boolean first, boolean afterWord) {
    @Override
    public boolean equals(Object other) {
      return other instanceof State(int[] otherPlaces, boolean otherFirst, boolean otherAfterWord)
          && first == otherFirst
          && afterWord == otherAfterWord
          && Arrays.equals(places, otherPlaces);
    }

    @Override
    public int hashCode() {
      return 4 * Arrays.hashCode(places) + (first ? 2 : 0) + (afterWord ? 1 : 0);
    }
  }

  LineScan(Automaton automaton, Engine engine) {
    this(automaton, false, engine);
  }

  /** One for {@link #at} alone. */
  static LineScan anchored(Automaton automaton) {
    return new LineScan(automaton, true, (bytes, from, to) -> false);
  }

  private LineScan(Automaton automaton, boolean anchored, Engine engine) {
    this.automaton = automaton;
    this.anchored = anchored;
    this.engine = engine;
    this.beyondAlike = automaton.beyondAlike();
    int classes = automaton.classes();
    this.carriageReturn = classes;
    this.lineEnd = classes + 1;
    this.beyond = classes + 2;
    this.stride = classes + 4;
    for (int b = 0; b < column.length; b++) {
      column[b] = (byte) (b < Letters.ASCII ? automaton.classOf(b) : classes + 3);
    }
    column['\r'] = (byte) carriageReturn;
    column['\n'] = (byte) lineEnd;
    this.stack = new int[automaton.places() + 1];
    this.reached = new boolean[automaton.places()];
    this.places = new int[automaton.places()];
    clear();
  }

  /**
   * A place within the first line that matches.
   *
   * @param from where a line begins
   * @param to where one ends
   * @return -1 where none does
   */
  int find(byte[] bytes, int from, int to) throws InterruptedException {
    if (always) {
      return from < to ? from : -1;
    }
    int state = start;
    int[] steps = table;
    int at = from;
    while (at < to) {
      int next = steps[state + column[bytes[at] & 0xFF]];
      if (next >= 0) {
        state = next;
        at++;
        continue;
      }
      int length = 1;
      if (next == UNKNOWN) {
        next = step(state, column[bytes[at] & 0xFF]);
      } else if (next == CARRIAGE_RETURN) {
        boolean ends = at + 1 < to && bytes[at + 1] == '\n';
        next = known(state, ends ? lineEnd : automaton.classOf('\r'));
        length = ends ? 2 : 1;
      } else if (next == BEYOND) {
        if (!beyondAlike) {
          int end = ByteLines.end(bytes, at, to);
          int begin = ByteLines.start(bytes, at, from);
          if (engine.matches(bytes, begin, ByteLines.textEnd(bytes, begin, end, to))) {
            return at;
          }
          at = end + 1;
          state = start;
          continue;
        }
        length = ByteLines.characterLength(bytes, at, to);
        next = known(state, beyond);
      }
      if (next == MATCH) {
        return at;
      }
      steps = table;
      state = next;
      at += length;
    }
    boolean open = from < to && bytes[to - 1] != '\n' && at == to;
    return open && known(state, lineEnd) == MATCH ? to : -1;
  }

  /**
   * Whether a match begins at a place.
   *
   * @param first whether a line begins there
   * @param to where a line ends
   * @param most how many bytes are read at most
   */
  Verdict at(byte[] bytes, int from, boolean first, int to, int most) throws InterruptedException {
    if (always) {
      return Verdict.MATCHES;
    }
    int state = startAt(first, !first && Automaton.isWord(bytes[from - 1]));
    int end = Math.min(to, from + most);
    for (int at = from; at < end; at++) {
      int next = known(state, column[bytes[at] & 0xFF]);
      if (next < 0) {
        return next == MATCH ? Verdict.MATCHES : next == DEAD ? Verdict.FAILS : Verdict.OPEN;
      }
      state = next;
    }
    return Verdict.OPEN;
  }

  private int startAt(boolean first, boolean afterWord) {
    if (first) {
      return start;
    }
    if (!automaton.edges() || !afterWord) {
      return startInside;
    }
    return startAfterWord;
  }

  private int known(int state, int by) throws InterruptedException {
    int next = table[state + by];
    return next == UNKNOWN ? step(state, by) : next;
  }

  private int step(int from, int by) throws InterruptedException {
    Blocks.checkInterrupt();
    State state = known[from / stride];
    boolean ends = by == lineEnd;
    int character = by < automaton.classes() ? automaton.sample(by) : -1;
    boolean word = Automaton.isWord(character);
    begin();
    for (int place : state.places()) {
      reach(place, edge -> holds(edge, state, ends, word));
    }
    int next;
    if (matched) {
      next = MATCH;
    } else if (ends) {
      next = anchored ? DEAD : start;
    } else {
      int count = placeCount;
      int[] before = Arrays.copyOf(places, count);
      begin();
      for (int place : before) {
        if (automaton.kind(place) == Automaton.Kind.CHARACTER
            && (character >= 0
                ? automaton.takes(place, character)
                : automaton.takesBeyond(place))) {
          reach(place + 1, edge -> false);
        }
      }
      if (!anchored) {
        reach(0, edge -> false);
      }
      next = matched ? MATCH : placeCount == 0 ? DEAD : number(false, automaton.edges() && word);
    }
    if (from < states * stride && known[from / stride] == state) {
      table[from + by] = next;
    }
    return next;
  }

  private static boolean holds(Syntax.Edge edge, State before, boolean ends, boolean word) {
    return switch (edge) {
      case START -> before.first();
      case END -> ends;
      case WORD_EDGE -> before.afterWord() != word;
      case NO_WORD_EDGE -> before.afterWord() == word;
    };
  }

  private interface Edges {
    boolean hold(Syntax.Edge edge);
  }

  private void begin() {
    placeCount = 0;
    matched = false;
    Arrays.fill(reached, false);
  }

  /** Goes on from a place to where a character is asked for. */
  private void reach(int from, Edges edges) {
    int depth = 0;
    stack[depth++] = from;
    while (depth > 0) {
      int place = stack[--depth];
      if (reached[place]) {
        continue;
      }
      reached[place] = true;
      switch (automaton.kind(place)) {
        case MATCH -> matched = true;
        case CHARACTER -> places[placeCount++] = place;
        case EITHER -> {
          depth = push(depth, automaton.other(place));
          depth = push(depth, automaton.next(place));
        }
        case EDGE -> {
          if (edges.hold(automaton.edge(place))) {
            depth = push(depth, place + 1);
          } else {
            places[placeCount++] = place;
          }
        }
      }
    }
  }

  private int push(int depth, int place) {
    if (reached[place]) {
      return depth;
    }
    stack[depth] = place;
    return depth + 1;
  }

  /** The number of the state that has been reached, which is where its row begins. */
  private int number(boolean first, boolean afterWord) {
    int[] sorted = Arrays.copyOf(places, placeCount);
    Arrays.sort(sorted);
    State state = new State(sorted, first, afterWord);
    Integer number = numbers.get(state);
    if (number != null) {
      return number;
    }
    if (held + stride + sorted.length > MAX_TABLE && states > LEAST_STATES) {
      clear();
    }
    return add(state);
  }

  private int add(State state) {
    int row = states * stride;
    if (row + stride > table.length) {
      table = Arrays.copyOf(table, Math.max(16 * stride, 2 * table.length));
      known = Arrays.copyOf(known, table.length / stride);
    }
    Arrays.fill(table, row, row + stride, UNKNOWN);
    table[row + carriageReturn] = CARRIAGE_RETURN;
    table[row + stride - 1] = BEYOND;
    known[states++] = state;
    held += stride + state.places().length;
    numbers.put(state, row);
    return row;
  }

  /** How many steps and places it remembers. */
  int held() {
    return held;
  }

  private void clear() {
    numbers.clear();
    // The states themselves would else be held until their rows are used again.
    known = new State[known.length];
    states = 0;
    held = 0;
    begin();
    reach(0, edge -> false);
    always = matched;
    int[] sorted = Arrays.copyOf(places, placeCount);
    Arrays.sort(sorted);
    start = add(new State(sorted, true, false));
    startInside = add(new State(sorted, false, false));
    startAfterWord = add(new State(sorted, false, true));
  }
}
