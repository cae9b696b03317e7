package harness.model;

import java.util.List;

/** A whole reply of a model. */
public sealed interface Reply {
  List<Part> parts();

  Usage usage();

  /** The same reply with another account of what it used. */
  default Reply using(Usage other) {
    return switch (this) {
      case Calls calls -> new Calls(calls.parts(), other);
      case Text text -> new Text(text.parts(), other);
      case Cut cut -> new Cut(cut.parts(), other);
    };
  }

  /** It asks for calls: at least one part is a {@link Part.Call}. */
  record Calls(List<Part> parts, Usage usage) implements Reply {
    public Calls {
      parts = List.copyOf(parts);
    }

    public List<Part.Call> calls() {
      return parts.stream().filter(Part.Call.class::isInstance).map(Part.Call.class::cast).toList();
    }
  }

  /** It is done: no part is a call. */
  record Text(List<Part> parts, Usage usage) implements Reply {
    public Text {
      parts = List.copyOf(parts);
    }
  }

  /**
   * It was cut by the length limit: what was said until then. A half-written call is left out, and
   * the whole ones are not to be run.
   */
  record Cut(List<Part> parts, Usage usage) implements Reply {
    public Cut {
      parts = List.copyOf(parts);
    }
  }
}
