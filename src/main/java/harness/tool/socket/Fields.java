package harness.tool.socket;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/**
 * Reads the fields of a frame in their order, each of the type and within the size that it has to
 * have. Nothing of a frame is kept that was not asked for, so that a hostile one costs little more
 * than its bytes.
 */
final class Fields {
  private static final int MAX_DEPTH = 1_000;
  private static final int MAX_NAME_CHARS = 50_000;

  /** What is told of a parser's complaint. */
  private static final int TOLD_CHARS = 200;

  private static final JsonFactory REQUESTS = texts(Frames.MAX_BYTES);

  /** No text of an answer is longer than a picture, and a longer one is not built first. */
  private static final JsonFactory ANSWERS = texts(Protocol.MAX_IMAGE_CHARS);

  private final JsonParser parser;

  private Fields(JsonParser parser) {
    this.parser = parser;
  }

  private static JsonFactory texts(int maxChars) {
    return JsonFactory.builder()
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(MAX_DEPTH)
                .maxNameLength(MAX_NAME_CHARS)
                .maxStringLength(maxChars)
                .build())
        .build();
  }

  /** At the first field of a request. */
  static Fields ofRequest(byte[] frame) throws ProtocolException {
    return of(frame, REQUESTS);
  }

  /** At the first field of an answer. */
  static Fields ofAnswer(byte[] frame) throws ProtocolException {
    return of(frame, ANSWERS);
  }

  private static Fields of(byte[] frame, JsonFactory json) throws ProtocolException {
    try {
      Fields fields = new Fields(json.createParser(frame));
      fields.token(JsonToken.START_OBJECT, "an object");
      return fields;
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private static ProtocolException broken(IOException e) {
    String told = String.valueOf(e.getMessage());
    return new ProtocolException(
        "no JSON that can be read: "
            + (told.length() <= TOLD_CHARS ? told : told.substring(0, TOLD_CHARS) + "..."));
  }

  private void token(JsonToken wanted, String what) throws ProtocolException {
    try {
      if (parser.nextToken() != wanted) {
        throw new ProtocolException(what + " was to come, and something else did");
      }
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private void name(String name) throws ProtocolException {
    try {
      if (parser.nextToken() != JsonToken.FIELD_NAME || !parser.currentName().equals(name)) {
        throw new ProtocolException("the field '" + name + "' was to come, and another did");
      }
    } catch (IOException e) {
      throw broken(e);
    }
  }

  String text(String name, int maxChars) throws ProtocolException {
    name(name);
    token(JsonToken.VALUE_STRING, "the text of '" + name + "'");
    return text(maxChars, name);
  }

  private String text(int maxChars, String what) throws ProtocolException {
    try {
      String text = parser.getText();
      if (text.length() > maxChars) {
        throw new ProtocolException(
            what + " has " + text.length() + " characters; it has at most " + maxChars);
      }
      return text;
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** A whole number that is not negative. */
  long number(String name) throws ProtocolException {
    name(name);
    token(JsonToken.VALUE_NUMBER_INT, "the number of '" + name + "'");
    try {
      long number = parser.getLongValue();
      if (number < 0) {
        throw new ProtocolException("'" + name + "' is negative");
      }
      return number;
    } catch (IOException e) {
      throw broken(e);
    }
  }

  boolean truth(String name) throws ProtocolException {
    name(name);
    try {
      return switch (parser.nextToken()) {
        case VALUE_TRUE -> true;
        case VALUE_FALSE -> false;
        case null, default -> throw new ProtocolException("'" + name + "' is true or false");
      };
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** Takes a pair of texts. */
  interface Pair {
    void of(String first, String second) throws ProtocolException;
  }

  /** A list of pairs of texts. */
  void pairs(String name, int maxPairs, int maxFirst, int maxSecond, Pair each)
      throws ProtocolException {
    name(name);
    token(JsonToken.START_ARRAY, "the list of '" + name + "'");
    try {
      for (int count = 0; parser.nextToken() != JsonToken.END_ARRAY; count++) {
        if (count == maxPairs || parser.currentToken() != JsonToken.START_ARRAY) {
          throw new ProtocolException("'" + name + "' is at most " + maxPairs + " pairs of texts");
        }
        token(JsonToken.VALUE_STRING, "a text in '" + name + "'");
        String first = text(maxFirst, "a text in '" + name + "'");
        token(JsonToken.VALUE_STRING, "a text in '" + name + "'");
        each.of(first, text(maxSecond, "a text in '" + name + "'"));
        token(JsonToken.END_ARRAY, "the end of a pair in '" + name + "'");
      }
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** Any value, as a tree; for what the Harness sends alone. */
  JsonNode tree(String name) throws ProtocolException {
    name(name);
    try {
      parser.nextToken();
      return Frames.MAPPER.readTree(parser);
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** A value of a type with a shape of its own; for what the Harness sends alone. */
  <T> T value(String name, Class<T> type) throws ProtocolException {
    name(name);
    try {
      parser.nextToken();
      return Frames.MAPPER.readValue(parser, type);
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** Nothing follows. */
  void end() throws ProtocolException {
    token(JsonToken.END_OBJECT, "the end of the frame");
    try {
      if (parser.nextToken() != null) {
        throw new ProtocolException("something follows the end of the frame");
      }
    } catch (IOException e) {
      throw broken(e);
    }
  }
}
