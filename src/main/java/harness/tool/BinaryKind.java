package harness.tool;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Tells from its first bytes that a file is no text, and what it is. */
final class BinaryKind {
  /** How much of a file is looked at. */
  static final int HEAD_BYTES = 8 * 1024;

  /** Bytes at a place, each written as the character of the same number. */
  private record Mark(String name, int at, String bytes) {
    boolean in(byte[] head) {
      return head.length >= at + bytes.length()
          && new String(head, at, bytes.length(), StandardCharsets.ISO_8859_1).equals(bytes);
    }
  }

  private static final List<Mark> MARKS =
      List.of(
          new Mark("a PNG image", 0, "\u0089PNG\r\n\u001A\n"),
          new Mark("a JPEG image", 0, "\u00FF\u00D8\u00FF"),
          new Mark("a GIF image", 0, "GIF8"),
          new Mark("a WebP image", 8, "WEBP"),
          new Mark("a PDF document", 0, "%PDF-"),
          new Mark("a ZIP archive (or jar, docx, xlsx)", 0, "PK\u0003\u0004"),
          new Mark("an empty ZIP archive", 0, "PK\u0005\u0006"),
          new Mark("a gzip archive", 0, "\u001F\u008B"),
          new Mark("a bzip2 archive", 0, "BZh"),
          new Mark("an xz archive", 0, "\u00FD7zXZ\0"),
          new Mark("a Zstandard archive", 0, "(\u00B5/\u00FD"),
          new Mark("a 7z archive", 0, "7z\u00BC\u00AF'\u001C"),
          new Mark("a tar archive", 257, "ustar"),
          new Mark("an ELF program or library", 0, "\u007FELF"),
          new Mark("a Java class", 0, "\u00CA\u00FE\u00BA\u00BE"),
          new Mark("a WebAssembly module", 0, "\0asm"),
          new Mark("a Windows program", 0, "MZ"),
          new Mark("an SQLite database", 0, "SQLite format 3\0"),
          new Mark("a git index", 0, "DIRC"),
          new Mark("a git pack", 0, "PACK"),
          new Mark("UTF-32 text", 0, "\u00FF\u00FE\0\0"),
          new Mark("UTF-32 text", 0, "\0\0\u00FE\u00FF"));

  /** How files begin that are no text although they may have no NUL near. */
  private static final String FIRST_BYTES = "%\u00FF\u001F";

  private BinaryKind() {}

  /** Whether {@link #of} names something, of the first bytes of an array. */
  static boolean isBinary(byte[] bytes, int length) {
    int head = Math.min(length, HEAD_BYTES);
    return (ByteLines.hasNul(bytes, 0, head)
            || (head > 0 && FIRST_BYTES.indexOf(bytes[0] & 0xFF) >= 0))
        && of(Arrays.copyOf(bytes, head)).isPresent();
  }

  /**
   * What the file is, where it is no text: it has a NUL among its first bytes without being UTF-16
   * by its mark, or is a document that no one reads as text.
   */
  static Optional<String> of(byte[] head) {
    if (Encoding.marked(ByteBuffer.wrap(head)).utf16()) {
      return Optional.empty();
    }
    boolean nul = false;
    for (byte b : head) {
      nul |= b == 0;
    }
    String name = "";
    for (Mark mark : MARKS) {
      if (mark.in(head)) {
        name = mark.name();
        break;
      }
    }
    if (nul) {
      return Optional.of(name.isEmpty() ? "a binary file" : name);
    }
    return name.equals("a PDF document")
            || name.equals("a JPEG image")
            || name.equals("a gzip archive")
        ? Optional.of(name)
        : Optional.empty();
  }
}
