package harness.workspace.command;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * What programs write for a terminal, as plain lines of UTF-8: of a line that was written over by
 * carriage returns the last state is kept, escape sequences are left out, backspaces rub out, and
 * every other byte that is no text is written {@code \xNN}. It holds one line at most.
 */
final class TerminalText {
  /** A longer line is handed on in pieces; then only its last piece can still be written over. */
  static final int LINE_BYTES = 16 * 1024;

  /** A sequence longer than this is none. */
  private static final int SEQUENCE_BYTES = 4 * 1024;

  private static final int ESCAPE = 0x1B;
  private static final int BELL = 0x07;
  private static final int BACKSPACE = 0x08;
  private static final int SHIFT_OUT = 0x0E;
  private static final int SHIFT_IN = 0x0F;
  private static final int DELETE = 0x7F;

  /** Where text goes; the bytes are whole characters. */
  interface Sink<E extends Exception> {
    void text(byte[] bytes, int length) throws E;
  }

  private enum In {
    TEXT,
    ESCAPED,
    ONE_MORE,
    CONTROL,
    STRING
  }

  private final byte[] line = new byte[LINE_BYTES];
  private int length;
  private boolean returned;
  private boolean begun;
  private In in = In.TEXT;
  private int sequence;
  private final byte[] character = new byte[4];
  private int have;
  private int want;

  /** Takes the bytes from one place to before another and hands on every line that they end. */
  <E extends Exception> void take(byte[] bytes, int from, int to, Sink<E> sink) throws E {
    for (int i = from; i < to; i++) {
      take(bytes[i] & 0xFF, sink);
    }
  }

  /** Hands on what there is of a line; what follows then stands behind it. */
  <E extends Exception> void flush(Sink<E> sink) throws E {
    if (length > 0) {
      emit(sink);
      begun = true;
    }
  }

  /** Hands on all: nothing follows. */
  <E extends Exception> void end(Sink<E> sink) throws E {
    broken(sink);
    flush(sink);
  }

  private <E extends Exception> void take(int b, Sink<E> sink) throws E {
    switch (in) {
      case TEXT -> text(b, sink);
      case ESCAPED -> {
        sequence = 0;
        in =
            switch (b) {
              case '[' -> In.CONTROL;
              case ']', 'P', 'X', '^', '_' -> In.STRING;
              case ' ', '#', '%', '(', ')', '*', '+' -> In.ONE_MORE;
              default -> In.TEXT;
            };
        if (b < ' ') {
          text(b, sink);
        }
      }
      case ONE_MORE -> in = In.TEXT;
      case CONTROL -> {
        if (b < ' ' || b >= DELETE || ++sequence > SEQUENCE_BYTES) {
          in = In.TEXT;
          text(b, sink);
        } else if (b >= '@') {
          in = In.TEXT;
        }
      }
      case STRING -> {
        if (b == ESCAPE) {
          in = In.ESCAPED;
        } else if (b == BELL || ++sequence > SEQUENCE_BYTES) {
          in = In.TEXT;
        }
      }
    }
  }

  private <E extends Exception> void text(int b, Sink<E> sink) throws E {
    if (want > 0) {
      if (continues(b)) {
        character[have++] = (byte) b;
        if (have == want) {
          want = 0;
          put(character, have, sink);
          have = 0;
        }
        return;
      }
      broken(sink);
    }
    switch (b) {
      case '\n' -> newLine(sink);
      case '\r' -> returned = true;
      case ESCAPE -> in = In.ESCAPED;
      case BACKSPACE -> rubOut();
      case BELL, SHIFT_IN, SHIFT_OUT -> {}
      default -> {
        want = b < 0x80 ? 1 : b < 0xC2 ? 0 : b < 0xE0 ? 2 : b < 0xF0 ? 3 : b < 0xF5 ? 4 : 0;
        if (want < 2) {
          boolean shown = want == 1 && (b >= ' ' || b == '\t') && b != DELETE;
          want = 0;
          put(shown ? new byte[] {(byte) b} : escaped(b), shown ? 1 : 4, sink);
        } else {
          character[0] = (byte) b;
          have = 1;
        }
      }
    }
  }

  /** Whether the byte goes on with the character: none too long, no half of a pair, none beyond. */
  private boolean continues(int b) {
    int first = character[0] & 0xFF;
    int least = have > 1 ? 0x80 : first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    int most = have > 1 ? 0xBF : first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    return b >= least && b <= most;
  }

  /** What was begun of a character is none. */
  private <E extends Exception> void broken(Sink<E> sink) throws E {
    want = 0;
    for (int i = 0; i < have; i++) {
      put(escaped(character[i] & 0xFF), 4, sink);
    }
    have = 0;
  }

  private static byte[] escaped(int b) {
    return ("\\x" + HexFormat.of().withUpperCase().toHexDigits((byte) b))
        .getBytes(StandardCharsets.US_ASCII);
  }

  private <E extends Exception> void put(byte[] bytes, int count, Sink<E> sink) throws E {
    if (returned) {
      returned = false;
      length = 0;
      if (begun) {
        newLine(sink);
      }
    }
    if (length + count >= LINE_BYTES) {
      flush(sink);
    }
    System.arraycopy(bytes, 0, line, length, count);
    length += count;
  }

  private <E extends Exception> void newLine(Sink<E> sink) throws E {
    returned = false;
    begun = false;
    line[length++] = '\n';
    emit(sink);
  }

  private <E extends Exception> void emit(Sink<E> sink) throws E {
    int all = length;
    length = 0;
    sink.text(line, all);
  }

  private void rubOut() {
    while (length > 0 && (line[--length] & 0xC0) == 0x80) {
      // Goes on to the first byte of the character.
    }
  }
}
