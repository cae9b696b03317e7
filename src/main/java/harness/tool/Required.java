package harness.tool;

import java.util.List;
import java.util.Optional;

/** Looks in an expression for text that every match of it has in it. */
final class Required {
  /** How often one repeated character is counted. */
  private static final int MAX_COPIES = 16;

  private final StringBuilder run = new StringBuilder();
  private boolean runFolds;
  private String best = "";
  private boolean bestFolds;

  private Required() {}

  /** The text that is thought to be found least often; empty where none is required. */
  static Optional<Literal> of(Syntax syntax) {
    Required required = new Required();
    required.add(syntax);
    required.cut();
    return required.best.isEmpty()
        ? Optional.empty()
        : Optional.of(new Literal(required.best, required.bestFolds));
  }

  /** The text that it is, where it is nothing but text and letters mean their own case. */
  static Optional<String> whole(Syntax syntax) {
    List<Syntax> parts =
        syntax instanceof Syntax.Sequence(List<Syntax> inner) ? inner : List.of(syntax);
    StringBuilder text = new StringBuilder();
    for (Syntax part : parts) {
      if (!(part instanceof Syntax.One(Letters letters)) || !letters.exact()) {
        return Optional.empty();
      }
      text.append((char) letters.single());
    }
    return text.isEmpty() ? Optional.empty() : Optional.of(text.toString());
  }

  private void add(Syntax syntax) {
    switch (syntax) {
      case Syntax.Empty() -> {}
      case Syntax.At(Syntax.Edge edge) -> {}
      case Syntax.One(Letters letters) -> {
        if (letters.single() < 0) {
          cut();
        } else {
          runFolds |= !letters.exact();
          run.append((char) letters.single());
        }
      }
      case Syntax.Sequence(List<Syntax> parts) -> parts.forEach(this::add);
      case Syntax.Choice(List<Syntax> options) -> cut();
      case Syntax.Repeat(Syntax what, int least, int most) -> {
        for (int i = 0; i < Math.min(least, MAX_COPIES); i++) {
          add(what);
        }
        if (least != most || least > MAX_COPIES) {
          cut();
        }
      }
    }
  }

  /** Ends the text that was gathered, because what follows may be anything. */
  private void cut() {
    if (!run.isEmpty() && worth(run) > worth(best)) {
      best = runFolds ? run.toString().toLowerCase(java.util.Locale.ROOT) : run.toString();
      bestFolds = runFolds;
    }
    run.setLength(0);
    runFolds = false;
  }

  private static int worth(CharSequence text) {
    return text.chars().map(c -> 1 + Literal.rarity(c)).sum();
  }
}
