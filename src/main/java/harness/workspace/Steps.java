package harness.workspace;

import harness.workspace.PathException.Kind;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A path, taken apart. {@code .} and {@code ..} are names like others here; a path that ends in a
 * slash ends in the name {@code .}, so that what comes before it has to be a directory.
 *
 * @param absolute whether it starts at the top of the file system
 * @param names what is between the slashes
 */
record Steps(boolean absolute, List<Name> names) {
  /** The longest path that is looked at, in bytes: what Linux itself takes. */
  static final int MAX_BYTES = 4095;

  private static final int SHOWN_CHARS = 200;

  Steps {
    names = List.copyOf(names);
  }

  /** Takes a path argument apart; {@link Kind#INVALID} where it is none. */
  static Steps of(String path) throws PathException {
    if (path.isEmpty()) {
      throw new PathException(
          Kind.INVALID, "the path is empty; '.' names the working directory itself");
    }
    try {
      return of(Name.bytesOf(path), path);
    } catch (CharacterCodingException e) {
      throw new PathException(
          Kind.INVALID,
          "'"
              + cut(path)
              + "' is no Unicode text: it has half a surrogate pair; write a byte that"
              + " is no UTF-8 as \\xNN",
          e);
    }
  }

  /** Takes what a link says apart. */
  static Steps ofLink(byte[] target) throws PathException {
    return of(target, Name.textOf(target));
  }

  /**
   * Takes a path apart that has to be absolute and normalised.
   *
   * @param subject what it is called in the message
   */
  static Steps normalised(String subject, String path) throws PathException {
    if (path.isEmpty()) {
      throw new PathException(Kind.INVALID, subject + " is empty; name it from '/' on");
    }
    Steps steps = of(path);
    if (!steps.absolute) {
      throw new PathException(
          Kind.NOT_ABSOLUTE, subject + " '" + cut(path) + "' is not absolute; start it with '/'");
    }
    StringBuilder normal = new StringBuilder();
    for (Name name : steps.names) {
      if (name.isDotDot()) {
        throw notNormal(subject, path, "it has a '..'");
      }
      if (!name.isDot()) {
        normal.append('/').append(name);
      }
    }
    String expected = normal.isEmpty() ? "/" : normal.toString();
    if (!path.equals(expected)) {
      throw notNormal(subject, path, "write it '" + cut(expected) + "'");
    }
    return steps;
  }

  private static PathException notNormal(String subject, String path, String why) {
    return new PathException(
        Kind.NOT_ABSOLUTE, subject + " '" + cut(path) + "' is not normalised; " + why);
  }

  private static Steps of(byte[] bytes, String text) throws PathException {
    if (bytes.length > MAX_BYTES) {
      throw new PathException(
          Kind.INVALID,
          "the path '"
              + cut(text)
              + "' has "
              + bytes.length
              + " bytes; at most "
              + MAX_BYTES
              + " are possible");
    }
    List<Name> names = new ArrayList<>();
    int start = 0;
    for (int i = 0; i <= bytes.length; i++) {
      if (i < bytes.length && bytes[i] == 0) {
        throw new PathException(Kind.INVALID, "'" + cut(text) + "' has a NUL, which no path has");
      }
      if (i == bytes.length || bytes[i] == '/') {
        if (i - start > Name.MAX_BYTES) {
          throw new PathException(
              Kind.INVALID,
              "a name in '"
                  + cut(text)
                  + "' has "
                  + (i - start)
                  + " bytes; at most "
                  + Name.MAX_BYTES
                  + " are possible");
        }
        if (i > start) {
          names.add(Name.of(Arrays.copyOfRange(bytes, start, i)));
        }
        start = i + 1;
      }
    }
    boolean slashed = bytes.length > 0 && bytes[bytes.length - 1] == '/';
    if (slashed && !names.isEmpty()) {
      names.add(Name.of("."));
    }
    return new Steps(bytes.length > 0 && bytes[0] == '/', names);
  }

  /** A text that may be long or have control characters, as a message shows it. */
  static String cut(String text) {
    int end = Math.min(text.length(), SHOWN_CHARS);
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) || Character.isSurrogate(c) && !paired(text, i, end)) {
        shown.append(String.format(c < 0x100 ? "\\x%02X" : "\\u%04X", (int) c));
      } else {
        shown.append(c);
      }
    }
    return end == text.length() ? shown.toString() : shown + "...";
  }

  private static boolean paired(String text, int at, int end) {
    return Character.isHighSurrogate(text.charAt(at))
        ? at + 1 < end && Character.isLowSurrogate(text.charAt(at + 1))
        : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
  }
}
