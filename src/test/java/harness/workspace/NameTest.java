package harness.workspace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import harness.Seed;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NameTest {
  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  @Test
  void textIsItself() throws CharacterCodingException {
    for (String text :
        new String[] {"plain", "größe", "日本", "😀", "a\\b", "\\", "\\x", "\\xg0", "\\x4"}) {
      assertEquals(text, Name.textOf(text.getBytes(StandardCharsets.UTF_8)));
      assertArrayEquals(text.getBytes(StandardCharsets.UTF_8), Name.bytesOf(text));
    }
  }

  @Test
  void aByteThatIsNoUtf8IsEscaped() throws CharacterCodingException {
    assertEquals("caf\\xE9", Name.textOf(bytes('c', 'a', 'f', 0xE9)));
    assertArrayEquals(bytes('c', 'a', 'f', 0xE9), Name.bytesOf("caf\\xE9"));
    assertArrayEquals(bytes('c', 'a', 'f', 0xE9), Name.bytesOf("caf\\xe9"));
    // A surrogate and an overlong slash are no UTF-8.
    assertEquals("\\xED\\xA0\\x80", Name.textOf(bytes(0xED, 0xA0, 0x80)));
    assertEquals("\\xC0\\xAF", Name.textOf(bytes(0xC0, 0xAF)));
  }

  @Test
  void aBackslashThatLooksLikeAnEscapeIsEscaped() throws CharacterCodingException {
    byte[] literal = "\\xE9".getBytes(StandardCharsets.UTF_8);
    assertEquals("\\x5CxE9", Name.textOf(literal));
    assertArrayEquals(literal, Name.bytesOf("\\x5CxE9"));
  }

  @Test
  void noEscapeStandsForASlashADotOrANul() throws CharacterCodingException {
    for (String text : new String[] {"\\x2F", "\\x2E\\x2E", "\\x00", "\\x41"}) {
      assertArrayEquals(text.getBytes(StandardCharsets.UTF_8), Name.bytesOf(text));
    }
  }

  @Test
  void halfASurrogatePairIsNoText() {
    assertThrows(CharacterCodingException.class, () -> Name.bytesOf("\ud800"));
  }

  @Test
  void everyNameHasATextThatNamesItAlone() throws CharacterCodingException {
    long seed = Seed.get(NameTest.class);
    Random random = new Random(seed);
    int[] alphabet = {'\\', 'x', '5', 'C', 'c', 'E', '9', 0xC3, 0xA9, 0xE9, 0x80, 0xFF, 0xF0, 'a'};
    Map<String, Name> seen = new HashMap<>();
    for (int i = 0; i < 30_000; i++) {
      byte[] bytes = new byte[1 + random.nextInt(8)];
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] = (byte) alphabet[random.nextInt(alphabet.length)];
      }
      Name name = Name.of(bytes);
      assertArrayEquals(bytes, Name.bytesOf(name.toString()), () -> "seed " + seed + ": " + name);
      Name other = seen.putIfAbsent(name.toString(), name);
      if (other != null) {
        assertEquals(other, name, () -> "seed " + seed);
      }
    }
  }
}
