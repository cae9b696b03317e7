package harness.tool;

import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the form of an expression that the engine has accepted. What a class of characters means is
 * the engine's word; where this reader does not know a form it says so, and the search does without
 * short cuts.
 */
final class SyntaxReader {
  private static final int MAX_DEPTH = 100;
  private static final int MAX_REPEAT = 1_000;

  private final String text;
  private int at;
  private int depth;
  private boolean anyCase;

  private SyntaxReader(String text, boolean anyCase) {
    this.text = text;
    this.anyCase = anyCase;
  }

  /** A form that this reader does not know. */
  private static final class Unknown extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /** Empty where a part of it is not known. */
  static Optional<Syntax> read(String expression, boolean anyCase) {
    try {
      SyntaxReader reader = new SyntaxReader(expression, anyCase);
      Syntax all = reader.choice();
      return reader.at == expression.length() ? Optional.of(all) : Optional.empty();
    } catch (Unknown | PatternSyntaxException e) {
      return Optional.empty();
    }
  }

  private Syntax choice() throws Unknown {
    if (++depth > MAX_DEPTH) {
      throw new Unknown();
    }
    List<Syntax> options = new ArrayList<>();
    do {
      options.add(sequence());
    } while (taken("|"));
    depth--;
    return options.size() == 1 ? options.getFirst() : new Syntax.Choice(options);
  }

  private Syntax sequence() throws Unknown {
    List<Syntax> parts = new ArrayList<>();
    while (at < text.length() && text.charAt(at) != '|' && text.charAt(at) != ')') {
      if (taken("\\Q")) {
        quoted(parts);
      } else {
        parts.add(item());
      }
      repeats(parts);
    }
    return parts.size() == 1 ? parts.getFirst() : new Syntax.Sequence(parts);
  }

  private void quoted(List<Syntax> parts) {
    int end = text.indexOf("\\E", at);
    String literal = text.substring(at, end < 0 ? text.length() : end);
    parts.addAll(((Syntax.Sequence) Syntax.literal(literal, anyCase)).parts());
    at = end < 0 ? text.length() : end + 2;
  }

  private Syntax item() throws Unknown {
    char c = text.charAt(at++);
    return switch (c) {
      case '(' -> group();
      case '[' -> charClass();
      case '.' -> new Syntax.One(new Letters(~(1L << '\n'), -1, Letters.Beyond.ALL));
      case '^' -> new Syntax.At(Syntax.Edge.START);
      case '$' -> new Syntax.At(Syntax.Edge.END);
      case '\\' -> escape();
      case '*', '+', '?' -> throw new Unknown();
      default -> {
        at--;
        int codePoint = text.codePointAt(at);
        at += Character.charCount(codePoint);
        yield character(codePoint);
      }
    };
  }

  private Syntax character(int codePoint) {
    return new Syntax.One(anyCase ? Letters.ofAnyCase(codePoint) : Letters.of(codePoint));
  }

  private Syntax group() throws Unknown {
    boolean outer = anyCase;
    if (taken("?P<") || taken("?<")) {
      at = text.indexOf('>', at) + 1;
    } else if (taken("?")) {
      flags();
      if (taken(")")) {
        return new Syntax.Empty();
      }
      at++;
    }
    Syntax inner = choice();
    if (!taken(")")) {
      throw new Unknown();
    }
    anyCase = outer;
    return inner;
  }

  /** Whether a dot takes line ends and where lines begin does not matter within one line. */
  private void flags() throws Unknown {
    boolean on = true;
    for (; at < text.length() && ":)".indexOf(text.charAt(at)) < 0; at++) {
      switch (text.charAt(at)) {
        case '-' -> on = false;
        case 'i' -> anyCase = on;
        case 's', 'm', 'U' -> {}
        default -> throw new Unknown();
      }
    }
  }

