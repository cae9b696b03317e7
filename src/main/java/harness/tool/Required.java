package harness.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Looks in an expression for texts of which every match has one in it. */
final class Required {
  /** How many texts are looked for at once. */
  static final int MAX_TEXTS = 6;

  /** How often one repeated character is counted. */
  private static final int MAX_COPIES = 16;

  /** What one text more has to be worth. */
  private static final int TEXT_WORTH = 20;

  private final StringBuilder run = new StringBuilder();
  private boolean runFolds;
  private List<Text> best = List.of();

  /**
   * A text.
   *
   * @param anyCase whether its letters may be of the other case; it is lower case then
   */
  private record Text(String text, boolean anyCase) {}

  private Required() {}

  /** The texts that are thought to be found least often; none where none is required. */
  static List<Literal> of(Syntax syntax) {
    return texts(syntax).stream().map(text -> new Literal(text.text(), text.anyCase())).toList();
  }

  private static List<Text> texts(Syntax syntax) {
    Required required = new Required();
    required.add(syntax);
    required.cut();
    return required.best;
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
      case Syntax.Choice(List<Syntax> options) -> {
        cut();
        offer(ofEach(options));
      }
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

  /** The texts of all options; none where one option has none. */
  private static List<Text> ofEach(List<Syntax> options) {
    List<Text> all = new ArrayList<>();
    for (Syntax option : options) {
      List<Text> own = texts(option);
      if (own.isEmpty() || all.size() + own.size() > MAX_TEXTS) {
        return List.of();
      }
      all.addAll(own);
    }
    return all;
  }

  /** Ends the text that was gathered, because what follows may be anything. */
  private void cut() {
    if (!run.isEmpty()) {
      String text = run.toString();
      offer(List.of(new Text(runFolds ? text.toLowerCase(Locale.ROOT) : text, runFolds)));
    }
    run.setLength(0);
    runFolds = false;
  }

  private void offer(List<Text> texts) {
    if (worth(texts) > worth(best)) {
      best = List.copyOf(texts);
    }
  }

  private static int worth(List<Text> texts) {
    return texts.stream().mapToInt(text -> worth(text.text())).min().orElse(0)
        - TEXT_WORTH * Math.max(0, texts.size() - 1);
  }

  private static int worth(String text) {
    return text.chars().map(c -> 1 + Literal.rarity(c)).sum();
  }
}
