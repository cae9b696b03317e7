package harness.tool;

import harness.workspace.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;

/**
 * The lines of a file as text, one piece after another, with memory for a block alone. A line
 * longer than the piece size comes in several pieces. A byte that the encoding can't read becomes
 * the character of the same number, so that nothing is lost from sight.
 */
final class Lines {
  /** How a piece ends. */
  enum End {
    /** In the middle of its line. */
    CUT,
    LF,
    CRLF,
    /** With the file. */
    FILE
  }

  private final FileHandle file;
  private final boolean utf16;
  private final CharsetDecoder decoder;
  private final int pieceChars;
  private final long maxBytes;

  private final ByteBuffer bytes;
  private final CharBuffer chars;
  private long position;
  private boolean allRead;
  private boolean allDecoded;
  private boolean exhausted;
  private boolean malformed;

  private long number;
  private int start;
  private int length;
  private End end = End.LF;

  /**
   * @param pieceChars the most characters of a piece
   * @param maxBytes where reading stops, as if the file ended there
   */
  Lines(FileHandle file, Encoding encoding, int pieceChars, long maxBytes) throws IOException {
    this(file, encoding, pieceChars, maxBytes, encoding.markBytes());
  }

  /** The same from a place on, in bytes, where a line begins. */
  Lines(FileHandle file, Encoding encoding, int pieceChars, long maxBytes, long start)
      throws IOException {
    this.file = file;
    this.utf16 = encoding.utf16();
    this.decoder =
        encoding
            .charset()
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    this.pieceChars = pieceChars;
    this.maxBytes = maxBytes;
    this.bytes = Blocks.buffer(file).flip();
    this.chars = CharBuffer.allocate(Math.max(bytes.capacity(), 2 * pieceChars)).flip();
    this.position = start;
  }

  /** Moves to the next piece; false at the end. */
  boolean next() throws IOException, InterruptedException {
    if (end != End.CUT) {
      number++;
    }
    int scanned = 0;
    while (true) {
      int window = Math.min(chars.remaining(), pieceChars + 1);
      for (; scanned < window; scanned++) {
        if (chars.get(chars.position() + scanned) == '\n') {
          piece(scanned, 1, End.LF);
          return true;
        }
      }
      if (chars.remaining() > pieceChars) {
        piece(wholeCharacters(), 0, End.CUT);
        return true;
      }
      if (allDecoded) {
        boolean more = chars.hasRemaining();
        if (more) {
          piece(chars.remaining(), 0, End.FILE);
        } else if (end != End.CUT) {
          number--;
        }
        return more;
      }
      decode();
    }
  }

  /** Skips what remains of the line of this piece; how many characters that were. */
  long skipLine() throws IOException, InterruptedException {
    long skipped = 0;
    while (end == End.CUT && next()) {
      skipped += length;
    }
    return skipped;
  }

  /** The piece, without its line end. Valid until the next move. */
  CharSequence text() {
    return CharBuffer.wrap(chars.array(), start, length);
  }

  /** The line that the piece belongs to, from 1. At the end of the file: how many there are. */
  long number() {
    return number;
  }

  End end() {
    return end;
  }

  /** Whether reading stopped at the bound instead of the end of the file. */
  boolean exhausted() {
    return exhausted;
  }

  /** How much of the file was read. */
  long bytesRead() {
    return position;
  }

  /** Whether a byte so far was none of the encoding. */
  boolean malformed() {
    return malformed;
  }

  private void piece(int textLength, int endLength, End how) {
    start = chars.position();
    length = textLength;
    end = how;
    if (how == End.LF && textLength > 0 && chars.get(start + textLength - 1) == '\r') {
      length--;
      end = End.CRLF;
    }
    chars.position(start + textLength + endLength);
  }

  /** A piece never parts a pair of surrogates, nor the two characters of a line end. */
  private int wholeCharacters() {
    char last = chars.get(chars.position() + pieceChars - 1);
    return pieceChars > 1 && (Character.isHighSurrogate(last) || last == '\r')
        ? pieceChars - 1
        : pieceChars;
  }

  private void decode() throws IOException, InterruptedException {
    chars.compact();
    while (chars.position() < chars.capacity()) {
      CoderResult result = decoder.decode(bytes, chars, allRead);
      if (result.isError()) {
        takeMalformed(result.length());
      } else if (result.isOverflow()) {
        break;
      } else if (allRead) {
        allDecoded = true;
        break;
      } else {
        readBlock();
      }
    }
    chars.flip();
  }

  private void takeMalformed(int count) {
    malformed = true;
    if (utf16) {
      chars.put('\uFFFD');
      bytes.position(bytes.position() + count);
    } else {
      chars.put((char) (bytes.get() & 0xFF));
    }
  }

  private void readBlock() throws IOException, InterruptedException {
    bytes.compact();
    if (maxBytes - position < bytes.remaining()) {
      bytes.limit(bytes.position() + (int) Math.max(0, maxBytes - position));
    }
    int room = bytes.remaining();
    int read = Blocks.fill(file, bytes, position);
    position += read;
    exhausted = position >= maxBytes;
    allRead = read < room || exhausted;
    bytes.flip();
  }
}