  private Syntax charClass() throws Unknown {
    int start = at - 1;
    boolean negated = taken("^");
    boolean plain = true;
    int first = at;
    while (at < text.length() && (at == first || text.charAt(at) != ']')) {
      char c = text.charAt(at);
      if (c == '\\' && at + 1 < text.length()) {
        at++;
        plain &= "dws\\.[]()*+?{}|^$/-\"'tn".indexOf(text.charAt(at)) >= 0;
      } else if (text.startsWith("[:", at) && text.indexOf(":]", at + 2) > 0) {
        plain &= text.charAt(at + 2) != '^';
        at = text.indexOf(":]", at + 2) + 1;
      }
      plain &= text.charAt(at) < Letters.ASCII;
      at++;
    }
    if (!taken("]")) {
      throw new Unknown();
    }
    Letters.Beyond beyond =
        !plain ? Letters.Beyond.SOME : negated ? Letters.Beyond.ALL : Letters.Beyond.NONE;
    return new Syntax.One(Letters.asked(text.substring(start, at), anyCase, beyond));
  }

  private Syntax escape() throws Unknown {
    if (at == text.length()) {
      throw new Unknown();
    }
    char c = text.charAt(at++);
    return switch (c) {
      case 'A' -> new Syntax.At(Syntax.Edge.START);
      case 'z' -> new Syntax.At(Syntax.Edge.END);
      case 'b' -> new Syntax.At(Syntax.Edge.WORD_EDGE);
      case 'B' -> new Syntax.At(Syntax.Edge.NO_WORD_EDGE);
      case 'd', 's', 'w' -> asked("\\" + c, Letters.Beyond.NONE);
      case 'D', 'S', 'W' -> asked("\\" + c, Letters.Beyond.ALL);
      case 'p', 'P' -> {
        int start = at - 2;
        int end = text.startsWith("{", at) ? text.indexOf('}', at) : at;
        at = end + 1;
        yield asked(text.substring(start, at), Letters.Beyond.SOME);
      }
      case 'a', 'f', 'n', 'r', 't', 'v' -> asked("\\" + c, Letters.Beyond.NONE);
      default -> {
        if (c >= Letters.ASCII || Character.isLetterOrDigit(c)) {
          throw new Unknown();
        }
        yield character(c);
      }
    };
  }

  private Syntax asked(String charClass, Letters.Beyond beyond) {
    return new Syntax.One(Letters.asked(charClass, anyCase, beyond));
  }

  private void repeats(List<Syntax> parts) throws Unknown {
    while (at < text.length()) {
      int least;
      int most;
      int start = at;
      switch (text.charAt(at++)) {
        case '*' -> {
          least = 0;
          most = Syntax.Repeat.ANY;
        }
        case '+' -> {
          least = 1;
          most = Syntax.Repeat.ANY;
        }
        case '?' -> {
          least = 0;
          most = 1;
        }
        case '{' -> {
          least = number();
          most = least;
          if (least >= 0 && taken(",")) {
            most = text.startsWith("}", at) ? Syntax.Repeat.ANY : number();
          }
          if (least < 0 || (most < 0 && !text.startsWith("}", at)) || !taken("}")) {
            // Then it is a character like any other.
            at = start;
            if (parts.isEmpty()) {
              throw new Unknown();
            }
            at++;
            parts.add(character('{'));
            continue;
          }
        }
        default -> {
          at--;
          return;
        }
      }
      // Behind flags it is what stands before them that is repeated.
      if (parts.isEmpty()
          || parts.getLast() instanceof Syntax.Empty
          || least > MAX_REPEAT
          || most > MAX_REPEAT) {
        throw new Unknown();
      }
      taken("?");
      parts.add(new Syntax.Repeat(parts.removeLast(), least, most));
    }
  }

  /** A number of at most four digits; -1 where there is none. */
  private int number() throws Unknown {
    int start = at;
    while (at < text.length() && at - start < 4 && "0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    if (at - start > 1 && text.charAt(start) == '0') {
      throw new Unknown();
    }
    return at == start ? -1 : Integer.parseInt(text.substring(start, at));
  }

  private boolean taken(String what) {
    boolean here = text.startsWith(what, at);
    at += here ? what.length() : 0;
    return here;
  }
}
