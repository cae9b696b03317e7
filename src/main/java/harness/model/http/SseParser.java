package harness.model.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns the bytes of a {@code text/event-stream} into events, wherever they were split: lines end
 * with CR, LF or both, comments are skipped, and what stands behind the last whole line is not an
 * event.
 */
final class SseParser {
  /** A line is longer than the limit. */
  static final class LineTooLongException extends Exception {
    private static final long serialVersionUID = 1L;

    LineTooLongException(int maxLineBytes) {
      super("a line is longer than " + maxLineBytes + " bytes");
    }
  }

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final int maxLineBytes;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final StringBuilder data = new StringBuilder();
  private boolean hasData;
  private String type = "";
  private boolean afterCarriageReturn;
  private boolean first = true;

  SseParser(int maxLineBytes) {
    this.maxLineBytes = maxLineBytes;
  }

  /** The events that these bytes complete. */
  List<ServerEvent> feed(ByteBuffer bytes) throws LineTooLongException {
    List<ServerEvent> events = new ArrayList<>();
    while (bytes.hasRemaining()) {
      byte next = bytes.get();
      boolean secondOfCrLf = next == '\n' && afterCarriageReturn;
      afterCarriageReturn = next == '\r';
      if (secondOfCrLf) {
        continue;
      }
      if (next == '\n' || next == '\r') {
        endLine(events);
      } else if (line.size() == maxLineBytes) {
        throw new LineTooLongException(maxLineBytes);
      } else {
        line.write(next);
      }
    }
    return events;
  }

  /** The event whose last line was whole when the stream ended, though no empty line follows. */
  List<ServerEvent> end() {
    List<ServerEvent> events = new ArrayList<>();
    dispatch(events);
    return events;
  }

  private void endLine(List<ServerEvent> events) {
    String text = line.toString(StandardCharsets.UTF_8);
    line.reset();
    if (first && text.startsWith(BYTE_ORDER_MARK)) {
      text = text.substring(1);
    }
    first = false;
    if (text.isEmpty()) {
      dispatch(events);
      return;
    }
    int colon = text.indexOf(':');
    String field = colon < 0 ? text : text.substring(0, colon);
    String value = colon < 0 ? "" : text.substring(colon + 1);
    if (value.startsWith(" ")) {
      value = value.substring(1);
    }
    if (field.equals("data")) {
      if (hasData) {
        data.append('\n');
      }
      data.append(value);
      hasData = true;
    } else if (field.equals("event")) {
      type = value;
    }
  }

  private void dispatch(List<ServerEvent> events) {
    if (hasData) {
      events.add(new ServerEvent(type.isEmpty() ? "message" : type, data.toString()));
    }
    data.setLength(0);
    hasData = false;
    type = "";
  }
}
