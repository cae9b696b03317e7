package harness.model.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** How this package reads and writes JSON. */
final class ModelJson {
  static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  /** Writes one document. */
  interface Writing {
    void to(JsonGenerator json) throws IOException;
  }

  private ModelJson() {}

  /**
   * Through a writer, so that half a surrogate pair in a prompt becomes '?' and no failure; and not
   * through one text, because the pictures of a conversation are many megabytes.
   */
  static byte[] write(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json =
        MAPPER.createGenerator(new OutputStreamWriter(bytes, StandardCharsets.UTF_8))) {
      writing.to(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
