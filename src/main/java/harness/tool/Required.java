package harness.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Looks in an expression for texts of which every match has one in it. */
final class Required {
  /** How many texts are looked for at once. */
  static final int MAX_TEXTS = 6;

  /** How long a text is made. */
  private static final int MAX_CHARS = 64;

  /** What one text more has to be worth. */
  private static final int TEXT_WORTH = 20;

  /** What it is worth that the match begins with the text. */
  private static final int BEGINNING_WORTH = 60;

  /**
   * Texts of which every match has one in it.
   *
   * @param texts the fewer the better; none where none is required
   * @param beginning whether each match begins with one
   */
  record Found(List<Literal> texts, boolean beginning) {
    static final Found NOTHING = new Found(List.of(), false);
  }

  /** Some texts, and whether letters of the other case are as good; they are lower case then. */
  private record Texts(List<String> texts, boolean anyCase) {
    static final Texts NONE = new Texts(List.of(), false);
    static final Texts EMPTY = new Texts(List.of(""), false);

    /** Each of these followed by each of those; {@link #NONE} where that is too much. */
    Texts followedBy(Texts those) {
      if (texts.size() * those.texts.size() > MAX_TEXTS) {
        return NONE;
      }
      List<String> all = new ArrayList<>();
      for (String text : texts) {
        for (String next : those.texts) {
          if (text.length() + next.length() > MAX_CHARS) {
            return NONE;
          }
          all.add(text + next);
        }
      }
      return new Texts(all, anyCase || those.anyCase);
    }

    /** These and those. */
    Texts or(Texts those) {
      if (texts.size() + those.texts.size() > MAX_TEXTS) {
        return NONE;
      }
      List<String> all = new ArrayList<>(texts);
      all.addAll(those.texts);
      return new Texts(all, anyCase || those.anyCase);
    }

    int worth() {
      return texts.stream().mapToInt(Texts::worth).min().orElse(0)
          - TEXT_WORTH * Math.max(0, texts.size() - 1);
    }

    private static int worth(String text) {
      return text.chars().map(c -> 1 + Literal.rarity(c)).sum();
    }

    List<Literal> literals() {
      return texts.stream()
          .map(text -> new Literal(anyCase ? text.toLowerCase(Locale.ROOT) : text, anyCase))
          .toList();
    }
  }

  private Texts run = Texts.EMPTY;
  private Texts best = Texts.NONE;
  private boolean bestBegins;
  private boolean begins = true;

  private Required() {}

  /** The texts that are thought to be found least often. */
  static Found of(Syntax syntax) {
    Required required = best(syntax);
    return new Found(required.best.literals(), required.bestBegins);
  }

  /** The texts that it stands for, where it is nothing but text in letters of their own case. */
  static Optional<List<Literal>> whole(Syntax syntax) {
    Texts exact = exact(syntax);
    boolean found =
        !exact.texts().isEmpty()
            && !exact.anyCase()
            && exact.texts().stream().noneMatch(text -> text.isEmpty() || text.indexOf('\r') >= 0);
    return found ? Optional.of(exact.literals()) : Optional.empty();
  }

  private static Required best(Syntax syntax) {
    Required required = new Required();
    required.add(syntax);
    required.cut();
    return required;
  }

  /** All that it can match, where that is not too much; else {@link Texts#NONE}. */
  private static Texts exact(Syntax syntax) {
    return switch (syntax) {
      case Syntax.Empty() -> Texts.EMPTY;
      case Syntax.At(Syntax.Edge edge) -> Texts.NONE;
      case Syntax.One(Letters letters) -> exact(letters);
      case Syntax.Sequence(List<Syntax> parts) -> {
        Texts all = Texts.EMPTY;
        for (Syntax part : parts) {
          all = all.followedBy(exact(part));
        }
        yield all;
      }
      case Syntax.Choice(List<Syntax> options) -> ofEach(options, true);
      case Syntax.Repeat(Syntax what, int least, int most) -> {
        Texts once = exact(what);
        Texts all = least == 0 ? Texts.EMPTY : once;
        for (int i = 1; i < least; i++) {
          all = all.followedBy(once);
        }
        yield least == most
            ? all
            : least == 0 && most == 1 && !once.texts().isEmpty()
                ? once.or(Texts.EMPTY)
                : Texts.NONE;
      }
    };
  }

  private static Texts exact(Letters letters) {
    if (letters.single() >= 0) {
      return new Texts(List.of(String.valueOf((char) letters.single())), !letters.exact());
    }
    List<String> all = new ArrayList<>();
    for (int c = 0; c < Letters.ASCII && letters.beyond() == Letters.Beyond.NONE; c++) {
      if (letters.has(c) && all.size() <= MAX_TEXTS) {
        all.add(String.valueOf((char) c));
      }
    }
    return all.size() > MAX_TEXTS ? Texts.NONE : new Texts(all, false);
  }

  private void add(Syntax syntax) {
    if (syntax instanceof Syntax.At) {
      return;
    }
    Texts longer = run.followedBy(exact(syntax));
    if (!longer.texts().isEmpty()) {
      run = longer;
      return;
    }
    switch (syntax) {
      case Syntax.Sequence(List<Syntax> parts) -> parts.forEach(this::add);
      case Syntax.Choice(List<Syntax> options) -> {
        cut();
        offer(ofEach(options, false));
      }
      case Syntax.Repeat(Syntax what, int least, int most) -> {
        if (least > 0) {
          add(what);
        }
        cut();
      }
      case Syntax.One(Letters letters) -> {
        cut();
        // It may be the beginning of the next run, whose length is bounded.
        Texts first = exact(letters);
        run = first.texts().isEmpty() ? run : first;
      }
      case Syntax.Empty() -> {}
      case Syntax.At(Syntax.Edge edge) -> {}
    }
  }

  /** The texts of all options; none where one option has none. */
  private static Texts ofEach(List<Syntax> options, boolean exactly) {
    Texts all = Texts.NONE;
    for (Syntax option : options) {
      Texts own = exactly ? exact(option) : best(option).best;
      all = own.texts().isEmpty() ? Texts.NONE : all.or(own);
      if (all.texts().isEmpty()) {
        return Texts.NONE;
      }
    }
    return all;
  }

  /** Ends the texts that were gathered, because what follows may be anything. */
  private void cut() {
    if (run.texts().stream().noneMatch(String::isEmpty)) {
      offer(run);
    }
    run = Texts.EMPTY;
    begins = false;
  }

  private void offer(Texts texts) {
    int worth = texts.worth() + (begins ? BEGINNING_WORTH : 0);
    if (!texts.texts().isEmpty() && worth > best.worth() + (bestBegins ? BEGINNING_WORTH : 0)) {
      best = texts;
      bestBegins = begins;
    }
  }
}
