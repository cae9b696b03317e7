package harness.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import harness.api.RefusalBody;
import harness.client.Transport.Exchange.Answered;
import java.util.List;

/** The wire's JSON; what a later Harness adds to it is skipped. */
final class Json {
  private static final int MAX_SHOWN_CHARS = 200;

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private Json() {}

  static String write(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("what is to be sent is no JSON: " + e, e);
    }
  }

  static <T> T read(String body, Class<T> type) throws UnsettledException {
    try {
      return MAPPER.readValue(body, type);
    } catch (JsonProcessingException e) {
      throw foreign(body);
    }
  }

  static <T> List<T> readList(String body, Class<T> type) throws UnsettledException {
    try {
      return MAPPER.readerForListOf(type).readValue(body);
    } catch (JsonProcessingException e) {
      throw foreign(body);
    }
  }

  /** What a field says, which is there in each answer of its kind. */
  static boolean truth(String body, String field) throws UnsettledException {
    JsonNode value = tree(body).path(field);
    if (!value.isBoolean()) {
      throw foreign(body);
    }
    return value.asBoolean();
  }

  static <T> T convert(JsonNode tree, Class<T> type) {
    return MAPPER.convertValue(tree, type);
  }

  /** Nothing where it is no JSON. */
  static JsonNode tree(String body) {
    try {
      return MAPPER.readTree(body);
    } catch (JsonProcessingException e) {
      return MAPPER.missingNode();
    }
  }

  private static UnsettledException foreign(String body) {
    return new UnsettledException(
        new Outcome.Refused(200, "what answers there is no Harness: " + shown(body), ""), true);
  }

  /** What an answer other than 200 means. */
  static Outcome.Unsettled refusal(Answered answered, boolean ofConversation) {
    RefusalBody body = body(answered.body());
    return switch (answered.status()) {
      case 401, 403 -> new Outcome.Denied(answered.status(), body.error());
      case 404 ->
          ofConversation
              ? new Outcome.Lost(body.error())
              : new Outcome.Refused(404, body.error(), "");
      default -> new Outcome.Refused(answered.status(), body.error(), body.field().orElse(""));
    };
  }

  private static RefusalBody body(String text) {
    JsonNode tree = tree(text);
    return tree.path("error").isTextual()
        ? convert(tree, RefusalBody.class)
        : new RefusalBody(shown(text), java.util.Optional.empty());
  }

  private static String shown(String text) {
    return text.length() <= MAX_SHOWN_CHARS ? text : text.substring(0, MAX_SHOWN_CHARS) + "...";
  }
}
