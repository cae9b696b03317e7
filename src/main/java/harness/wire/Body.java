package harness.wire;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import harness.fault.Refusal;
import harness.fault.RefusedException;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;

/**
 * The JSON body of a request, read strictly: what is unknown, mistyped, doubled or left over is
 * refused with its field.
 */
record Body(JsonNode json) {
  /** The largest body of a request, in bytes. */
  static final int MAX_BYTES = 4 * 1024 * 1024;

  /** The most values and names of a body: each takes many times its bytes once it is read. */
  private static final long MAX_TOKENS = 400_000;

  private static final int MAX_DEPTH = 1_000;

  private static final ObjectMapper JSON = mapper();

  private static ObjectMapper mapper() {
    JsonFactory factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxTokenCount(MAX_TOKENS)
                    .maxNestingDepth(MAX_DEPTH)
                    .build())
            .build();
    JsonMapper mapper =
        JsonMapper.builder(factory)
            .addModule(new Jdk8Module())
            .defaultSetterInfo(JsonSetter.Value.construct(Nulls.DEFAULT, Nulls.FAIL))
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .build();
    mapper
        .coercionConfigFor(LogicalType.Textual)
        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
    return mapper;
  }

  /**
   * @throws RefusedException where it is larger than {@link #MAX_BYTES} or no JSON object
   * @throws BrokenBodyException where it ends in its middle
   */
  static Body read(InputStream in) {
    String text = text(bytes(in));
    try (JsonParser parser = JSON.createParser(text)) {
      JsonNode json = whole(parser);
      requireText(json, "");
      return new Body(json);
    } catch (IOException e) {
      throw new UncheckedIOException("a text can be read", e);
    }
  }

  private static JsonNode whole(JsonParser parser) throws IOException {
    try {
      JsonNode json = JSON.readTree(parser);
      if (json == null || !json.isObject() || parser.nextToken() != null) {
        throw RefusedException.invalid("the body is not one JSON object", "");
      }
      return json;
    } catch (JsonProcessingException e) {
      throw Mistakes.unreadable(e, parser, MAX_TOKENS, MAX_DEPTH);
    }
  }

  private static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw RefusedException.invalid("the body is no UTF-8; send JSON in UTF-8", "");
    }
  }

  private static byte[] bytes(InputStream in) {
    byte[] bytes;
    try {
      bytes = in.readNBytes(MAX_BYTES + 1);
    } catch (RequestException e) {
      if (e.status().equals(Status.REQUEST_ENTITY_TOO_LARGE_413)) {
        throw tooLarge();
      }
      throw new BrokenBodyException(e);
    } catch (IOException | RuntimeException e) {
      // The server tells of a connection that broke, and of frames that are none, by many types.
      throw new BrokenBodyException(e);
    }
    if (bytes.length > MAX_BYTES) {
      throw tooLarge();
    }
    return bytes;
  }

  private static RefusedException tooLarge() {
    return new RefusedException(
        new Refusal.TooLarge(
            "the body is over " + MAX_BYTES + " bytes; hand large input over as a file"));
  }

  /** Half of a surrogate pair has no UTF-8: such text could be neither stored nor shown. */
  private static void requireText(JsonNode node, String path) {
    if (node.isTextual() && !isWhole(node.textValue())) {
      throw RefusedException.invalid(
          "field '" + path + "' holds half of a surrogate pair; send whole characters", path);
    }
    node.properties()
        .forEach(
            field -> {
              requireText(TextNode.valueOf(field.getKey()), path);
              requireText(
                  field.getValue(), path.isEmpty() ? field.getKey() : path + "." + field.getKey());
            });
    if (node.isArray()) {
      node.forEach(element -> requireText(element, path));
    }
  }

  /**
   * The body as a record.
   *
   * @throws RefusedException with the field that does not fit
   */
  <T> T as(Class<T> type) {
    try {
      return JSON.treeToValue(json, type);
    } catch (JsonProcessingException e) {
      throw Mistakes.unfit(e);
    }
  }

  /** SHA-256 of what the body means, however it is spaced and ordered. */
  byte[] digest() {
    try {
      byte[] canonical = JSON.writeValueAsBytes(JSON.treeToValue(json, Map.class));
      return MessageDigest.getInstance("SHA-256").digest(canonical);
    } catch (JsonProcessingException | NoSuchAlgorithmException e) {
      throw new IllegalStateException("a body that was read can be written", e);
    }
  }

  private static boolean isWhole(String text) {
    return text.equals(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
  }
}
