package harness;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Reads server-sent events one by one, as they come. */
public final class StreamReader implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpResponse<InputStream> response;
  private final BufferedReader lines;

  StreamReader(HttpResponse<InputStream> response) {
    this.response = response;
    this.lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  /**
   * One frame.
   *
   * @param id empty where it has none
   * @param event empty where it has none
   * @param data empty where it has none
   * @param comment whether it is one
   */
  public record Frame(String id, String event, String data, boolean comment) {
    public JsonNode json() {
      try {
        return JSON.readTree(data);
      } catch (JsonProcessingException e) {
        throw new AssertionError("no JSON: " + this, e);
      }
    }

    public String type() {
      return json().path("type").asText();
    }

    /** Whether it is a durable event of this type. */
    public boolean is(String type) {
      return !id.isEmpty() && type().equals(type);
    }
  }

  public int status() {
    return response.statusCode();
  }

  public String header(String name) {
    return response.headers().firstValue(name).orElse("");
  }

  /** The next frame; empty at the end of the stream. */
  public Optional<Frame> next() {
    String id = "";
    String event = "";
    String data = "";
    boolean comment = false;
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("id: ")) {
          id = line.substring("id: ".length());
        } else if (line.startsWith("event: ")) {
          event = line.substring("event: ".length());
        } else if (line.startsWith("data: ")) {
          data = line.substring("data: ".length());
        } else if (line.startsWith(":")) {
          comment = true;
        } else if (line.isEmpty()) {
          return Optional.of(new Frame(id, event, data, comment));
        } else {
          throw new AssertionError("no line of a stream: " + line);
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All frames up to the first that is wanted, comments left out. */
  public List<Frame> until(Predicate<Frame> wanted) {
    List<Frame> frames = new ArrayList<>();
    while (true) {
      Frame frame =
          next().orElseThrow(() -> new AssertionError("the stream ended after " + frames));
      if (!frame.comment()) {
        frames.add(frame);
        if (wanted.test(frame)) {
          return frames;
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    response.body().close();
  }
}
