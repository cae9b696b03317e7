package harness.tool;

import harness.workspace.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Searches files, one after the other, in buffers that are used again. Text becomes characters only
 * where a line is shown or the engine has to be asked. For one thread.
 */
final class FileSearch {
  /** How much is read at once. */
  private static final int BLOCK_BYTES = 128 * 1024;

  /** Longer lines are read as text, in pieces. */
  static final int MAX_LINE_BYTES = 1024 * 1024;

  /** How far into one line an expression is looked for there, in characters. */
  static final int MAX_EXPRESSION_CHARS = 8 * 1024 * 1024;

  /** How far into one file a search goes. */
  static final long MAX_FILE_BYTES = 256L * 1024 * 1024;

  /** A character takes at most so many bytes. */
  private static final int CHARACTER_BYTES = 4;

  /** How many blocks wait for the next search; they lie outside the heap, where new ones cost. */
  private static final int MAX_IDLE = 16;

  private static final BlockingQueue<ByteBuffer> IDLE = new ArrayBlockingQueue<>(MAX_IDLE);
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);
  private static final Findings NOTHING = new Findings(0, 0);

  private final Wanted wanted;
  private final Wanted.Scan scan;
  private final Search.Mode mode;
  private final int context;
  private final int limit;

  private ByteBuffer block = NONE;
  private byte[] buffer = new byte[BLOCK_BYTES];
  private int length;
  private long position;
  private long size;
  private boolean ended;

  private Findings found = NOTHING;

  /** The number of the line that begins at {@link #counted}. */
  private long number;

  private int counted;

  FileSearch(Wanted wanted, Search.Mode mode, int context, int limit) {
    this.wanted = wanted;
    this.scan = wanted.scan();
    this.mode = mode;
    this.context = mode == Search.Mode.CONTENT ? context : 0;
    this.limit = limit;
  }

  /**
   * Searches a file. A file that is searched to its end, or to where it needs no more, is whole.
   */
  Findings search(FileHandle file) throws IOException, InterruptedException {
    found = new Findings(context, limit);
    ByteBuffer idle = IDLE.poll();
    block = idle == null ? ByteBuffer.allocateDirect(BLOCK_BYTES) : idle;
    try {
      return open(file);
    } finally {
      boolean kept = IDLE.offer(block);
      block = NONE;
    }
  }

  private Findings open(FileHandle file) throws IOException, InterruptedException {
    size = file.size();
    length = 0;
    position = 0;
    ended = false;
    number = 1;
    counted = 0;
    read(file);
    if (BinaryKind.isBinary(buffer, length)) {
      found.binary = true;
      return found;
    }
    Encoding encoding = Encoding.marked(ByteBuffer.wrap(buffer, 0, length));
    if (encoding.utf16()) {
      text(new Lines(file, encoding, Wanted.PIECE_CHARS, MAX_FILE_BYTES));
      return found;
    }
    bytes(file, encoding.markBytes());
    found.bytes = position;
    found.pieces |= scan.pieces();
    return found;
  }

  /** What was found so far in the file that is or was searched last. */
  Findings found() {
    return found;
  }

  private void bytes(FileHandle file, int mark) throws IOException, InterruptedException {
    counted = mark;
    for (int from = mark; ; ) {
      int to = ended ? length : ByteLines.afterLast(buffer, from, length);
      if (to == from && !ended) {
        if (length - from < MAX_LINE_BYTES) {
          keep(from);
          read(file);
        } else if (!longLine(file, from)) {
          return;
        }
      } else {
        if (!lines(from, to) || ended) {
          return;
        }
        number(to);
        keep(to);
        read(file);
      }
      from = 0;
    }
  }

  /** Moves what has not been searched to the front. */
  private void keep(int from) {
    System.arraycopy(buffer, from, buffer, 0, length - from);
    length -= from;
    counted = 0;
  }

  /** Adds the next block of the file to what is kept. */
  private void read(FileHandle file) throws IOException, InterruptedException {
    Blocks.checkInterrupt();
    long left = MAX_FILE_BYTES - position;
    block.clear().limit((int) Math.min(BLOCK_BYTES, left));
    int count = block.hasRemaining() ? file.read(block, position) : -1;
    found.cutFile |= left == 0 && size > position;
    if (count > 0) {
      if (length + count > buffer.length) {
        buffer = Arrays.copyOf(buffer, Math.max(length + count, 2 * buffer.length));
      }
      block.get(0, buffer, length, count);
      length += count;
      position += count;
    }
    // What it has beyond its size by now is as good as written after the search.
    ended = count < 0 || (position >= size && size > 0);
  }

  /** Searches whole lines; false where the file has been searched enough. */
  private boolean lines(int from, int to) throws InterruptedException {
    scan.begin(buffer, to);
    for (int at = from; at < to; ) {
      int hit = scan.next(at);
      if (hit < 0) {
        misses(at, to);
        return true;
      }
      int end = ByteLines.end(buffer, hit, to);
      if (mode == Search.Mode.CONTENT) {
        int start = ByteLines.start(buffer, hit, at);
        misses(at, start);
        if (!match(start, end, to)) {
          return false;
        }
      } else {
        found.matches++;
        if (mode == Search.Mode.FILES) {
          return false;
        }
      }
      at = end + 1;
    }
    return true;
  }

  private boolean match(int start, int end, int to) throws InterruptedException {
    String text = ByteLines.text(buffer, start, ByteLines.textEnd(buffer, start, end, to));
    int at = text.length() > Findings.MAX_LINE_CHARS ? wanted.findInPieces(text) : 0;
    return found.match(number(start), text, at);
  }

  /** The number of a line that begins at a place. */
  private long number(int start) {
    if (mode == Search.Mode.CONTENT) {
      number += ByteLines.count(buffer, counted, start);
      counted = start;
    }
    return number;
  }

  /** Gives on those of the lines between two matches that may be shown. */
  private void misses(int from, int to) {
    if (context == 0) {
      return;
    }
    int at = from;
    while (at < to && found.afterLeft() > 0) {
      at = miss(at, to);
    }
    int first = to;
    for (int i = 0; i < context && first > at; i++) {
      first = ByteLines.start(buffer, first - 1, at);
    }
    while (first < to) {
      first = miss(first, to);
    }
  }

  private int miss(int start, int to) {
    int end = ByteLines.end(buffer, start, to);
    int textEnd = ByteLines.textEnd(buffer, start, end, to);
    // More would be cut off again.
    int most = start + CHARACTER_BYTES * (Findings.MAX_LINE_CHARS + 2);
    found.miss(number(start), ByteLines.text(buffer, start, Math.min(textEnd, most)));
    return end + 1;
  }

  /** Searches a line that the buffer has no room for; false where the file is searched enough. */
  private boolean longLine(FileHandle file, int from) throws IOException, InterruptedException {
    if (ByteLines.hasNul(buffer, from, length)) {
      // Lines of text have none.
      found.binary = found.matches == 0;
      return false;
    }
    long start = position - (length - from);
    Lines line = new Lines(file, Encoding.UTF_8, Wanted.PIECE_CHARS, MAX_FILE_BYTES, start);
    if (line.next() && !line(line, number)) {
      return false;
    }
    number++;
    while (true) {
      length = 0;
      counted = 0;
      read(file);
      int end = ByteLines.end(buffer, 0, length);
      if (end < length || ended) {
        keep(Math.min(length, end + 1));
        return true;
      }
    }
  }

  private void text(Lines lines) throws IOException, InterruptedException {
    try {
      while (lines.next() && line(lines, lines.number())) {
        Blocks.checkInterrupt();
      }
    } finally {
      found.bytes = lines.bytesRead();
      found.cutFile |= lines.exhausted() && lines.bytesRead() < size;
    }
  }

  /** Searches a line that comes as text, in pieces where it is long. */
  private boolean line(Lines lines, long lineNumber) throws IOException, InterruptedException {
    String text = lines.text().toString();
    String first = text;
    int at = wanted.find(text);
    long searched = text.length();
    while (at < 0 && lines.end() == Lines.End.CUT && lines.next()) {
      if (searched > MAX_EXPRESSION_CHARS && !wanted.plain()) {
        found.cutSearches = true;
        break;
      }
      found.pieces = true;
      searched += lines.text().length();
      text = text.substring(Math.max(0, text.length() - Wanted.OVERLAP_CHARS)) + lines.text();
      at = wanted.find(text);
    }
    long unused = lines.skipLine();
    if (at < 0) {
      found.miss(lineNumber, first);
      return true;
    }
    if (mode == Search.Mode.CONTENT) {
      return found.match(lineNumber, text, at);
    }
    found.matches++;
    return mode == Search.Mode.COUNT;
  }
}
