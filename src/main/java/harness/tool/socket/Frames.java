package harness.tool.socket;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Writes frames. */
final class Frames {
  /**
   * The longest frame, in bytes: the largest content that {@code write} takes fits, as do the
   * largest pictures.
   */
  static final int MAX_BYTES = 32 * 1024 * 1024;

  /** The length in front of each frame, in bytes. */
  static final int HEADER_BYTES = 4;

  /** For what the model wrote and for who acts, whose shapes are not of this protocol. */
  static final ObjectMapper MAPPER = new ObjectMapper().registerModule(new Jdk8Module());

  private Frames() {}

  /** Writes the fields of one frame. */
  interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  /** What was to be sent is longer than a frame may be. */
  static final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    TooLargeException() {
      super("it has more than " + MAX_BYTES + " bytes as JSON");
    }
  }

  /**
   * A frame, ready to be sent.
   *
   * @throws TooLargeException where it is over {@link #MAX_BYTES}
   * @throws IOException where it can't be written as JSON, such as arguments nested too deep
   */
  static ByteBuffer of(String type, Fields fields) throws IOException {
    Bounded out = new Bounded();
    out.write(new byte[HEADER_BYTES]);
    try (JsonGenerator json = MAPPER.createGenerator((OutputStream) out)) {
      json.writeStartObject();
      json.writeStringField("type", type);
      fields.write(json);
      json.writeEndObject();
    }
    ByteBuffer frame = ByteBuffer.wrap(out.bytes.toByteArray());
    return frame.putInt(0, frame.remaining() - HEADER_BYTES);
  }

  /** Holds what is written, up to the longest frame. */
  private static final class Bounded extends OutputStream {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] from, int start, int length) throws IOException {
      if (bytes.size() + length > HEADER_BYTES + MAX_BYTES) {
        throw new TooLargeException();
      }
      bytes.write(from, start, length);
    }
  }
}
