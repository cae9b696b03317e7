package harness.workspace;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * One segment of a path, as the bytes that the system has. As text it is UTF-8 in which a byte that
 * is none is written {@code \xNN}, and a backslash that would be read as the start of such a form
 * is written {@code \x5C}; so every name has a text, and that text names it alone.
 */
public final class Name {
  /** The longest name that a file system here takes, in bytes. */
  public static final int MAX_BYTES = 255;

  private static final int ESCAPE_LENGTH = 4;

  private final byte[] bytes;

  private Name(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The name with these bytes, which nobody may change afterwards. */
  public static Name of(byte[] bytes) {
    return new Name(bytes);
  }

  /** A name of ASCII letters, as a constant in the code. */
  public static Name of(String ascii) {
    return new Name(ascii.getBytes(StandardCharsets.US_ASCII));
  }

  /** Its bytes; not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  public boolean isDot() {
    return bytes.length == 1 && bytes[0] == '.';
  }

  public boolean isDotDot() {
    return bytes.length == 2 && bytes[0] == '.' && bytes[1] == '.';
  }

  /** Whether it is this ASCII word, whatever the case of its letters. */
  public boolean isIgnoringCase(String lowerCaseAscii) {
    if (bytes.length != lowerCaseAscii.length()) {
      return false;
    }
    for (int i = 0; i < bytes.length; i++) {
      int lower = bytes[i] >= 'A' && bytes[i] <= 'Z' ? bytes[i] + ('a' - 'A') : bytes[i];
      if (lower != lowerCaseAscii.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * The bytes that a text stands for.
   *
   * @throws CharacterCodingException where it has half a surrogate pair
   */
  public static byte[] bytesOf(String text) throws CharacterCodingException {
    ByteBuffer encoded =
        StandardCharsets.UTF_8
            .newEncoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .encode(CharBuffer.wrap(text));
    byte[] raw = new byte[encoded.remaining()];
    encoded.get(raw);
    if (text.indexOf('\\') < 0) {
      return raw;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(raw.length);
    for (int i = 0; i < raw.length; i++) {
      int value = escaped(raw, i);
      // Only what the text form itself writes is read back: no escape stands for '/', '.' or NUL.
      if (value >= 0x80 || value == '\\') {
        out.write(value);
        i += ESCAPE_LENGTH - 1;
      } else {
        out.write(raw[i]);
      }
    }
    return out.toByteArray();
  }

  /** The text of bytes, for a name or for a whole path. */
  public static String textOf(byte[] bytes) {
    if (isPlain(bytes)) {
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }
    StringBuilder text = new StringBuilder(bytes.length);
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(escapeBackslashes(bytes));
    CharBuffer out = CharBuffer.allocate(in.remaining() + 1);
    while (true) {
      CoderResult result = decoder.decode(in, out, true);
      out.flip();
      text.append(out);
      out.clear();
      if (!result.isError()) {
        return text.toString();
      }
      for (int i = 0; i < result.length(); i++) {
        text.append("\\x").append(HexFormat.of().withUpperCase().toHexDigits(in.get()));
      }
      decoder.reset();
    }
  }

  private static boolean isPlain(byte[] bytes) {
    for (byte b : bytes) {
      if (b < 0 || b == '\\') {
        return false;
      }
    }
    return true;
  }

  private static byte[] escapeBackslashes(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      if (escaped(bytes, i) >= 0) {
        out.writeBytes("\\x5C".getBytes(StandardCharsets.US_ASCII));
      } else {
        out.write(bytes[i]);
      }
    }
    return out.toByteArray();
  }

  /** The value of a {@code \xNN} that starts at a place; -1 where none does. */
  private static int escaped(byte[] bytes, int at) {
    if (at + ESCAPE_LENGTH > bytes.length || bytes[at] != '\\' || bytes[at + 1] != 'x') {
      return -1;
    }
    int high = Character.digit(bytes[at + 2], 16);
    int low = Character.digit(bytes[at + 3], 16);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Name name && Arrays.equals(bytes, name.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return textOf(bytes);
  }
}
