package harness.tool;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Tells from its first bytes that a file is no text, and what it is. */
final class BinaryKind {
  /** How much of a file is looked at. */
  static final int HEAD_BYTES = 8 * 1024;

  private record Mark(String name, int at, byte[] bytes) {
    static Mark of(String name, int at, String latin1) {
      return new Mark(name, at, latin1.getBytes(StandardCharsets.ISO_8859_1));
    }

    boolean in(byte[] head) {
      if (head.length < at + bytes.length) {
        return false;
      }
      for (int i = 0; i < bytes.length; i++) {
        if (head[at + i] != bytes[i]) {
          return false;
        }
      }
      return true;
    }
  }

  private static final List<Mark> MARKS =
      List.of(
          Mark.of("a PNG image", 0, "\u0089PNG\r\n\u001A\n"),
          Mark.of("a JPEG image", 0, "\u00FF\u00D8\u00FF"),
          Mark.of("a GIF image", 0, "GIF8"),
          Mark.of("a WebP image", 8, "WEBP"),
          Mark.of("a PDF document", 0, "%PDF-"),
          Mark.of("a ZIP archive (or jar, docx, xlsx)", 0, "PK\u0003\u0004"),
          Mark.of("an empty ZIP archive", 0, "PK\u0005\u0006"),
          Mark.of("a gzip archive", 0, "\u001F\u008B"),
          Mark.of("a bzip2 archive", 0, "BZh"),
          Mark.of("an xz archive", 0, "\u00FD7zXZ\0"),
          Mark.of("a Zstandard archive", 0, "\u0028\u00B5\u002F\u00FD"),
          Mark.of("a 7z archive", 0, "7z\u00BC\u00AF\u0027\u001C"),
          Mark.of("a tar archive", 257, "ustar"),
          Mark.of("an ELF program or library", 0, "\u007FELF"),
          Mark.of("a Java class", 0, "\u00CA\u00FE\u00BA\u00BE"),
          Mark.of("a WebAssembly module", 0, "\0asm"),
          Mark.of("a Windows program", 0, "MZ"),
          Mark.of("an SQLite database", 0, "SQLite format 3\0"),
          Mark.of("a git index", 0, "DIRC"),
          Mark.of("a git pack", 0, "PACK"),
          Mark.of("UTF-32 text", 0, "\u00FF\u00FE\0\0"),
          Mark.of("UTF-32 text", 0, "\0\0\u00FE\u00FF"));

  private BinaryKind() {}

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
