package harness.tool;

import harness.workspace.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * How the bytes of a text file are shown as text.
 *
 * @param charset UTF-8, UTF-16 by its byte order mark, or ISO-8859-1, which shows any byte as one
 *     character
 * @param markBytes the length of the byte order mark that is not shown
 */
record Encoding(Charset charset, int markBytes) {
  static final Encoding UTF_8 = new Encoding(StandardCharsets.UTF_8, 0);
  static final Encoding UTF_8_MARKED = new Encoding(StandardCharsets.UTF_8, 3);
  static final Encoding UTF_16_LE = new Encoding(StandardCharsets.UTF_16LE, 2);
  static final Encoding UTF_16_BE = new Encoding(StandardCharsets.UTF_16BE, 2);
  static final Encoding LATIN_1 = new Encoding(StandardCharsets.ISO_8859_1, 0);

  /** Up to this size all bytes decide; of a larger file the first ones do. */
  static final int MAX_CHECKED_BYTES = 16 * 1024 * 1024;

  /** Looks at the file, or at its first {@link #MAX_CHECKED_BYTES}. */
  static Encoding of(FileHandle file) throws IOException, InterruptedException {
    ByteBuffer block = Blocks.buffer(file);
    long position = Blocks.fill(file, block, 0);
    block.flip();
    Encoding marked = marked(block);
    if (!marked.equals(UTF_8)) {
      return marked;
    }
    var decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    CharBuffer chars = CharBuffer.allocate(block.capacity());
    while (true) {
      boolean end = block.limit() < block.capacity();
      CoderResult result = decoder.decode(block, chars.clear(), end);
      if (result.isError()) {
        return LATIN_1;
      }
      if (end || position >= MAX_CHECKED_BYTES) {
        return UTF_8;
      }
      block.compact();
      position += Blocks.fill(file, block, position);
      block.flip();
    }
  }

  /** The same for bytes in memory. */
  static Encoding of(byte[] bytes) {
    Encoding marked = marked(ByteBuffer.wrap(bytes));
    if (!marked.equals(UTF_8)) {
      return marked;
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return UTF_8;
    } catch (CharacterCodingException e) {
      return LATIN_1;
    }
  }

  /** By the byte order mark alone; UTF-8 where there is none. */
  static Encoding marked(ByteBuffer head) {
    if (starts(head, 0xEF, 0xBB, 0xBF)) {
      return UTF_8_MARKED;
    }
    if (starts(head, 0xFF, 0xFE) && !starts(head, 0xFF, 0xFE, 0, 0)) {
      return UTF_16_LE;
    }
    return starts(head, 0xFE, 0xFF) ? UTF_16_BE : UTF_8;
  }

  boolean utf16() {
    return markBytes == 2;
  }

  /** The bytes of a text in this encoding; empty where it has a character that can't be written. */
  Optional<byte[]> bytes(String text) {
    return charset.newEncoder().canEncode(text)
        ? Optional.of(text.getBytes(charset))
        : Optional.empty();
  }

  private static boolean starts(ByteBuffer head, int... bytes) {
    if (head.remaining() < bytes.length) {
      return false;
    }
    for (int i = 0; i < bytes.length; i++) {
      if ((head.get(head.position() + i) & 0xFF) != bytes[i]) {
        return false;
      }
    }
    return true;
  }
}
