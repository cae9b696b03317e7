package harness.wire;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import harness.fault.RefusedException;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;

/** What is wrong with a body, in words of the wire and none of the library that reads it. */
final class Mistakes {
  private Mistakes() {}

  /**
   * Of a text that is no JSON.
   *
   * @param parser at the place where it ends to be
   */
  static RefusedException unreadable(
      JsonProcessingException e, JsonParser parser, long maxTokens, int maxDepth) {
    String at =
        Optional.ofNullable(e.getLocation()).map(Mistakes::place).orElse("")
            + field(parser.getParsingContext().pathAsPointer());
    String why =
        switch (e) {
          case JsonEOFException _ -> "it ends in its middle";
          case StreamConstraintsException _ ->
              "a body has at most "
                  + maxTokens
                  + " names and values, nested at most "
                  + maxDepth
                  + " deep, and no number of more than a thousand digits";
          case JsonProcessingException other when isDouble(other) ->
              "the field is there twice; send it once";
          default ->
              "something else stands there than a name, a value or the sign between two; names and"
                  + " texts are in double quotes";
        };
    return RefusedException.invalid("the body is no valid JSON" + at + ": " + why, "");
  }

  private static String field(JsonPointer to) {
    String path = to.toString().replaceFirst("^/", "").replace('/', '.');
    return path.isEmpty() ? "" : ", at the field '" + path + "'";
  }

  private static boolean isDouble(JsonProcessingException e) {
    return e.getOriginalMessage().startsWith("Duplicate field");
  }

  private static String place(JsonLocation at) {
    return " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
  }

  /** Of JSON that is something else than is taken. */
  static RefusedException unfit(JsonProcessingException e) {
    String field = field(e);
    String named = field.isEmpty() ? "the body" : "field '" + field + "'";
    return RefusedException.invalid(
        switch (e) {
          case UnrecognizedPropertyException unknown ->
              named + " is unknown; known here are " + known(unknown.getKnownPropertyIds());
          case MismatchedInputException wrong ->
              named + " has the wrong type; it is " + wanted(wrong.getTargetType());
          case JsonMappingException wrong
              when wrong.getCause() instanceof InputCoercionException number ->
              named + " has the wrong type; it is " + wanted(number.getTargetType());
          default -> named + " has the wrong type";
        },
        field);
  }

  private static String known(Collection<Object> names) {
    return names.stream().map(String::valueOf).sorted().collect(Collectors.joining(", "));
  }

  private static String wanted(Class<?> type) {
    if (type == String.class) {
      return "a text";
    }
    if (type == Boolean.class) {
      return "true or false";
    }
    if (type == Integer.class || type == int.class) {
      return "a whole number of at most 32 bits";
    }
    return Collection.class.isAssignableFrom(type) ? "a list" : "an object";
  }

  private static String field(JsonProcessingException e) {
    return e instanceof JsonMappingException mapping
        ? mapping.getPath().stream()
            .map(
                reference ->
                    reference.getFieldName() == null
                        ? "[" + reference.getIndex() + "]"
                        : reference.getFieldName())
            .collect(Collectors.joining("."))
        : "";
  }
}
