package harness.tool;

import java.util.List;

/** The form of an expression: what a search makes its short cuts from. */
sealed interface Syntax {
  /** Nothing. */
  record Empty() implements Syntax {}

  /** One character. */
  record One(Letters letters) implements Syntax {}

  /** One after the other. */
  record Sequence(List<Syntax> parts) implements Syntax {
    public Sequence {
      parts = List.copyOf(parts);
    }
  }

  /** One of several. */
  record Choice(List<Syntax> options) implements Syntax {
    public Choice {
      options = List.copyOf(options);
    }
  }

  /**
   * Several times.
   *
   * @param most {@link #ANY} for no bound
   */
  record Repeat(Syntax what, int least, int most) implements Syntax {
    static final int ANY = -1;
  }

  /** Between two characters, where something holds. */
  record At(Edge edge) implements Syntax {}

  /** What holds between two characters. */
  enum Edge {
    START,
    END,
    WORD_EDGE,
    NO_WORD_EDGE
  }

  /** A text that means itself. */
  static Syntax literal(String text, boolean anyCase) {
    return new Sequence(
        text.codePoints()
            .<Syntax>mapToObj(c -> new One(anyCase ? Letters.ofAnyCase(c) : Letters.of(c)))
            .toList());
  }
}
