package harness.model.http;

import java.util.function.Consumer;

/**
 * Text that comes in pieces: heard as it comes, kept as a whole. A piece may end in half a
 * surrogate pair; that half is heard with the next one, and a half without its other becomes
 * U+FFFD, because neither the store nor the wire could carry it.
 */
final class Speech {
  private static final char REPLACEMENT = '\uFFFD';

  private final Consumer<String> listener;
  private final StringBuilder whole = new StringBuilder();
  private String held = "";

  Speech(Consumer<String> listener) {
    this.listener = listener;
  }

  void add(String piece) {
    String text = held + piece;
    int end = text.length();
    if (end > 0 && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    held = text.substring(end);
    say(wellFormed(text.substring(0, end)));
  }

  /** The whole text, now that no piece follows. */
  String end() {
    say(wellFormed(held));
    held = "";
    return whole.toString();
  }

  private void say(String text) {
    if (!text.isEmpty()) {
      whole.append(text);
      listener.accept(text);
    }
  }

  /** The text with U+FFFD for each half of a surrogate pair that stands alone. */
  static String wellFormed(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int at = 0; at < text.length(); ) {
      int point = text.codePointAt(at);
      boolean half = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
      out.appendCodePoint(half ? REPLACEMENT : point);
      at += Character.charCount(point);
    }
    return out.toString();
  }
}
