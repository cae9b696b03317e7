package harness.tool;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The bytes of a file while edits are made to them. What an edit does not name stays byte for byte;
 * nothing is decoded but to say where an edit that was not found might have been meant.
 */
final class EditedBytes {
  /** How many places a message names. */
  private static final int SHOWN_PLACES = 20;

  /** How far places are counted before they are just many. */
  private static final int MAX_COUNTED = 1_000;

  private final String shown;
  private final int maxBytes;
  private final Encoding encoding;
  private final int unit;
  private final Set<String> notes = new LinkedHashSet<>();
  private byte[] bytes;

  /**
   * @param shown how the file is named in messages
   * @param maxBytes the most that it may grow to
   */
  EditedBytes(String shown, byte[] bytes, int maxBytes) {
    this.shown = shown;
    this.bytes = bytes.clone();
    this.maxBytes = maxBytes;
    this.encoding = Encoding.of(bytes);
    this.unit = encoding.utf16() ? 2 : 1;
  }

  byte[] bytes() {
    return bytes.clone();
  }

  /** What was done otherwise than the edits say to the letter. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  /** Makes an edit; the lines that it changed, in words. */
  String apply(Edit edit) throws ToolException, InterruptedException {
    if (edit.before().isEmpty()) {
      throw new ToolException(
          "'old' is empty; give the text to replace, or use write for a whole file");
    }
    if (edit.before().equals(edit.after())) {
      throw new ToolException("'old' and 'new' are the same, so nothing would change");
    }
    Found found = find(edit);
    if (!edit.all()) {
      requireOne(found);
    }
    return replaceAll(found);
  }

  /** Which bytes stand for the edit in this file. */
  private static final class Found {
    private final Needle before;
    private final byte[] after;

    Found(Needle before, byte[] after) {
      this.before = before;
      this.after = after;
    }
  }

  private Found find(Edit edit) throws ToolException, InterruptedException {
    String after = adapted(edit);
    Optional<Found> exact = find(edit.before(), after);
    if (exact.isPresent()) {
      if (!after.equals(edit.after())) {
        notes.add("the file's lines end in CRLF: the new ones were written so");
      }
      return exact.get();
    }
    if (edit.plainLineEnds() && edit.before().indexOf('\n') >= 0 && lineEnds().crlf() > 0) {
      String before = Edit.withCrlf(edit.before());
      Optional<Found> found = find(before, Edit.withCrlf(edit.after()));
      if (found.isPresent()) {
        notes.add("the lines there end in CRLF: matched and written so");
        return found.get();
      }
    }
    throw new ToolException(
        "'old' was not found in "
            + shown
            + Nearest.describe(new String(bytes, encoding.charset()), edit.before()));
  }

  /** The new text, with the line ends of a file that has no others. */
  private String adapted(Edit edit) {
    if (!edit.plainLineEnds() || edit.after().indexOf('\n') < 0) {
      return edit.after();
    }
    LineEnds ends = lineEnds();
    if (ends.crlf() == 0 || ends.lf() > 0) {
      return edit.after();
    }
    return Edit.withCrlf(edit.after());
  }

  /** Looks in the encoding of the file, and where that is a guess also in UTF-8. */
  private Optional<Found> find(String before, String after) throws ToolException {
    Optional<Needle> needle = encoding.bytes(before).map(Needle::new).filter(this::occurs);
    if (needle.isPresent()) {
      Optional<byte[]> written = encoding.bytes(after);
      if (written.isPresent()) {
        if (encoding.equals(Encoding.LATIN_1)) {
          notes.add("the file is not valid UTF-8: the text was taken as ISO-8859-1");
        }
        return Optional.of(new Found(needle.get(), written.get()));
      }
      if (!encoding.equals(Encoding.LATIN_1) || !ascii(before)) {
        throw new ToolException(
            "'new' holds a character that "
                + encoding.charset()
                + ", the encoding of "
                + shown
                + ", can't write; leave it out");
      }
    }
    if (encoding.equals(Encoding.LATIN_1)) {
      Needle utf8 = new Needle(before.getBytes(StandardCharsets.UTF_8));
      if (occurs(utf8)) {
        notes.add("the file is not valid UTF-8 as a whole: the text was taken as UTF-8");
        return Optional.of(new Found(utf8, after.getBytes(StandardCharsets.UTF_8)));
      }
    }
    return Optional.empty();
  }

  private boolean occurs(Needle needle) {
    return needle.find(bytes, 0, unit) >= 0;
  }

  private void requireOne(Found found) throws ToolException {
    List<Integer> places = new ArrayList<>();
    int count = 0;
    for (int at = found.before.find(bytes, 0, unit);
        at >= 0 && count < MAX_COUNTED;
        at = found.before.find(bytes, at + unit, unit)) {
      count++;
      if (places.size() < SHOWN_PLACES) {
        places.add(at);
      }
    }
    if (count > 1) {
      throw new ToolException(
          "'old' occurs "
              + (count == MAX_COUNTED ? "at least " : "")
              + count
              + " times in "
              + shown
              + ", on "
              + lines(places, count)
              + "; add what stands around the one that is meant, or set 'all'");
    }
  }

  private String replaceAll(Found found) throws ToolException {
    ByteArrayOutputStream result = new ByteArrayOutputStream(bytes.length + found.after.length);
    List<Integer> places = new ArrayList<>();
    int count = 0;
    int kept = 0;
    for (int at = found.before.find(bytes, 0, unit);
        at >= 0;
        at = found.before.find(bytes, kept, unit)) {
      result.write(bytes, kept, at - kept);
      if (result.size() + (long) found.after.length > maxBytes) {
        throw new ToolException(
            shown + " would be larger than " + maxBytes + " bytes, the most that edit makes");
      }
      result.write(found.after, 0, found.after.length);
      kept = at + found.before.length();
      count++;
      if (places.size() < SHOWN_PLACES) {
        places.add(at);
      }
    }
    String where = (count > 1 ? count + " places, " : "") + lines(places, count);
    result.write(bytes, kept, bytes.length - kept);
    bytes = result.toByteArray();
    return where;
  }

  private String lines(List<Integer> places, int count) {
    List<Integer> numbers = new ArrayList<>();
    int line = 1;
    int at = 0;
    for (int place : places) {
      for (; at < place; at += unit) {
        if (lineFeed(at)) {
          line++;
        }
      }
      numbers.add(line);
    }
    List<Integer> distinct = numbers.stream().distinct().toList();
    return (distinct.size() == 1 && count == places.size() ? "line " : "lines ")
        + distinct.stream().map(Object::toString).collect(Collectors.joining(", "))
        + (count > places.size() ? " and more" : "");
  }

  private record LineEnds(int lf, int crlf) {}

  private LineEnds lineEnds() {
    int lf = 0;
    int crlf = 0;
    for (int at = 0; at + unit <= bytes.length; at += unit) {
      if (lineFeed(at)) {
        if (at >= unit && unitAt(at - unit) == '\r') {
          crlf++;
        } else {
          lf++;
        }
      }
    }
    return new LineEnds(lf, crlf);
  }

  private boolean lineFeed(int at) {
    return unitAt(at) == '\n';
  }

  private int unitAt(int at) {
    if (unit == 1 || at + 1 >= bytes.length) {
      return bytes[at] & 0xFF;
    }
    int first = bytes[at] & 0xFF;
    int second = bytes[at + 1] & 0xFF;
    return encoding.equals(Encoding.UTF_16_LE) ? second << 8 | first : first << 8 | second;
  }

  private static boolean ascii(String text) {
    return text.chars().allMatch(c -> c < 0x80);
  }
}
