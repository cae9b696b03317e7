package harness.model.http;

import com.fasterxml.jackson.databind.JsonNode;
import harness.model.Message;
import harness.model.Part;
import harness.model.Request;
import java.util.HashSet;
import java.util.Set;

/**
 * Makes calls such as every server takes back: gives each an id that its conversation does not have
 * yet: the server's own where it is one, as some give none, the same to all, or count from 0 in
 * each reply.
 */
final class CallIds {
  /** What servers take as the name of a function. */
  private static final int MAX_NAME_CHARS = 64;

  private final Set<String> taken = new HashSet<>();

  CallIds(Request request) {
    for (Message message : request.messages()) {
      if (message instanceof Message.Assistant assistant) {
        for (Part part : assistant.parts()) {
          if (part instanceof Part.Call call) {
            taken.add(call.callId());
          }
        }
      }
    }
  }

  String take(String theirs) {
    if (!theirs.isBlank() && taken.add(theirs)) {
      return theirs;
    }
    int number = taken.size();
    while (!taken.add("call_" + number)) {
      number++;
    }
    return "call_" + number;
  }

  /** A name that a model made up would have the server refuse the conversation for ever. */
  static String legalName(String name) {
    String legal = name.replaceAll("[^a-zA-Z0-9_-]", "_");
    return legal.isEmpty()
        ? "unnamed"
        : legal.substring(0, Math.min(legal.length(), MAX_NAME_CHARS));
  }

  /** Always an object: servers render arguments and refuse the conversation where they can't. */
  static JsonNode object(JsonNode input) {
    return input.isObject()
        ? input
        : ModelJson.MAPPER.createObjectNode().set("invalid_arguments", input);
  }
}
